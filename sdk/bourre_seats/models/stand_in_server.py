"""A local server with OpenAI's chat interface and an example bot behind it, for tests and first steps."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock

from bourre.connection.local_server import LocalRequest, LocalServer
from bourre.rules.errors import BourreError
from bourre.rules.view import View
from bourre_seats.models.stand_in_player import (
    Spoken,
    StandInPlayer,
    StandInTrouble,
    can_spoil,
    question_in,
    spoil,
    view_in,
)
from bourre_seats.models.stand_in_style import StandInStyle, message_in
from bourre_seats.models.trial import TRIAL

_PATH = "/v1/chat/completions"
MOST_BYTES = 16 * 2**20
"""The longest readable request."""
_CHARACTERS_PER_TOKEN = 4
"""A rough average of English, for the usage."""


@dataclass(frozen=True, slots=True)
class StandInOptions:
    """The kind and the frequency of trouble."""

    trouble: StandInTrouble | None = None
    every: int = 1
    """The server spoils one of this many answers."""
    slow_seconds: float = 5.0
    style: StandInStyle = StandInStyle.BARE
    """The form of every answer."""


class StandInServer(LocalServer):
    """Listens on loopback; `serve_forever` serves until `shutdown`."""

    def __init__(
        self,
        player: StandInPlayer,
        options: StandInOptions | None = None,
        port: int = 0,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Port 0 uses a free one; raises OSError if the port is taken."""
        super().__init__(("127.0.0.1", port), _ModelRequest)
        self.player = player
        self.options = options or StandInOptions()
        self.sleep = sleep
        self._counting = Lock()
        self._due = 0
        """The number of answers that are still to be spoiled."""
        self.answers = 0
        """The number of answered or spoiled requests."""

    @property
    def base_url(self) -> str:
        """The address for `--base-url`."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def next_trouble(self, answer: Mapping[str, object], seen: View) -> StandInTrouble | None:
        """Counts an answer; returns its trouble."""
        trouble = self.options.trouble
        with self._counting:
            self.answers += 1
            self._due += self.answers % self.options.every == 0
            if trouble is None or not self._due or not can_spoil(trouble, answer, seen):
                return None
            self._due -= 1
            return trouble


class _ModelRequest(LocalRequest):
    """Answers the requests of one connection."""

    server: StandInServer

    def do_POST(self) -> None:
        """Completes a chat."""
        asked = self.read_body(MOST_BYTES)
        if asked is None:
            self._send(413, {"error": {"message": f"a request has at most {MOST_BYTES} bytes, and says how many"}})
        elif self.path != _PATH:
            self._send(404, {"error": {"message": f"there is only {_PATH}"}})
        else:
            self._answer(asked)

    def _answer(self, asked: bytes) -> None:
        try:
            self._complete(asked)
        except (BourreError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            self._send(400, {"error": {"message": f"{type(error).__name__}: {error}"}})

    def _complete(self, asked: bytes) -> None:
        body = json.loads(asked)
        if body["messages"] == [{"role": TRIAL.role, "content": TRIAL.text}]:
            self._send(
                200, _reply(str(body.get("model", "")), Spoken('{"ready": true}'), StandInStyle.BARE, len(asked))
            )
            return
        seen = view_in(body["messages"])
        answer = self.server.player.answer(question_in(body, seen), seen)
        trouble = self.server.next_trouble(answer, seen)
        if trouble is StandInTrouble.TOO_MANY:
            self._send(429, {"error": {"message": "too many requests"}}, {"Retry-After": "1"})
        elif trouble is StandInTrouble.SERVER_ERROR:
            self._send(500, {"error": {"message": "something broke"}})
        else:
            if trouble is StandInTrouble.SLOW:
                self.server.sleep(self.server.options.slow_seconds)
            reply = _reply(
                str(body.get("model", "")), spoil(trouble, answer, seen), self.server.options.style, len(asked)
            )
            self._send(200, reply, whole=trouble is not StandInTrouble.CUT_OFF)

    def _send(self, status: int, reply: object, headers: dict[str, str] | None = None, *, whole: bool = True) -> None:
        data = json.dumps(reply).encode()
        self.send_response(status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(data)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data if whole else data[: len(data) // 2])
        self.close_connection = self.close_connection or not whole


def _reply(model: str, said: Spoken, style: StandInStyle, asked_bytes: int) -> dict[str, object]:
    tokens_in, tokens_out = asked_bytes // _CHARACTERS_PER_TOKEN, len(said.text) // _CHARACTERS_PER_TOKEN
    message = {**message_in(style, said.text), "refusal": said.refusal}
    return {
        "id": "stand-in",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        },
    }
