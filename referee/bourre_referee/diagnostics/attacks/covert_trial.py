"""Lets two bots in two sandboxes, and one bot in two successive sandboxes, try to talk by every covert channel."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import bourre_referee
from bourre_referee.diagnostics.attacks import covert_end, covert_files, covert_kernel, covert_talker
from bourre_referee.model.spec import BotEntry
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.launch import Credentials, Launcher

MESSAGE = "0110100110010110"
"""The message for each channel: half of its bits are ones, and it has no period."""
_START_SECONDS = 60.0
_ROOT = Path(bourre_referee.__file__).parents[1]
_FILES = tuple(
    str(Path(module.__file__).relative_to(_ROOT))
    for module in (covert_end, covert_files, covert_kernel, covert_talker)
    if module.__file__
)
_TALKER = BotEntry("talker", (sys.executable, "-m", covert_talker.__name__), _ROOT, _FILES)


@dataclass(frozen=True, slots=True)
class Heard:
    """The bits received by one channel."""

    way: str
    heard: tuple[str, ...]

    @property
    def is_deaf(self) -> bool:
        """Whether the receiver got the same whatever was sent, so that not one bit came through."""
        return len(set(self.heard)) == 1

    @property
    def right(self) -> int:
        """How many bits were received correctly. Half of them is chance."""
        return sum(bit == heard for bit, heard in zip(MESSAGE, self.heard, strict=True))


class Talker:
    """A program in its sandbox, which obeys requests."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, *words: object) -> str:
        """Sends a line, and returns the answer. Raises EOFError if the program ended."""
        self._writer.write(" ".join(map(str, words)).encode() + b"\n")
        answer = await self._reader.readline()
        if not answer:
            raise EOFError(f"the program that was asked to {words[0]} by {words[1]} ended")
        return answer.decode().strip()


@asynccontextmanager
async def talker(launcher: Launcher, place: Path) -> AsyncIterator[Talker]:
    """Starts a talker in a sandbox, with its socket and its log in this new folder, and ends it afterwards."""
    place.mkdir(mode=0o700)
    called: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Future()
    socket = place / "seat"
    async with await asyncio.start_unix_server(lambda *streams: called.set_result(streams), socket):
        process = await BotProcess.start(_TALKER, Credentials(socket, "talker"), place / "log", launcher)
        try:
            await asyncio.wait((called, process.ended), timeout=_START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not called.done():
                raise OSError(f"a talker did not start: {(place / 'log').read_text(errors='replace').strip()[-500:]}")
            reader, writer = called.result()
            yield Talker(reader, writer)
            writer.close()
        finally:
            await process.end(0.0)


def forget() -> None:
    """Removes from the host's cache the files by which a bot could see that it was here."""
    for path in covert_files.rare_files():
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


async def talk_across(launcher: Launcher, place: Path, ways: Sequence[str]) -> list[Heard]:
    """Lets one bot tell another, at the same time in another sandbox, one bit after the other."""
    forget()
    async with talker(launcher, place / "teller") as teller, talker(launcher, place / "hearer") as hearer:
        return [Heard(way, await _across(teller, hearer, way)) for way in ways]


async def _across(teller: Talker, hearer: Talker, way: str) -> tuple[str, ...]:
    heard = []
    for bit, value in enumerate(MESSAGE):
        await hearer.ask("watch", way, bit)
        await teller.ask("tell", way, bit, value)
        heard.append(await hearer.ask("hear", way, bit))
    return tuple(heard)


async def talk_later(launcher: Launcher, place: Path, ways: Sequence[str]) -> list[Heard]:
    """Lets one bot tell itself, as it will be in the next sandbox."""
    forget()
    async with talker(launcher, place / "before") as teller:
        for way in ways:
            for bit, value in enumerate(MESSAGE):
                await teller.ask("tell", way, bit, value)
    async with talker(launcher, place / "after") as hearer:
        return [Heard(way, tuple([await hearer.ask("hear", way, bit) for bit in range(len(MESSAGE))])) for way in ways]
