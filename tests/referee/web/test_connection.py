"""Clients that hold connections: each is dropped, and pages are answered all the while."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from bourre_referee.web.server import HttpLimits, client_network
from tests.referee.web.serving import Served, serving

PATIENT = 3_600.0
HASTY = 0.05
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
HEAD = b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"
WITHOUT_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"


@contextmanager
def connect(served: Served, *sent: bytes) -> Iterator[list[socket.socket]]:
    """Opens one connection for each of these texts, and sends it."""
    port = httpx.URL(served.url).port
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)) for _ in sent]
        for sock, text in zip(sockets, sent, strict=True):
            sock.sendall(text)
        yield sockets


def read_to_end(sock: socket.socket) -> bytes:
    """Returns everything received until the server ends the connection."""
    found = b""
    try:
        while part := sock.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found


def request_endlessly(sock: socket.socket) -> None:
    """Sends requests endlessly, and reads no answer."""
    while True:
        sock.sendall(b"GET /static/htmx.min.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1_000)


@pytest.mark.parametrize("sent", [b"", b"G", HALF, HALF + b"X-Long: "], ids=["nothing", "a byte", "half", "more"])
def test_an_incomplete_request_times_out(finished: Path, sent: bytes) -> None:
    with serving(finished, limits=HttpLimits(request_s=HASTY)) as it, connect(it, sent) as (sock,):
        assert read_to_end(sock) == b""
        assert it.client.get("/").status_code == 200


def test_a_request_sent_byte_by_byte_times_out_too(finished: Path) -> None:
    with serving(finished, limits=HttpLimits(request_s=HASTY)) as it, connect(it, HALF + b"X: ") as (sock,):
        sock.settimeout(0.01)
        ended = False
        while not ended:
            try:
                ended = sock.recv(1) == b""
            except TimeoutError:
                sock.sendall(b"x")
            except OSError:
                ended = True
        assert it.client.get("/").status_code == 200


def test_a_second_request_on_a_connection_times_out_too(finished: Path) -> None:
    with serving(finished, limits=HttpLimits(request_s=HASTY)) as it, connect(it, HEAD) as (sock,):
        assert sock.recv(65536).startswith(b"HTTP/1.1 200 OK")
        sock.sendall(HALF)
        assert b"HTTP/1.1 " not in read_to_end(sock)


def test_a_request_without_its_body_times_out(finished: Path) -> None:
    with serving(finished, limits=HttpLimits(request_s=HASTY)) as it, connect(it, WITHOUT_BODY) as (sock,):
        assert read_to_end(sock).startswith(b"HTTP/1.1 405 ")


def test_a_client_of_live_is_not_timed_out(finished: Path) -> None:
    limits = HttpLimits(request_s=HASTY, stall_s=HASTY)
    with serving(finished, limits=limits) as it, it.client.stream("GET", "/live") as live:
        parts = live.iter_text()
        assert "retry" in next(parts)
        with connect(it, HALF) as (sock,):
            assert read_to_end(sock) == b""
        assert it.application.live.feed.clients == 1


def test_a_client_that_stops_reading_is_dropped(finished: Path) -> None:
    """Sends more than the buffers of both ends hold."""
    with serving(finished, limits=HttpLimits(stall_s=HASTY)) as it, connect(it, b"") as (sock,):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with pytest.raises(OSError, match=r"Connection reset|Broken pipe"):
            request_endlessly(sock)
        assert it.client.get("/").status_code == 200


def test_an_address_cannot_take_the_places_of_others(finished: Path) -> None:
    limits = HttpLimits(request_s=PATIENT, per_address=5)
    with serving(finished, limits=limits) as it, connect(it, *[HALF] * 9) as sockets:
        assert [read_to_end(sock) for sock in sockets[:4]] == [b""] * 4
        assert it.client.get("/").status_code == 200
        assert read_to_end(sockets[4]) == b""  # closed to make room for that request


def test_many_addresses_do_not_take_all_places(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = iter(range(1_000))
    monkeypatch.setattr("bourre_referee.web.server.client_network", lambda address: str(next(addresses)))
    limits = HttpLimits(request_s=PATIENT, connections=5)
    with serving(finished, limits=limits) as it, connect(it, *[HALF] * 9) as sockets:
        assert [read_to_end(sock) for sock in sockets[:4]] == [b""] * 4
        assert it.client.get("/").status_code == 200


def test_a_class_behind_one_address_is_answered(finished: Path) -> None:
    """Twenty browsers each keep a connection open after loading a page, though an address may have only eight."""
    with serving(finished, limits=HttpLimits(request_s=PATIENT, per_address=8)) as it, ExitStack() as stack:
        live = [stack.enter_context(it.client.stream("GET", "/live")) for _ in range(3)]
        for _ in range(20):
            browser = stack.enter_context(httpx.Client(base_url=it.url, trust_env=False, timeout=60))
            assert [browser.get(path).status_code for path in ("/", "/cross")] == [200, 200]
        assert it.application.live.feed.clients == len(live)


def test_an_address_whose_connections_are_all_busy_gets_503(finished: Path) -> None:
    with serving(finished, limits=HttpLimits(per_address=2)) as it, ExitStack() as stack:
        live = [stack.enter_context(it.client.stream("GET", "/live")) for _ in range(2)]
        assert [stream.status_code for stream in live] == [200, 200]
        assert it.client.get("/").status_code == 503
        assert it.application.live.feed.clients == 2


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_many_addresses_of_one_network_count_once(address: str, origin: str) -> None:
    assert client_network(address) == origin
