"""Malformed requests to the small servers on this machine: a status for each, and never a traceback."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bourre_seats.seat import page_server
from bourre_seats.seat.page_server import PageServer
from bourre_seats.seat.sitting import Sitting
from tests.sdk.models.asking import stand_in

KEY = "key"
Serving = Callable[[], AbstractContextManager[int]]


def ask(port: int, request: bytes) -> list[bytes]:
    """The statuses that the server answers to these bytes, the last that it gets; none if it just hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        try:
            connection.sendall(request.replace(b"HOST", b"127.0.0.1:%d" % port))
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        except ConnectionError:  # it hung up before it had read everything
            return []
    return [line[9:12] for line in answer.split(b"\r\n") if line.startswith(b"HTTP/1.")]


@contextmanager
def seat() -> Iterator[int]:
    """The port of a person's seat."""
    ready, over, ports = Event(), Event(), list[int]()

    async def serve() -> None:
        with PageServer(Sitting(["ada", "tight"]), KEY).serve(0) as address:
            ports.append(urlsplit(address).port or 0)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        ready.wait()
        yield ports[0]
    finally:
        over.set()
        thread.join()


@contextmanager
def model() -> Iterator[int]:
    """The port of a stand-in of a model's server."""
    with stand_in() as server:
        yield server.server_address[1]


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_server, "POLL_SECONDS", 0.0)


def post(path: str, body: bytes = b"", length: str | None = None) -> bytes:
    """A request with a body, of this length as it says."""
    said = str(len(body)) if length is None else length
    return f"POST {path} HTTP/1.1\r\nHost: HOST\r\nContent-Length: {said}\r\n\r\n".encode("latin-1") + body


ANSWER = '{"question": 1, "answer": "KH"}'
LENGTHS = ("", "-1", "+1", "1_0", "0x10", "\xb2", "9" * 20, "9" * 5000, "1, 1", "5000000000")
BODIES = (
    b"[" * 4000,
    b'{"a":' * 800,
    b"\xff\xfe\xff",
    b"null",
    b"1" * 4000,
    b'{"question": 1e999, "answer": "KH"}',
    b'{"question": NaN, "answer": "KH"}',
    b'{"question": "1", "answer": null}',
    b'{"question": 1, "answer": ["KH"]}',
)
HEADS = (
    b"GET http://[ HTTP/1.0\r\n\r\n",
    b"GET http://\xe2\x84\x80/ HTTP/1.1\r\n\r\n",
    b"GET //[/key/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /key/../ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /%00%ff/ HTTP/1.1\r\nHost: \0\r\n\r\n",
    b"GET /key/news?version=" + b"9" * 5000 + b" HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /key/hint?question=\xb2 HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
    b"GET /key/ HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n",
    b"GET /key/ HTTP/9.9\r\n\r\n",
    b"PUT /key/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GARBAGE\r\n\r\n",
    b"\xff\xfe\r\n\r\n",
    b"POST /key/answer HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
)
PATHS: Mapping[Serving, str] = {seat: "/key/answer", model: "/v1/chat/completions"}


@pytest.mark.parametrize("serving", [seat, model])
def test_a_malformed_request_gets_a_status_that_says_so(serving: Serving, capfd: pytest.CaptureFixture[str]) -> None:
    path = PATHS[serving]
    with serving() as port:
        for request in (
            *HEADS,
            *(post(path, b"", length) for length in LENGTHS),
            *(post(path, body) for body in BODIES),
        ):
            statuses = ask(port, request)
            assert statuses, request[:80]
            assert statuses[0][:1] in b"45", (request[:80], statuses)
    assert capfd.readouterr().err == ""


PIECES = (
    *(b"GET ", b"POST ", b"/key/", b"answer", b"back", b"news?version=", b"hint?question=", b"/v1/chat/completions"),
    *(b" HTTP/1.1\r\n", b"\r\n", b"\r\n\r\n", b"Host: HOST\r\n", b"Content-Length: 31\r\n\r\n", ANSWER.encode()),
    *(b"%00", b"?", b"&", b"=", b"[", b"://", b"-1", b"{", b'"messages":', b"\0", b"\xff"),
)


@pytest.mark.parametrize("serving", [seat, model])
def test_no_bytes_are_a_mistake_of_ours(serving: Serving, capfd: pytest.CaptureFixture[str]) -> None:
    with serving() as port:

        @given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=14).map(b"".join))
        @example(post("/key/answer", ANSWER.encode()))
        def send(request: bytes) -> None:
            ask(port, request)

        send()
    assert capfd.readouterr().err == ""
