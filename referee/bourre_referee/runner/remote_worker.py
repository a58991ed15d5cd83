"""The listener process: keeps the connections of all remote bots, and plays the rooms from its parent."""

from __future__ import annotations

import asyncio
import errno
import resource
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from typing import Any

from bourre_referee.contest.certificate_dates import expiry, expiry_in_words, steps_passed
from bourre_referee.contest.listen import tls_problems
from bourre_referee.model.errors import ContestError
from bourre_referee.model.listener_spec import ListenerSpec, Pems, TlsFiles
from bourre_referee.model.spec import PlacedRoom
from bourre_referee.runner.room_reports import RefusedHellos
from bourre_referee.runner.worker import Failed, Parent, Played, play_or_fail
from bourre_referee.storage.files.file_stamp import Stamp, stamp_of
from bourre_referee.storage.run.tokens import TokenFile


class CertificateFiles:
    """The certificate files as last read. Files that cannot be used change nothing."""

    def __init__(self, files: TlsFiles, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Raises ContestError if the files cannot be used."""
        self._files = files
        self._now = now
        self._seen = self._used = self._stamps()
        self.shown = self._read()
        self._warnings = 0

    def look(self) -> str:
        """Reads the files again if they changed, and returns a notice for the organiser, if any.

        A notice also comes some days before the certificate expires, and when it has expired.

        A certificate and its key are written one after the other, so two looks must see the same files. Raises
        ContestError, once for each change, if the new files cannot be used.
        """
        before, self._seen = self._seen, self._stamps()
        if self._seen == self._used or self._seen != before:
            return self._warn()
        self._used = self._seen
        try:
            now = self._read()
        except ContestError as error:
            raise ContestError(f"{error}\nStill using the previous certificate.") from error
        if now == self.shown:
            return ""
        self.shown, self._warnings = now, 0
        return f"{self._files.cert} has changed: new connections get the new certificate"

    def _warn(self) -> str:
        """Returns a warning, once for each step towards the end of the certificate."""
        left = expiry(self.shown.cert) - self._now()
        before, self._warnings = self._warnings, steps_passed(left)
        if self._warnings <= before:
            return ""
        at, hint = expiry_in_words(self.shown.cert), "renew it, and replace both files: bots stay connected"
        if left <= timedelta(0):
            return f"{self._files.cert} expired on {at}: no bot can connect any more.\nhint: {hint}"
        return f"{self._files.cert} expires on {at}: bots cannot connect after that.\nhint: {hint}"

    def _read(self) -> Pems:
        paths = self._files.by_name
        for name, why in tls_problems(self._files):
            raise ContestError(f"{paths[name]}: {why}")
        try:
            return Pems(*(path.read_bytes() for path in paths.values()))
        except OSError as error:  # it was removed just now
            raise ContestError(f"Cannot read {error.filename}: {error.strerror}.\nhint: restore it") from error

    def _stamps(self) -> list[Stamp | None]:
        return [stamp_of(path) for path in self._files.by_name.values()]


_LOOK_SECONDS = 1.0
"""The interval of checks for changed tokens and certificates, and for an address that becomes free."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The first answer, once bots can connect."""

    port: int


@dataclass(frozen=True, slots=True)
class BotChanged:
    """A remote bot connected or left."""

    bot: str
    here: bool


@dataclass(frozen=True, slots=True)
class RoomCall:
    """The parent's order to play a room. The number is unique; rooms of two epochs can have equal names."""

    number: int
    room: PlacedRoom


@dataclass(frozen=True, slots=True)
class RemoteRoomAnswer:
    """The answer for the room of this number."""

    number: int
    answer: Played | Failed


@dataclass(frozen=True, slots=True)
class RemoteTrouble:
    """A problem for the organiser that stops no room."""

    text: str


@dataclass(frozen=True, slots=True)
class HellosRefused:
    """The refused hellos since the last such message."""

    refused: tuple[RefusedHellos, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """The parent's order to send a bot a text for its log."""

    bot: str
    text: str


@dataclass(frozen=True, slots=True)
class Close:
    """The parent's order to say goodbye to all bots and to end."""

    reason: str


def keep_listener(pipe: Connection[Any, Any], spec: ListenerSpec) -> None:
    """Runs a listener until the parent sends `Close` or is gone.

    Answers `Failed` if the address is taken or the certificates cannot be used.
    """
    _raise_limit_of_open_files()
    try:
        certificates = CertificateFiles(spec.listen.tls) if spec.listen.tls else None
    except ContestError as error:
        pipe.send(Failed(str(error)))
        return
    with suppress(asyncio.CancelledError), ThreadPoolExecutor(1) as outbox:
        asyncio.run(_ListenerWorker(pipe, spec, outbox, certificates).run())


def _raise_limit_of_open_files() -> None:
    """Each bot needs three files: its connection, and both ends of the limiter's socket to gRPC."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@asynccontextmanager
async def open_patiently(
    open_listener: Callable[[], AbstractAsyncContextManager[int]], seconds: float
) -> AsyncIterator[int]:
    """Opens a listener inside the block and yields its port. It waits this long for an address that is taken."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    async with AsyncExitStack() as stack:
        while True:
            try:
                port = await stack.enter_async_context(open_listener())
                break
            except OSError as error:
                if error.errno != errno.EADDRINUSE or loop.time() >= until:
                    raise
            await asyncio.sleep(_LOOK_SECONDS)
        yield port


class _ListenerWorker:
    def __init__(
        self, pipe: Connection[Any, Any], spec: ListenerSpec, outbox: Executor, certificates: CertificateFiles | None
    ) -> None:
        from bourre_referee.server.remote_listener import RemoteListener  # loads gRPC, which the parent does not need

        self._parent = Parent(pipe, self._take, outbox)
        self._tokens = TokenFile(spec.tokens)
        self._patience_s = spec.patience_s
        self._certificates = certificates
        read_pems = (lambda: certificates.shown) if certificates else None
        self._listener = RemoteListener(spec, self._report_change, self._read_tokens, read_pems)
        self._rooms: set[asyncio.Task[None]] = set()
        self._closing: asyncio.Future[Close] | None = None

    async def run(self) -> None:
        self._parent.listen()
        self._closing = asyncio.get_running_loop().create_future()
        looking = asyncio.create_task(self._look_at_files())
        try:
            self._read_tokens()
            async with open_patiently(self._listener.open, self._patience_s) as port:
                self._parent.send(Opened(port))
                await self._keep_open(self._closing)
        except OSError as error:
            self._parent.send(
                Failed(f"{error.strerror or error}.\nhint: end the program that listens there, or use another port")
            )
        finally:
            looking.cancel()

    async def _keep_open(self, closing: asyncio.Future[Close]) -> None:
        try:
            close = await closing
            self._listener.say_goodbye(close.reason)
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
            self._listener.tell(message.bot, message.text)
        elif isinstance(message, Close) and self._closing and not self._closing.done():
            self._closing.set_result(message)

    async def _play(self, call: RoomCall) -> None:
        self._parent.send(RemoteRoomAnswer(call.number, await play_or_fail(self._listener.play(call.room))))

    def _report_change(self, bot: str, here: bool) -> None:
        self._parent.send(BotChanged(bot, here))

    async def _look_at_files(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self._read_tokens()
            self._look_at_certificates()
            if refusals := self._listener.take_refusals():
                refused = tuple(RefusedHellos(*kind_and_bot, times) for kind_and_bot, times in refusals.items())
                self._parent.send(HellosRefused(refused))

    def _read_tokens(self) -> None:
        """Loads the tokens if their file changed. A damaged file is reported, and changes nothing."""
        try:
            if tokens := self._tokens.read_if_changed():
                self._listener.use_tokens(tokens.bots, tokens.revoked)
                if most := self._listener.full_at:
                    self._parent.send(
                        RemoteTrouble(f"{len(tokens.bots)} bots have tokens, but the ladder accepts {most}")
                    )
        except ContestError as error:
            self._parent.send(RemoteTrouble(str(error)))

    def _look_at_certificates(self) -> None:
        """Loads certificates if their files changed. Files that cannot be used are reported, and change nothing."""
        try:
            news = self._certificates.look() if self._certificates else ""
        except ContestError as error:
            news = str(error)
        if news:
            self._parent.send(RemoteTrouble(news))
