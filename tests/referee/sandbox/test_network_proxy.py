"""The network of a bot: what it may reach, how its proxy reads requests, and what that carries, refuses and bears."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.model.network import HIGHEST_PORT, Destination, Network, parse_destination
from bourre_referee.sandbox.network_guard import (
    BadRequest,
    ProxyRefusal,
    check_asked,
    is_own,
    is_public,
    may_dial,
    parse_address,
    parse_request,
)
from bourre_referee.sandbox.network_proxy import NetworkProxy, ProxyLimits, serve_proxy

QUICK = ProxyLimits(seconds_per_chunk=0, seconds_per_connection=0)
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Way:
    """A proxy with a server of its own behind it, which repeats what it hears, and a resolver that says anything."""

    path: Path
    port: int
    answers: list[Sequence[str]] = field(default_factory=list)
    """What the resolver says, one answer for each question; then always loopback."""
    asked: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    async def resolve(self, asked: Destination) -> Sequence[str]:
        self.asked.append(asked.host)
        return self.answers.pop(0) if self.answers else ["127.0.0.1"]

    async def open(self, request: str) -> Streams:
        reader, writer = await asyncio.open_unix_connection(str(self.path))
        writer.write(request.encode())
        return reader, writer

    async def ask(self, request: str) -> str:
        """The whole answer to a request after which the bot sends nothing more."""
        reader, writer = await self.open(request)
        try:
            return (await reader.read()).decode()
        finally:
            writer.close()


def connect(place: str) -> str:
    return f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n"


async def repeat(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Repeats what it hears; once it hears no more, says so and hangs up."""
    while heard := await reader.read(65536):
        writer.write(heard)
        await writer.drain()
    writer.write(b" over")
    writer.close()


@asynccontextmanager
async def opened(folder: Path, *listed: str, limits: ProxyLimits = QUICK) -> AsyncIterator[Way]:
    """A proxy for these destinations, in which PORT is that of the server; none listed means any public one."""
    async with await asyncio.start_server(repeat, "127.0.0.1", 0) as server:
        way = Way(folder / "proxy", server.sockets[0].getsockname()[1])
        network = Network(tuple(parse_destination(each.replace("PORT", str(way.port))) for each in listed))
        with socket.socket(socket.AF_UNIX) as listening:
            listening.setblocking(False)
            listening.bind(str(way.path))
            listening.listen()
            proxy = NetworkProxy(network, way.notes.append, way.resolve, limits)
            serving = asyncio.create_task(proxy.serve(listening))
            yield way
            serving.cancel()
            await asyncio.wait([serving])
            assert serving.cancelled()


def tried(folder: Path, test: Callable[[Way], Awaitable[None]], *listed: str, limits: ProxyLimits = QUICK) -> Way:
    """Runs a test with a proxy of its own."""

    async def run() -> Way:
        async with asyncio.timeout(30), opened(folder, *listed, limits=limits) as way:
            await test(way)
            return way

    return asyncio.run(run())


def test_a_tunnel_carries_both_ways_and_half_closes(tmp_path: Path) -> None:
    async def test(way: Way) -> None:
        reader, writer = await way.open(connect(f"localhost:{way.port}") + "early ")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 200 Connection established\r\n\r\n"
        assert await reader.readexactly(6) == b"early "
        writer.write(b"x" * 300_000)
        writer.write_eof()
        assert await reader.read() == b"x" * 300_000 + b" over"
        writer.close()

    assert tried(tmp_path, test, "localhost:PORT").notes == []


def test_a_plain_request_is_passed_on_as_the_last_of_its_connection(tmp_path: Path) -> None:
    async def test(way: Way) -> None:
        reader, writer = await way.open(f"GET http://127.0.0.1:{way.port}/a HTTP/1.1\r\nA: b\r\n\r\nbody")
        writer.write_eof()
        heard = b"A: b\r\nConnection: close\r\n\r\nbody over"
        assert await reader.read() == b"GET /a HTTP/1.1\r\nConnection: close\r\n" + heard
        writer.close()

    tried(tmp_path, test, "127.0.0.1:PORT")


def test_what_is_not_listed_is_refused_unresolved_and_noted_once(tmp_path: Path) -> None:
    async def test(way: Way) -> None:
        for _ in range(3):
            answer = await way.ask(connect("other.example.org:443"))
            assert answer.startswith("HTTP/1.1 403 Forbidden\r\n")
            assert answer.endswith("bourre: other.example.org:443 is not in this bot's network: api.example.org:443\n")

    way = tried(tmp_path, test, "api.example.org:443")
    assert way.asked == []
    assert way.notes == ["network: other.example.org:443 is not in this bot's network: api.example.org:443"]


