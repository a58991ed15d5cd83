"""Clients that hold on to a server's connections: each is let go, and pages are answered all the while."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from bourre_referee.web.browser_connection import Limits, origin_of
from tests.referee.web.serving import Served, serving

PATIENT = 3_600.0
HASTY = 0.05
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
HEAD = b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"
WITHOUT_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"


@contextmanager
def dialled(served: Served, *sent: bytes) -> Iterator[list[socket.socket]]:
    """Connections, on each of which this has been sent."""
    port = httpx.URL(served.url).port
    with ExitStack() as opened:
        lines = [opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)) for _ in sent]
        for line, text in zip(lines, sent, strict=True):
            line.sendall(text)
        yield lines


def rest(line: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    found = b""
    try:
        while part := line.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found


def ask_without_end(line: socket.socket) -> None:
    """Asks for more and more, and takes no answer."""
    while True:
        line.sendall(b"GET /static/htmx.min.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1_000)


@pytest.mark.parametrize("sent", [b"", b"G", HALF, HALF + b"X-Long: "], ids=["nothing", "a byte", "half", "more"])
def test_a_request_that_does_not_come_is_not_waited_for(finished: Path, sent: bytes) -> None:
    with serving(finished, limits=Limits(request_s=HASTY)) as it, dialled(it, sent) as (line,):
        assert rest(line) == b""
        assert it.client.get("/").status_code == 200


def test_a_request_that_comes_by_the_byte_is_not_waited_for_either(finished: Path) -> None:
    with serving(finished, limits=Limits(request_s=HASTY)) as it, dialled(it, HALF + b"X: ") as (line,):
        line.settimeout(0.01)
        ended = False
        while not ended:
            try:
                ended = line.recv(1) == b""
            except TimeoutError:
                line.sendall(b"x")
            except OSError:
                ended = True
        assert it.client.get("/").status_code == 200


def test_a_second_request_on_a_connection_has_to_come_whole_too(finished: Path) -> None:
    with serving(finished, limits=Limits(request_s=HASTY)) as it, dialled(it, HEAD) as (line,):
        assert line.recv(65536).startswith(b"HTTP/1.1 200 OK")
        line.sendall(HALF)
        assert b"HTTP/1.1 " not in rest(line)


def test_the_body_of_a_request_has_to_come_too(finished: Path) -> None:
    with serving(finished, limits=Limits(request_s=HASTY)) as it, dialled(it, WITHOUT_BODY) as (line,):
        assert rest(line).startswith(b"HTTP/1.1 405 ")


def test_whoever_listens_for_news_has_sent_its_request(finished: Path) -> None:
    limits = Limits(request_s=HASTY, take_s=HASTY)
    with serving(finished, limits=limits) as it, it.client.stream("GET", "/live") as live:
        parts = live.iter_text()
        assert "retry" in next(parts)
        with dialled(it, HALF) as (line,):
            assert rest(line) == b""
        assert it.made.news.feed.clients == 1


def test_an_answer_that_is_not_taken_is_not_kept(finished: Path) -> None:
    """More of it than the system holds back for both ends."""
    with serving(finished, limits=Limits(take_s=HASTY)) as it, dialled(it, b"") as (line,):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with pytest.raises(OSError, match=r"Connection reset|Broken pipe"):
            ask_without_end(line)
        assert it.client.get("/").status_code == 200


def test_an_address_takes_its_own_places_alone(finished: Path) -> None:
    limits = Limits(request_s=PATIENT, of_one_address=5)
    with serving(finished, limits=limits) as it, dialled(it, *[HALF] * 9) as lines:
        assert [rest(line) for line in lines[:4]] == [b""] * 4
        assert it.client.get("/").status_code == 200
        assert rest(lines[4]) == b""  # it made room for that one


def test_many_addresses_do_not_take_all_places(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = iter(range(1_000))
    monkeypatch.setattr("bourre_referee.web.browser_connection.origin_of", lambda address: str(next(addresses)))
    limits = Limits(request_s=PATIENT, connections=5)
    with serving(finished, limits=limits) as it, dialled(it, *[HALF] * 9) as lines:
        assert [rest(line) for line in lines[:4]] == [b""] * 4
        assert it.client.get("/").status_code == 200


def test_a_class_behind_one_address_is_answered(finished: Path) -> None:
    """Twenty browsers, each of which keeps a connection after its page, where one address has eight."""
    with serving(finished, limits=Limits(request_s=PATIENT, of_one_address=8)) as it, ExitStack() as opened:
        live = [opened.enter_context(it.client.stream("GET", "/live")) for _ in range(3)]
        for _ in range(20):
            browser = opened.enter_context(httpx.Client(base_url=it.url, trust_env=False, timeout=60))
            assert [browser.get(path).status_code for path in ("/", "/cross")] == [200, 200]
        assert it.made.news.feed.clients == len(live)


def test_an_address_that_is_busy_with_answers_is_told(finished: Path) -> None:
    with serving(finished, limits=Limits(of_one_address=2)) as it, ExitStack() as opened:
        live = [opened.enter_context(it.client.stream("GET", "/live")) for _ in range(2)]
        assert [stream.status_code for stream in live] == [200, 200]
        assert it.client.get("/").status_code == 503
        assert it.made.news.feed.clients == 2


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
def test_whoever_has_many_addresses_counts_once(address: str, origin: str) -> None:
    assert origin_of(address) == origin
