"""The client of a server with the interface of OpenAI. Its errors may quote the key, so nobody reads a word of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bourre.models.chat import AnswerFormat, Completion, Message, TryAgain, Unavailable
from bourre.models.settings import ModelSettings, SettingsError

if TYPE_CHECKING:
    import openai

_HINTS = {
    400: "it refuses the request: the prompt may be too long, or a setting of --extra-body unknown to it",
    401: "it does not accept the key: check the variable that --key-variable names",
    403: "the key may not use this model",
    404: "it does not know this model, or the address: check --model and --base-url",
}
_PASSING = (408, 409, 429)
"""The statuses below 500 after which another call may succeed."""
_FLAWS = {
    "length": "the answer is cut off at the most tokens that the server allows",
    "content_filter": "the server filtered the answer",
}


class OpenAIChat:
    """Asks a server; a client belongs to the event loop that it was first used in."""

    def __init__(self, settings: ModelSettings) -> None:
        """Raises SettingsError if the extra `llm` is not installed."""
        try:
            import openai
        except ImportError as error:
            raise SettingsError("the client is not installed: python -m pip install 'bourre[llm]'") from error
        self._openai = openai
        self._settings = settings
        self._structured = settings.structured
        self._client: tuple[asyncio.AbstractEventLoop, openai.AsyncOpenAI] | None = None

    async def complete(self, messages: Sequence[Message], form: AnswerFormat, seconds: float) -> Completion:
        """Returns the model's next message within so many seconds; raises TryAgain or Unavailable."""
        try:
            with self._explained(seconds):
                async with asyncio.timeout(seconds):
                    return self._read(await self._call(messages, form))
        except _Unstructured:
            self._structured = False
            raise TryAgain("the server takes no JSON schema") from None

    async def close(self) -> None:
        """Closes the connections that were kept for further calls."""
        if self._client is not None:
            (_, client), self._client = self._client, None
            await client.close()

    async def _call(self, messages: Sequence[Message], form: AnswerFormat) -> object:
        extra: dict[str, object] = dict(self._settings.extra_body)
        if self._structured:
            schema = {"name": form.name, "schema": form.schema, "strict": True}
            extra["response_format"] = {"type": "json_schema", "json_schema": schema}
        written: Any = [{"role": message.role, "content": message.text} for message in messages]
        completions = self._connect().chat.completions
        return await completions.create(model=self._settings.model, messages=written, extra_body=extra)

    def _connect(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not loop:
            settings = self._settings
            client = self._openai.AsyncOpenAI(
                api_key=settings.key, base_url=settings.base_url, max_retries=0, timeout=settings.call_seconds
            )
            self._client = loop, client
        return self._client[1]

    def _read(self, reply: object) -> Completion:
        """Reads a reply, which the client does not check: a server may send anything."""
        choices = getattr(reply, "choices", None)
        if not choices or getattr(choices[0], "message", None) is None:
            raise TryAgain("the reply holds no message")
        said, usage = choices[0].message, getattr(reply, "usage", None)
        refusal = getattr(said, "refusal", None)
        return Completion(
            text=self._hide_key(str(said.content or "")),
            tokens_in=_count(getattr(usage, "prompt_tokens", 0)),
            tokens_out=_count(getattr(usage, "completion_tokens", 0)),
            flaw="the model refused" if refusal else _FLAWS.get(str(choices[0].finish_reason), ""),
        )

    def _hide_key(self, text: str) -> str:
        key = self._settings.key
        return text.replace(key, "[key]") if len(key) > 8 else text

    @contextmanager
    def _explained(self, seconds: float) -> Iterator[None]:
        """Turns the client's errors into our own, without a word of theirs."""
        try:
            yield
        except (self._openai.APITimeoutError, TimeoutError):
            raise TryAgain(f"no answer within {seconds:.3g} s") from None
        except self._openai.APIStatusError as error:
            raise self._status_error(error) from None
        except (self._openai.APIConnectionError, OSError):
            raise TryAgain("the connection broke, or the server is not there") from None
        except (self._openai.OpenAIError, ValueError):
            raise TryAgain("the reply is not of this interface") from None

    def _status_error(self, error: openai.APIStatusError) -> Exception:
        status = error.status_code
        if status >= 500 or status in _PASSING:
            return TryAgain(f"the server answered {status}", _seconds(error.response.headers.get("retry-after")))
        if status == 400 and self._structured:
            return _Unstructured()
        return Unavailable(f"the server answered {status}: {_HINTS.get(status, 'it refuses the request')}")


class _Unstructured(Exception):
    """The server refuses a request that asks for JSON of a schema."""


def _count(number: object) -> int:
    return max(0, number) if isinstance(number, int) else 0


def _seconds(text: str | None) -> float:
    """Reads the header `Retry-After`; a date, or none, asks for no particular pause."""
    try:
        return max(0.0, float(text or 0))
    except ValueError:
        return 0.0
