"""The key goes to the server and nowhere else, even if the server quotes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from bourre.models import ModelSettings, model_bot
from tests.sdk.models.asking import FREE_PLAY, Clock, answer_of

KEY = "sk-planted-0123456789abcdef"


class Quoting(BaseHTTPRequestHandler):
    """Quotes the key in the reply: in its header, in an error, and in the words of the model."""

    status = 200
    heard: list[str]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        quoted = self.headers["Authorization"]
        self.heard.append(quoted)
        said = json.dumps({"why": f"because of {quoted}", "card": "9C"})
        reply = {
            "choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}],
            "error": {"message": f"the key {quoted} is wrong", "code": quoted},
        }
        data = json.dumps(reply).encode()
        self.send_response(self.status, quoted)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Key", quoted)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def quoting(code: int) -> Iterator[tuple[str, list[str]]]:
    """The address of such a server, and the headers it has heard."""
    heard: list[str] = []
    handler = type("Handler", (Quoting,), {"status": code, "heard": heard})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", heard
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 429, 500])
def test_no_answer_no_error_and_no_log_has_the_key(status: int, capfd: pytest.CaptureFixture[str]) -> None:
    with quoting(status) as (address, heard):
        settings = ModelSettings("m", address, key=KEY)
        answer = answer_of(model_bot(settings, timer=Clock().timer), FREE_PLAY)
    assert set(heard) == {f"Bearer {KEY}"}
    logged = capfd.readouterr()
    for written in (repr(answer), logged.out, logged.err, repr(settings), str(settings)):
        assert KEY not in written
    if status == 200:
        assert answer.note == "because of Bearer [key]"
    else:
        assert f"the server answered {status}" in answer.error
        assert f"the server answered {status}" in logged.err


def test_a_refused_key_is_not_tried_again() -> None:
    with quoting(401) as (address, heard):
        answer = answer_of(model_bot(ModelSettings("m", address, key=KEY), timer=Clock().timer), FREE_PLAY)
    assert len(heard) == 1
    assert "check the variable that --key-variable names" in answer.error


def test_a_server_without_json_schemas_is_asked_without() -> None:
    with quoting(400) as (address, heard):
        answer_of(model_bot(ModelSettings("m", address, key=KEY), timer=Clock().timer), FREE_PLAY)
        assert len(heard) == 2
    with quoting(400) as (address, heard):
        settings = ModelSettings("m", address, key=KEY, structured=False)
        answer_of(model_bot(settings, timer=Clock().timer), FREE_PLAY)
        assert len(heard) == 1
