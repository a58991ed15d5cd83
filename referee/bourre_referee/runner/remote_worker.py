"""The door process: holds the lines to all remote bots, and plays the rooms that the parent hands it, at once."""

from __future__ import annotations

import asyncio
import errno
import resource
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from bourre_referee.contest.listen import tls_problems
from bourre_referee.model.errors import ContestError
from bourre_referee.model.listener_spec import DoorSpec, Pems, TlsFiles
from bourre_referee.model.spec import PlacedRoom
from bourre_referee.runner.worker_main import Failed, Parent, Played, play_or_fail
from bourre_referee.storage.files.file_stamp import Stamp, stamp_of
from bourre_referee.storage.run.tokens import TokenFile


class CertificateFiles:
    """Knows what a door shows: the files as last read, because files that cannot be used change nothing."""

    def __init__(self, files: TlsFiles) -> None:
        """Raises ContestError if the files cannot be used."""
        self._files = files
        self._seen = self._used = self._stamps()
        self.shown = self._read()

    def look(self) -> str:
        """Reads the files again if they changed; returns what to tell the organiser, if anything.

        A certificate and its key are written one after the other, so it waits until two looks have seen the same.
        Raises ContestError, once for each change, if the new files cannot be used.
        """
        before, self._seen = self._seen, self._stamps()
        if self._seen == self._used or self._seen != before:
            return ""
        self._used = self._seen
        try:
            now = self._read()
        except ContestError as error:
            raise ContestError(f"{error}; until then the door shows the certificate from before") from error
        if now == self.shown:
            return ""
        self.shown = now
        return f"{self._files.cert} has changed: the door shows the new certificate to whoever connects"

    def _read(self) -> Pems:
        paths = self._files.by_name
        for name, why in tls_problems(self._files):
            raise ContestError(f"{paths[name]}: {why}")
        try:
            return Pems(*(path.read_bytes() for path in paths.values()))
        except OSError as error:  # it was taken away just now
            raise ContestError(f"{error.filename}: {error.strerror}: restore it") from error

    def _stamps(self) -> list[Stamp | None]:
        return [stamp_of(path) for path in self._files.by_name.values()]


_LOOK_SECONDS = 1.0
"""How often the door looks whether tokens or certificates changed, and whether an address that was taken is free."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The first answer of a door that listens."""

    port: int


@dataclass(frozen=True, slots=True)
class BotChanged:
    """A remote bot came, or left."""

    bot: str
    here: bool


@dataclass(frozen=True, slots=True)
class RoomCall:
    """The parent's order to play a room; its number is its own, as two epochs of a ladder have rooms of one name."""

    number: int
    room: PlacedRoom


@dataclass(frozen=True, slots=True)
class RemoteRoomAnswer:
    """The answer for the room of this number."""

    number: int
    answer: Played | Failed


@dataclass(frozen=True, slots=True)
class RemoteTrouble:
    """Something that the organiser should know, but that stops no room."""

    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """The parent's order to tell a bot something, for its log."""

    bot: str
    text: str


@dataclass(frozen=True, slots=True)
class Close:
    """The parent's order to say goodbye to all bots and to end."""

    reason: str


def keep_door(pipe: Connection[Any, Any], spec: DoorSpec) -> None:
    """Keeps a door until the parent says `Close`, or is gone.

    Answers `Failed` if the address cannot be had or the certificates cannot be used.
    """
    _raise_limit_of_open_files()
    try:
        certificates = CertificateFiles(spec.listen.tls) if spec.listen.tls else None
    except ContestError as error:
        pipe.send(Failed(str(error)))
        return
    with suppress(asyncio.CancelledError), ThreadPoolExecutor(1) as outbox:
        asyncio.run(_DoorWorker(pipe, spec, outbox, certificates).run())


def _raise_limit_of_open_files() -> None:
    """Each bot takes three: its connection, and both ends of the socket from the gate to gRPC."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@asynccontextmanager
async def open_patiently(
    open_door: Callable[[], AbstractAsyncContextManager[int]], seconds: float
) -> AsyncIterator[int]:
    """Opens a door inside the block and yields its port; waits this long for an address that is taken."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    async with AsyncExitStack() as stack:
        while True:
            try:
                port = await stack.enter_async_context(open_door())
                break
            except OSError as error:
                if error.errno != errno.EADDRINUSE or loop.time() >= until:
                    raise
            await asyncio.sleep(_LOOK_SECONDS)
        yield port


class _DoorWorker:
    def __init__(
        self, pipe: Connection[Any, Any], spec: DoorSpec, outbox: Executor, certificates: CertificateFiles | None
    ) -> None:
        from bourre_referee.server.remote_listener import Door  # loads gRPC, which the parent does without

        self._parent = Parent(pipe, self._take, outbox)
        self._tokens = TokenFile(spec.tokens)
        self._patience_s = spec.patience_s
        self._certificates = certificates
        read_pems = (lambda: certificates.shown) if certificates else None
        self._door = Door(spec, self._report_change, self._read_tokens, read_pems)
        self._rooms: set[asyncio.Task[None]] = set()
        self._closing: asyncio.Future[Close] | None = None

    async def run(self) -> None:
        self._parent.listen()
        self._closing = asyncio.get_running_loop().create_future()
        looking = asyncio.create_task(self._look_at_files())
        try:
            self._read_tokens()
            async with open_patiently(self._door.open, self._patience_s) as port:
                self._parent.send(Opened(port))
                await self._keep_open(self._closing)
        except OSError as error:
            self._parent.send(Failed(f"{error.strerror or error}: end what listens there, or write another port"))
        finally:
            looking.cancel()

    async def _keep_open(self, closing: asyncio.Future[Close]) -> None:
        try:
            close = await closing
            self._door.say_goodbye(close.reason)
        finally:
            for task in self._rooms:
                task.cancel()
            await asyncio.gather(*self._rooms, return_exceptions=True)

    def _take(self, message: object) -> None:
        if isinstance(message, RoomCall):
            task = asyncio.create_task(self._play(message))
            self._rooms.add(task)
            task.add_done_callback(self._rooms.discard)
        elif isinstance(message, Notice):
            self._door.tell(message.bot, message.text)
        elif isinstance(message, Close) and self._closing and not self._closing.done():
            self._closing.set_result(message)

    async def _play(self, call: RoomCall) -> None:
        self._parent.send(RemoteRoomAnswer(call.number, await play_or_fail(self._door.play(call.room))))

    def _report_change(self, bot: str, here: bool) -> None:
        self._parent.send(BotChanged(bot, here))

    async def _look_at_files(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self._read_tokens()
            self._look_at_certificates()

    def _read_tokens(self) -> None:
        """Takes over the tokens if their file changed; one that is damaged is reported, and changes nothing."""
        try:
            if tokens := self._tokens.read_if_changed():
                self._door.use_tokens(tokens.bots, tokens.revoked)
                if most := self._door.full_at:
                    self._parent.send(
                        RemoteTrouble(f"{len(tokens.bots)} bots have tokens, and the ladder takes {most}")
                    )
        except ContestError as error:
            self._parent.send(RemoteTrouble(str(error)))

    def _look_at_certificates(self) -> None:
        """Shows the new certificates if their files changed; reports those that cannot be used, and shows the old."""
        try:
            news = self._certificates.look() if self._certificates else ""
        except ContestError as error:
            news = str(error)
        if news:
            self._parent.send(RemoteTrouble(news))
