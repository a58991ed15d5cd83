"""The client of a server with OpenAI's interface. Its errors may quote the key, so their texts are never shown."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bourre.extras import install_command
from bourre_seats.models.chat import (
    CALL_HEADER,
    CAP_HEADER,
    AnswerFormat,
    Completion,
    Message,
    TooLong,
    TryAgain,
    Unavailable,
    leave_for_cap,
)
from bourre_seats.models.reply import read_reply
from bourre_seats.models.retry_after import pause_s
from bourre_seats.models.settings import ModelSettings, SettingsError

if TYPE_CHECKING:
    import openai

_HINTS = {
    400: "it refuses the request: it may not know a setting of --extra-body",
    401: "it does not accept the key: check the variable that --key-variable names",
    403: "the key may not use this model",
    404: "it does not know this model, or the address: check --model and --base-url",
}
MOST_BYTES = 4 * 2**20
"""The longest readable reply. An answer takes a thousandth of it, and long thoughts before it take a tenth."""
_BODY = "bourre.body"
"""The key for a reply's body."""
_TOO_LARGE = 413
_REFUSING = (400, _TOO_LARGE, 422)
"""The statuses that may be about the length of the prompt."""
SCHEMA_REFUSING = (400, 422, 501)
"""The statuses that may be about a JSON schema."""
_LENGTH = re.compile(
    rb"context.(length|window|size)|(prompt|input|request)[^.]{0,40} too (long|large)|too many tokens", re.IGNORECASE
)
_MOST_ERROR_BYTES = 64 * 1024
"""How much of an error's body is read."""
_PASSING = (408, 409, 429)
"""The statuses below 500 after which another call may succeed."""


def may_pass(status: int) -> bool:
    """Whether another call may succeed after this status."""
    return status >= 500 or status in _PASSING


class OpenAIChat:
    """Asks a server. A client belongs to the event loop of its first use."""

    def __init__(self, settings: ModelSettings) -> None:
        """Raises SettingsError if the extra `llm` is not installed."""
        try:
            import openai
        except ImportError as error:
            raise SettingsError(f"The client is not installed.\nhint: {install_command('llm')}") from error
        self._openai = openai
        self._settings = settings
        self._structured = settings.structured
        self._without_schema = ""
        """Why requests are tried without a JSON schema, until one succeeds."""
        self._client: tuple[asyncio.AbstractEventLoop, openai.AsyncOpenAI] | None = None

    async def complete(self, messages: Sequence[Message], form: AnswerFormat, seconds: float) -> Completion:
        """Returns the model's next message within `seconds`; raises TryAgain or Unavailable."""
        try:
            with self._explained(seconds):
                async with asyncio.timeout(seconds):
                    body, call = await self._call(messages, form)
                    said = read_reply(json.loads(body))
        except _Unstructured as refusal:
            self._structured, self._without_schema = False, str(refusal)
            raise TryAgain("the server takes no JSON schema") from None
        except Unavailable:
            if self._without_schema:  # the schema was not the reason
                self._structured, self._without_schema = True, ""
            raise
        if self._without_schema:
            print(f"{self._without_schema}.\nhint: pass --no-structured", file=sys.stderr, flush=True)
            self._without_schema = ""
        return replace(said, text=self._hide_key(said.text), call=call)

    async def close(self) -> None:
        """Closes the idle connections."""
        if self._client is not None:
            (_, client), self._client = self._client, None
            await client.close()

    async def _call(self, messages: Sequence[Message], form: AnswerFormat) -> tuple[bytes, str]:
        """Returns the raw body of the reply, because the client's parser has no bounds, and the call's number."""
        extra: dict[str, object] = dict(self._settings.extra_body)
        if self._structured:
            extra["response_format"] = form.as_sent
        written: Any = [{"role": message.role, "content": message.text} for message in messages]
        completions = self._connect().chat.completions.with_streaming_response
        async with completions.create(model=self._settings.model, messages=written, extra_body=extra) as reply:
            body: bytes = reply.http_response.extensions[_BODY]
            return body, reply.headers.get(CALL_HEADER, "")

    def _connect(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not loop:
            settings = self._settings
            client = self._openai.AsyncOpenAI(
                api_key=settings.key,
                base_url=settings.base_url,
                max_retries=0,
                timeout=settings.call_seconds,
                default_headers={"Accept-Encoding": "identity"},
                http_client=self._openai.DefaultAsyncHttpxClient(
                    follow_redirects=False, event_hooks={"response": [self._receive]}
                ),
            )
            self._client = loop, client
        return self._client[1]

    async def _receive(self, reply: Any) -> None:
        """Reads a reply within bounds, before the client does. Its class belongs to the client's HTTP library."""
        if cap := reply.headers.get(CAP_HEADER):
            leave_for_cap(cap)
        if reply.status_code >= 300:
            too_long = await _is_about_length(reply) if reply.status_code in _REFUSING else False
            raise self._status_error(reply.status_code, reply.headers.get("retry-after"), too_long=too_long)
        if reply.headers.get("content-encoding", "identity") != "identity":
            raise Unavailable("the server packs its replies, although it is asked not to")
        body = bytearray()
        async for part in reply.aiter_raw():
            body += part
            if len(body) > MOST_BYTES:
                raise TryAgain(f"the reply is longer than {MOST_BYTES // 2**20} MiB")
        reply.extensions[_BODY] = bytes(body)

    def _hide_key(self, text: str) -> str:
        key = self._settings.key
        return text.replace(key, "[key]") if len(key) > 8 else text

    @contextmanager
    def _explained(self, seconds: float) -> Iterator[None]:
        """Turns the client's errors into ours, without their texts."""
        try:
            yield
        except (self._openai.APITimeoutError, TimeoutError):
            raise TryAgain(f"no answer within {seconds:.3g} s") from None
        except (self._openai.APIConnectionError, OSError) as error:
            if isinstance(error.__cause__, TryAgain | Unavailable | _Unstructured):
                raise error.__cause__ from None
            raise TryAgain("the connection broke, or the server is not there") from None
        except (self._openai.OpenAIError, ValueError, RecursionError):
            raise TryAgain("the reply is not of this interface") from None

    def _status_error(self, status: int, retry_after: str | None, *, too_long: bool) -> Exception:
        if too_long:
            return TooLong(f"the server answered {status}: the prompt is too long: use a smaller --history")
        if status in SCHEMA_REFUSING and self._structured:
            return _Unstructured(f"The server answered {status} to a request with a JSON schema, and takes one without")
        if may_pass(status):
            return TryAgain(f"the server answered {status}", pause_s(retry_after, datetime.now(UTC)))
        if status < 400:
            return Unavailable(f"the server answered {status}: it is elsewhere: correct --base-url")
        return Unavailable(f"the server answered {status}: {_HINTS.get(status, 'it refuses the request')}")


class _Unstructured(Exception):
    """The server may refuse requests for JSON with a schema. The message has the status."""


async def _is_about_length(reply: Any) -> bool:
    """Whether the beginning of an error's body says that the prompt is too long."""
    body = bytearray()
    async for part in reply.aiter_raw():
        body += part
        if len(body) > _MOST_ERROR_BYTES:
            break
    return reply.status_code == _TOO_LARGE or _LENGTH.search(bytes(body[:_MOST_ERROR_BYTES])) is not None
