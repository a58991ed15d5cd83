"""Calls a model's server within bounds, and reads what it says about itself. A key never comes back from here."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from bourre_referee.model.language_model import LanguageModel
from bourre_referee.model.model_call import ModelReply, Spent

LONGEST_CALL_S = 130.0
"""The longest call, a little longer than a bot waits for one."""
MOST_BYTES = 4 * 2**20
"""The longest reply."""
NO_REPLY, NO_REPLY_IN_TIME = 502, 504
_CHUNK = 64 * 1024
_SHORTEST_KEY = 9
"""A shorter key is not hidden, because it may be an ordinary word."""
_MOST_TOKENS = 10**9
"""The largest plausible number of tokens of one call."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A bot that may call, and its model."""

    bot: str
    model: LanguageModel
    key: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The end of a call."""

    reply: ModelReply
    retry_after: str | None
    spent: Spent | None
    """What the call used; None if that is unknown, so that its bound counts."""


def call(model: LanguageModel, key: str, body: bytes, longest_s: float = LONGEST_CALL_S) -> Answered:
    """Sends this request to the model's server, for at most this time."""
    headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = Request(f"{model.base_url.rstrip('/')}/chat/completions", data=body, headers=headers, method="POST")
    try:
        status, data, retry_after = _send(request, longest_s)
    except TimeoutError:
        return Answered(_failure(NO_REPLY_IN_TIME, "the model's server did not answer in time"), None, None)
    except (OSError, HTTPException, ValueError):  # their texts may quote the key
        return Answered(_failure(NO_REPLY, "the model's server did not answer, or its reply broke off"), None, None)
    text = data.decode("utf-8", "replace")
    return _answered(model, status, hide_key(text, key), retry_after)


def hide_key(text: str, key: str) -> str:
    """Returns a text without the key."""
    return text.replace(key, "[key]") if len(key) >= _SHORTEST_KEY else text


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirect, which would send the key elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        """Returns nothing, so that the redirect itself is the reply."""


def _send(request: Request, longest_s: float) -> tuple[int, bytes, str | None]:
    until = time.monotonic() + longest_s
    local = ProxyHandler({}) if request.host.startswith(("127.", "localhost", "[::1]")) else ProxyHandler()
    try:
        reply: HTTPResponse | HTTPError = build_opener(_NoRedirect, local).open(request, timeout=longest_s)
    except HTTPError as error:
        reply = error
    except URLError as error:
        raise error.reason if isinstance(error.reason, OSError) else OSError from None
    with reply:
        return reply.status or NO_REPLY, _read(reply, until), reply.headers.get("Retry-After")


def _read(reply: HTTPResponse | HTTPError, until: float) -> bytes:
    data = bytearray()
    while part := reply.read1(_CHUNK):
        data += part
        if len(data) > MOST_BYTES:
            raise ValueError("the reply is too long")
        if time.monotonic() > until:
            raise TimeoutError
    length = reply.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) != len(data):
        raise HTTPException("the reply broke off")
    return bytes(data)


def _failure(status: int, text: str) -> ModelReply:
    return ModelReply(status, json.dumps({"error": {"message": f"bourre: {text}"}}))


def _answered(model: LanguageModel, status: int, text: str, retry_after: str | None) -> Answered:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    found: Mapping[str, object] = said if isinstance(said, dict) else {}
    reply = ModelReply(status, text, _word(found.get("model")), _word(found.get("system_fingerprint")))
    if status >= 400:
        return Answered(reply, retry_after, Spent(1))
    usage = found.get("usage")
    counted = usage if isinstance(usage, dict) else {}
    used_in, used_out = _count(counted.get("prompt_tokens")), _count(counted.get("completion_tokens"))
    if used_in is None or used_out is None:
        return Answered(reply, retry_after, None)
    return Answered(reply, retry_after, Spent(1, used_in, used_out, model.cost_millionths(used_in, used_out)))


def _word(value: object) -> str:
    """Reads a word of the server's. A character that UTF-8 lacks becomes "?"."""
    return value[:200].encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _count(number: object) -> int | None:
    return min(max(0, number), _MOST_TOKENS) if isinstance(number, int) else None
