"""A bot's log. The referee always reads the output, so that it never blocks the bot, and stores it up to a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

LIMIT = 256 * 1024
"""The most bytes of stored output per bot and room."""

NOTE = "[bourre] "
"""The start of the referee's lines. A bot's first line never has it, so that it cannot imitate `put_first`."""
NEVER_STARTED = f"{NOTE}never started: "
"""The start of the first line in the log of a bot that never said hello. The reason follows."""

_CHUNK = 64 * 1024
_STARS = b"***"
_SHORTEST = 8
"""The shortest secret. Shorter values would match other text."""


class Log:
    """One bot's log in one room: the bot's output, and the referee's notes for its author.

    If it cannot be written, it stops, and `trouble` says why. The match continues, because no bot is at fault.
    """

    def __init__(self, path: Path, limit: int = LIMIT, secrets: Iterable[str] = ()) -> None:
        """Starts an empty log at this path. Stars replace secrets in the bot's output."""
        self.trouble: str | None = None
        """The system's reason why the log stopped."""
        self._file: FileIO | None = None
        self._limit = limit
        self._noted = 0
        kept = (secret.encode() for secret in secrets if len(secret) >= _SHORTEST)
        self._secrets = sorted(kept, key=len, reverse=True)  # the longest first, as they may contain each other
        with self._stop_on_error():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w+b", buffering=0)

    async def keep(self, output: asyncio.StreamReader, sign: bytes = b"") -> bool:
        """Logs at most `limit` bytes of this output, without the byte `sign`. Returns whether the sign came."""
        came, signed, held = 0, not sign, b""
        while chunk := await output.read(_CHUNK):
            if not signed and sign in chunk:
                chunk, signed = chunk.replace(sign, b"", 1), True
            chunk, held = self._split(held + chunk)
            if chunk.startswith(b"[") and not came:
                chunk = b" " + chunk
            self._write(chunk[: max(0, self._limit - came)])
            came += len(chunk)
        self._write(held[: max(0, self._limit - came)])
        came += len(held)
        if came > self._limit:
            self._write(f"\n[bourre kept the first {self._limit} of {came} bytes]\n".encode())
        return signed

    def _split(self, text: bytes) -> tuple[bytes, bytes]:
        """Replaces the secrets, and splits off the end if it may be the start of one."""
        text = self._without_secrets(text)
        longest = max((_overlap(text, secret) for secret in self._secrets), default=0)
        return text[: len(text) - longest], text[len(text) - longest :]

    def without_secrets(self, text: str) -> str:
        """Returns a text of the bot with stars instead of its secrets."""
        if not self._secrets:
            return text
        return self._without_secrets(text.encode(errors="replace")).decode(errors="replace")

    def _without_secrets(self, text: bytes) -> bytes:
        for secret in self._secrets:
            text = text.replace(secret, _STARS)
        return text

    def note(self, lines: Iterable[str]) -> None:
        """Writes at most `limit` bytes of the referee's lines, which may quote the bot."""
        text = self._without_secrets("".join(f"{NOTE}{line}\n" for line in lines).encode())
        self._noted += len(text)
        if self._noted <= self._limit:
            self._write(text)

    def text(self) -> str:
        """Returns the content of the log; empty if it stopped."""
        with self._stop_on_error():
            if self._file:
                self._file.seek(0)
                return self._file.readall().decode(errors="replace")
        return ""

    def put_first(self, reason: str) -> None:
        """Writes at the top why the bot never started. The reason may quote the bot."""
        text = self._without_secrets(f"{NEVER_STARTED}{reason}\n{self.text()}".encode())
        with self._stop_on_error():
            if self._file:
                self._file.seek(0)
        self._write(text)

    def close(self) -> None:
        """Closes the log."""
        with self._stop_on_error():
            self._stop()

    def _write(self, text: bytes) -> None:
        left = memoryview(text)
        with self._stop_on_error():
            while self._file and left:
                left = left[self._file.write(left) :]

    def _stop(self) -> None:
        file, self._file = self._file, None
        if file:
            file.close()

    @contextmanager
    def _stop_on_error(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.trouble = self.trouble or error.strerror or str(error)
            self._stop()


def _overlap(text: bytes, secret: bytes) -> int:
    """Returns the number of bytes at the end of the text that are the start of the secret, but not all of it."""
    most = min(len(text), len(secret) - 1)
    return next((length for length in range(most, 0, -1) if text.endswith(secret[:length])), 0)
