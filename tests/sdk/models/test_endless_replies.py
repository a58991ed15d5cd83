"""A server that sends too much, packs it, or sends it too slowly: the bot says so, within its clock."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from bourre.messages import Answer
from bourre.models import ModelSettings, model_bot
from bourre.rules.actions import Fault, Missing, Play
from bourre.rules.cards import Card
from tests.sdk.models.asking import FREE_PLAY, Clock, answer_of

Reply = Callable[["Handler"], None]
PACKED = gzip.compress(bytes(2**26), 1)
"""64 MiB in 300 kB."""


class Handler(BaseHTTPRequestHandler):
    """Answers as its test says, until the client has enough."""

    reply: Reply
    over: Event

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        with suppress(ConnectionError):
            type(self).reply(self)
        self.close_connection = True

    def begin(self, status: int, **headers: str) -> None:
        """Sends the head of an answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def replying(reply: Reply) -> Iterator[str]:
    """The address of a server that replies like this."""
    over = Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Handler,), {"reply": reply, "over": over}))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def answer_to(reply: Reply, call_seconds: float = 30.0) -> Answer:
    """What the bot answers at a server that replies like this."""
    with replying(reply) as address:
        return answer_of(
            model_bot(ModelSettings("m", address, call_seconds=call_seconds), timer=Clock().timer), FREE_PLAY
        )


def packed(to: Handler) -> None:
    to.begin(200, Content_Encoding="gzip", Content_Length=f"{len(PACKED)}")
    to.wfile.write(PACKED)


def endless(status: int) -> Reply:
    """A reply of this status whose body does not end."""

    def reply(to: Handler) -> None:
        to.begin(status, Location="/v1/chat/completions")
        while not to.over.is_set():
            to.wfile.write(b" " * 65536)

    return reply


def endless_head(to: Handler) -> None:
    to.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not to.over.is_set():
        to.wfile.write(b"X-More: more\r\n" * 1000)


def dripping(to: Handler) -> None:
    to.begin(200)
    while not to.over.wait(0.01):
        to.wfile.write(b" ")


def saying(text: str) -> Reply:
    """A whole reply."""

    def reply(to: Handler) -> None:
        to.begin(200, Content_Type="application/json")
        to.wfile.write(text.encode())

    return reply


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (packed, "packs its replies"),
        (endless(200), "longer than 4 MiB"),
        (endless(307), "the server answered 307"),
        (endless(404), "the server answered 404"),
        (endless(500), "the server answered 500"),
        (endless_head, "the connection broke"),
        (saying("[" * 100_000), "not of this interface"),
        (saying('{"choices": 1' + "0" * 5000 + "}"), "not of this interface"),
        (saying('{"choices": [' + "{}," * 10**5 + "{}]}"), "holds no message"),
    ],
    ids=["packed", "endless", "redirect", "refusal", "failure", "head", "deep", "a long number", "many choices"],
)
def test_a_reply_is_read_within_bounds(reply: Reply, why: str) -> None:
    answer = answer_to(reply)
    assert answer.action == Missing(Fault.ERROR)
    assert why in answer.error


def test_the_clock_is_kept_while_a_reply_drips() -> None:
    assert "no answer within 0.2 s" in answer_to(dripping, call_seconds=0.2).error


def test_what_a_server_says_that_it_used_is_believed_within_bounds() -> None:
    message = {"content": '{"card": "9C"}', "more": ["x"] * 1000}
    usage = {"prompt_tokens": 10**400, "completion_tokens": -1}
    answer = answer_to(saying(json.dumps({"choices": [{"message": message}], "usage": usage})))
    assert answer.action == Play(Card("9C"))
    assert answer.usage
    assert (answer.usage.tokens_in, answer.usage.tokens_out) == (10**9, 0)
