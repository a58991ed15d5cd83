"""What a bot with a network may reach, by name and by address."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.model.network import HIGHEST_PORT, Destination, Network, parse_destination
from bourre_referee.sandbox.network_guard import Refused, check_asked, is_own, is_public, may_dial, parse_address
from bourre_referee.sandbox.proxy_request import BadRequest, parse_request

PUBLIC = ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2001:4860:4860::8888"]
SPECIAL = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.8.8.8", "169.254.169.254", "172.16.0.1", "192.0.2.1",
    "192.168.1.5", "198.18.0.1", "203.0.113.7", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "fe80::1",
    "fec0::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "2002:7f00:1::1", "2001:0:7f00:1::1", "100::1",
]  # fmt: skip


@pytest.mark.parametrize("text", PUBLIC)
def test_an_address_of_one_host_on_the_internet_is_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize("text", SPECIAL)
def test_no_other_address_is(text: str) -> None:
    assert not is_public(ip_address(text))
    for network in (Network(), Network((parse_destination("api.example.org:443"),))):
        assert not may_dial(network, parse_destination("api.example.org:443"), ip_address(text), lambda _: False)


def test_a_name_never_leads_to_this_machine() -> None:
    asked = parse_destination("api.example.org:443")
    assert may_dial(Network(), asked, ip_address("8.8.8.8"), lambda _: False)
    assert not may_dial(Network(), asked, ip_address("8.8.8.8"), lambda _: True)


@pytest.mark.parametrize(
    ("listed", "address", "allowed"),
    [
        ("192.168.1.5:80", "192.168.1.5", True),
        ("192.168.1.5:80", "192.168.1.6", False),
        ("[fd12::1]:80", "fd12::1", True),
        ("localhost:80", "127.0.0.1", True),
        ("localhost:80", "::1", True),
        ("localhost:80", "192.168.1.5", False),
        ("2130706433:80", "127.0.0.1", False),
        ("localhost.example.org:80", "127.0.0.1", False),
    ],
)
def test_only_an_address_that_is_listed_as_such_may_be_special(listed: str, address: str, allowed: bool) -> None:
    asked = parse_destination(listed)
    assert may_dial(Network((asked,)), asked, ip_address(address), lambda _: False) is allowed
    assert not may_dial(Network(), asked, ip_address(address), lambda _: False)


def test_only_what_is_listed_may_be_asked_for() -> None:
    network = Network((parse_destination("api.example.org:443"), parse_destination("10.0.0.1:80")))
    check_asked(network, parse_destination("API.example.org.:443"))
    check_asked(Network(), parse_destination("other.example.org:25"))
    for other in ("api.example.org:80", "example.org:443", "api.example.org.evil.org:443", "10.0.0.2:80"):
        with pytest.raises(Refused, match=r"is not in this bot's network: api.example.org:443, 10.0.0.1:80"):
            check_asked(network, parse_destination(other))


def test_this_machine_knows_its_own_addresses() -> None:
    assert is_own(ip_address("127.0.0.1"))
    assert not is_own(ip_address("192.0.2.1"))
    for *_, address in socket.getaddrinfo(socket.gethostname(), None):
        assert is_own(parse_address(str(address[0])))


def test_a_tunnel_passes_nothing_on() -> None:
    request = parse_request(b"CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: secret\r\n\r\n")
    assert (request.destination, request.head) == (Destination("2001:db8::1", 443), b"")


@pytest.mark.parametrize(
    ("url", "host", "port", "path"),
    [
        ("http://Example.org", "example.org", 80, "/"),
        ("http://example.org:8080/v1/chat?a=b", "example.org", 8080, "/v1/chat?a=b"),
        ("http://example.org?a", "example.org", 80, "/?a"),
        ("http://[2001:db8::1]/x", "2001:db8::1", 80, "/x"),
    ],
)
def test_a_plain_request_goes_on_as_the_only_one_of_its_connection(url: str, host: str, port: int, path: str) -> None:
    head = f"POST {url} HTTP/1.1\r\nHost: example.org\r\nProxy-Connection: x\r\nConnection: keep-alive\r\nA: b\r\n\r\n"
    request = parse_request(head.encode())
    assert request.destination == Destination(host, port)
    assert request.head.decode() == f"POST {path} HTTP/1.1\r\nHost: example.org\r\nA: b\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize(
    "head",
    [
        b"\r\n\r\n",
        b"\x16\x03\x01\x02\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET https://a/ HTTP/1.1\r\n\r\n",
        b"GET http://user@a/ HTTP/1.1\r\n\r\n",
        b"GET http:///x HTTP/1.1\r\n\r\n",
        b"GET http://a/\nX HTTP/1.1\r\n\r\n",
        b"CONNECT a HTTP/1.1\r\n\r\n",
        b"CONNECT a:0000019999999 HTTP/1.1\r\n\r\n",
        b"GET http://a:000001" + b"9" * 5000 + b"/ HTTP/1.1\r\n\r\n",
        b"CONNECT a:1 HTTP/2\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\n folded\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
        b"CONNECT a:1,b:2 HTTP/1.1\r\n\r\n",
    ],
)
def test_anything_else_is_refused(head: bytes) -> None:
    with pytest.raises(BadRequest):
        parse_request(head)


DIGITS = b"0123456789" * 25 + b"012345"


@given(st.binary(max_size=200))
def test_whatever_comes_is_a_request_or_refused(noise: bytes) -> None:
    tunnel = b"CONNECT a:" + noise.translate(DIGITS) + b" HTTP/1.1\r\n\r\n"
    for head in (noise, b"CONNECT " + noise, tunnel, b"GET http://" + noise + b" HTTP/1.1\r\n\r\n"):
        with suppress(BadRequest):
            assert 0 < parse_request(head).destination.port <= HIGHEST_PORT