def test_no_more_is_noted_than_an_author_reads(tmp_path: Path) -> None:
    async def test(way: Way) -> None:
        for port in range(1, 23):
            assert "403 Forbidden" in await way.ask(connect(f"other:{port}"))

    assert len(tried(tmp_path, test, "api.example.org:443").notes) == 20


@pytest.mark.parametrize("listed", [(), ("api.example.org:PORT",)])
@pytest.mark.parametrize(
    "address", ["127.0.0.1", "::1", "10.0.0.1", "::ffff:127.0.0.1", "fe80::1%lo", "169.254.169.254"]
)
def test_a_name_that_leads_to_a_special_address_is_refused(
    tmp_path: Path, listed: tuple[str, ...], address: str
) -> None:
    async def test(way: Way) -> None:
        way.answers = [[address]]
        answer = await way.ask(connect(f"api.example.org:{way.port}"))
        assert "leads to an address that is not public" in answer

    tried(tmp_path, test, *listed)


def test_a_name_is_resolved_once_and_what_was_checked_is_dialled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialled: list[str] = []

    async def dial(host: str, port: int) -> Streams:
        dialled.append(host)
        raise OSError(111, "Connection refused")

    monkeypatch.setattr("bourre_referee.sandbox.network_proxy.asyncio.open_connection", dial)

    async def test(way: Way) -> None:
        way.answers = [["127.0.0.1", "8.8.8.8", "8.8.4.4"], ["127.0.0.1"]]
        answer = await way.ask(connect("rebinding.example.org:443"))
        assert answer.startswith("HTTP/1.1 502 Bad Gateway\r\n")
        assert answer.endswith("bourre: rebinding.example.org:443 cannot be reached: Connection refused\n")

    way = tried(tmp_path, test)
    assert (way.asked, dialled) == (["rebinding.example.org"], ["8.8.8.8", "8.8.4.4"])


@pytest.mark.parametrize(
    ("request_text", "said"),
    [
        ("\x16\x03 nonsense\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request"),
        ("CONNECT a:1 HTTP/1.1\r\nA: " + "b" * 20_000 + "\r\n\r\n", "more than 16384 bytes of headers"),
        ("C" * 40_000, "more than 16384 bytes of headers"),
    ],
)
def test_what_is_no_request_gets_an_answer(tmp_path: Path, request_text: str, said: str) -> None:
    async def test(way: Way) -> None:
        assert said in await way.ask(request_text)

    tried(tmp_path, test)


def test_who_does_not_say_where_to_or_falls_silent_is_hung_up_on(tmp_path: Path) -> None:
    async def test(way: Way) -> None:
        assert await way.ask("CONNECT localhost") == ""
        reader, writer = await way.open(connect(f"localhost:{way.port}"))
        assert (await reader.read()).endswith(b"established\r\n\r\n")
        writer.close()

    hasty = ProxyLimits(head_seconds=0.05, idle_seconds=0.05)
    tried(tmp_path, test, "localhost:PORT", limits=hasty)


def test_who_hangs_up_in_the_middle_harms_nobody(tmp_path: Path) -> None:
    async def test(way: Way) -> None:
        for request in ("", "CONN", connect("other:1"), connect(f"localhost:{way.port}") + "x" * 100_000):
            _, writer = await way.open(request)
            writer.transport.abort()
        reader, writer = await way.open(connect(f"localhost:{way.port}"))
        writer.write_eof()
        assert (await reader.read()).endswith(b" over")
        writer.close()

    tried(tmp_path, test, "localhost:PORT")


def test_a_flood_waits_for_its_turn(tmp_path: Path) -> None:
    async def test(way: Way) -> None:
        held = [await way.open(connect(f"localhost:{way.port}")) for _ in range(2)]
        for reader, _ in held:
            await reader.readuntil(b"\r\n\r\n")
        waiting = asyncio.create_task(way.ask(connect("other:1")))
        reader, writer = held[0]
        writer.write(b"still served")
        assert await reader.readexactly(12) == b"still served"
        assert not waiting.done()
        writer.close()
        assert "403 Forbidden" in await waiting
        held[1][1].close()

    tried(tmp_path, test, "localhost:PORT", limits=ProxyLimits(connections=2))


async def test_the_proxy_of_a_room_resolves_by_the_system_and_ends_with_it(tmp_path: Path) -> None:
    async with await asyncio.start_server(repeat, "127.0.0.1", 0) as server:
        place = f"localhost:{server.sockets[0].getsockname()[1]}"
        network = Network((parse_destination(place),))
        async with serve_proxy(network, tmp_path / "proxy", print):
            reader, writer = await Way(tmp_path / "proxy", 0).open(connect(place))
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        assert await reader.read() == b""
        writer.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_unix_connection(str(tmp_path / "proxy"))


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
        with pytest.raises(ProxyRefusal, match=r"is not in this bot's network: api.example.org:443, 10.0.0.1:80"):
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
