"""What a proxy reads of a request, and what it passes on."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.model.network import HIGHEST_PORT, Destination
from bourre_referee.sandbox.proxy_request import BadRequest, parse_request


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
