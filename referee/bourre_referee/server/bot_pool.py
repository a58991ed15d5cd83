"""The bots of a room: it starts and ends their processes, and serves their connections."""

from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from bourre.bot_code.start_diagnosis import diagnose
from bourre.rules.deck import start_seed
from bourre_referee.model.listener_spec import remote_bots
from bourre_referee.model.spec import BotEntry, Clock, Level, PlacedRoom, RoomFailed
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.cpu_guard import CpuGuard
from bourre_referee.sandbox.cpu_meter import memory_kib
from bourre_referee.sandbox.launch import Credentials, Launcher
from bourre_referee.sandbox.levels import launcher_of
from bourre_referee.sandbox.network_proxy import serve_proxy
from bourre_referee.sandbox.started_file import read_started_file
from bourre_referee.server.ask_batching import AskBatching
from bourre_referee.server.bot_clock import STARVED_SHARE, Timekeeper
from bourre_referee.server.connection import Connection, Listener
from bourre_referee.server.server_options import server_options
from bourre_referee.server.service import find_among, serve_connections
from bourre_referee.server.starvation import HostTime, waited_for_processor
from bourre_referee.server.uncancelled import shielded
from bourre_seats.models.chat import CAP_EXIT

_LAST_WORDS_SECONDS = 2.0
"""The seconds in which a bot must exit after its goodbye."""
_TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")
"""The resolution of the system's processor time."""

MakeConnection = Callable[[str, str, Clock, Listener, Timekeeper], Connection]
"""Makes one bot's connection from the names of bot and room, the clock, the listener and the timekeeper."""


class Lendable(Protocol):
    """The session of a remote bot (`RemoteSession`), which a room borrows."""

    def lent_to(self, connection: Connection) -> AbstractContextManager[None]:
        """Carries this connection inside the block."""


Lines = Mapping[str, Lendable]
"""The sessions of remote bots, by bot."""
NO_LINES: Lines = MappingProxyType({})
"""The sessions of a room without remote bots."""


class BotPool:
    """Each bot's connection, its process if the referee starts it, and the guard of its processor time."""

    def __init__(
        self,
        spec: PlacedRoom,
        listener: Listener,
        lines: Lines = NO_LINES,
        make_connection: MakeConnection = Connection,
    ) -> None:
        loop = asyncio.get_running_loop()
        self._spec = spec
        self._lines = lines
        self._time = HostTime(loop, waited_for_processor)
        names = [entry.name for entry in spec.entries]
        self.connections = {name: make_connection(name, spec.room, spec.clock, listener, self._time) for name in names}
        batching = AskBatching(lambda: any(connection.is_thinking for connection in self.connections.values()))
        for connection in self.connections.values():
            connection.batching = batching
        self.cpu_guard = CpuGuard(loop)
        self.absent: set[str] = set()
        """The bots that never connected, although they may."""
        self._processes: dict[str, BotProcess] = {}
        self._used: dict[str, tuple[float, float]] = {}
        """The time of the last reading of each bot's processor time, and the reading."""
        self._over = False

    @asynccontextmanager
    async def run_bots(self) -> AsyncIterator[None]:
        """Serves the connections and runs the bots. On exit every process has ended."""
        spec = self._spec
        started = [entry for entry in spec.entries if entry.command is not None and entry.name not in spec.left_out]
        async with AsyncExitStack() as stack:
            stack.enter_context(self._time.measure())
            for bot in remote_bots(spec):
                stack.enter_context(self._lines[bot].lent_to(self.connections[bot]))
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bourre-"))
            credentials = {entry.name: self._credentials(entry, Path(folder)) for entry in started}
            find = find_among({each.token: self.connections[bot] for bot, each in credentials.items()})
            sockets = [f"unix:{each.socket}" for each in credentials.values()]
            if started:
                await stack.enter_async_context(
                    serve_connections(find, sockets, spec.clock.start_ms / 1000, server_options(spec.clock))
                )
            copies = spec.copies or Path(folder)
            launchers = {each: launcher_of(each, copies) for each in map(spec.isolation_of, started)}
            for entry in started:
                if entry.network and (proxy := credentials[entry.name].proxy):
                    note = partial(self._note_line, entry.name)
                    await stack.enter_async_context(serve_proxy(entry.network, proxy, note))
            stack.push_async_callback(self._end)
            for entry in started:
                await shielded(self._start(entry, credentials[entry.name], launchers[spec.isolation_of(entry)]))
            yield

    async def assemble(self) -> None:
        """Waits until every bot has said hello, has ended or is out of time. Then it starts to watch processor time."""
        await asyncio.gather(*(self._await_hello(entry) for entry in self._spec.entries))
        self.cpu_guard.watch(self._processes)

    def dismiss(self) -> None:
        """Says goodbye to the bots after all matches."""
        self._over = True
        self.cpu_guard.release()
        for connection in self.connections.values():
            connection.say_goodbye("every match of this room is played")

    def note(self, bot: str, lines: Iterable[str]) -> None:
        """Writes a message to the bot's author into the bot's log."""
        if process := self._processes.get(bot):
            process.log.note(lines)

    def without_secrets(self, bot: str, text: str) -> str:
        """Returns a text of a bot with stars instead of the values of its own variables."""
        process = self._processes.get(bot)
        return process.log.without_secrets(text) if process and text else text

    def processor_ms(self, bot: str) -> float:
        """Returns the processor time of a bot so far, in milliseconds; 0 for a remote bot.

        It reads the time at most once per tick of the system's counter.
        """
        process, now = self._processes.get(bot), self._time.time()
        if process is None:
            return 0.0
        read_at, used_ms = self._used.get(bot, (-_TICK_SECONDS, 0.0))
        if now - read_at >= _TICK_SECONDS:
            read_at, used_ms = self._used[bot] = now, process.processor_ms()
        return used_ms

    async def exit_status(self, bot: str) -> int | None:
        """Returns the exit status of a bot after its goodbye; None if it does not exit in time."""
        process = self._processes.get(bot)
        ended = process and await process.wait_for_end(_LAST_WORDS_SECONDS)
        return process.ended.result() if process and ended else None

    def left_for_a_cap(self, bot: str) -> bool:
        """Whether this bot is a model that left because its contest allows no more calls."""
        process = self._processes.get(bot)
        models = {entry.name for entry in self._spec.entries if entry.is_model}
        return bot in models and process is not None and process.ended.done() and process.ended.result() == CAP_EXIT

    def memory_kib(self, bot: str) -> int:
        """Returns the memory of a bot in KiB; 0 for a remote bot."""
        process = self._processes.get(bot)
        return memory_kib(process.pid) if process else 0

    def notices(self) -> tuple[str, ...]:
        """Problems outside of the matches."""
        troubles = sorted({process.log.trouble for process in self._processes.values() if process.log.trouble})
        return tuple(f"{self._spec.logs}: cannot store the bots' output: {trouble}" for trouble in troubles)

    def process_of(self, bot: str) -> BotProcess | None:
        """Returns the process of a bot; None for a remote bot."""
        return self._processes.get(bot)

    async def wait(self, tasks: Iterable[asyncio.Task[Any]], seconds: float) -> None:
        """Waits for the first of these tasks, at most this many seconds of host time."""
        await self._time.wait(tasks, seconds)

    def overload(self, bot: str, starved: float, allowed: float) -> RoomFailed:
        """Returns the error for a bot that was late on a starved host. Times are in seconds."""
        return RoomFailed(
            f"room {self._spec.room}: overloaded: {bot} was late, but the host was starved for {starved:.2f} s of the "
            f"{allowed:.2f} s it had. Run with fewer --jobs, or set a longer decision_ms or start_ms in [clock]"
        )

    def _credentials(self, entry: BotEntry, folder: Path) -> Credentials:
        """Makes a bot's token, and the paths of its socket and of its proxy's socket, if it has a network."""
        boxed = entry.network is not None and self._spec.isolation_of(entry).level is Level.BWRAP
        proxy = folder / secrets.token_hex(8) if boxed else None
        seed = start_seed(self._spec.matches[0].seed, entry.name)
        return Credentials(folder / secrets.token_hex(8), secrets.token_hex(32), seed, proxy)

    def _note_line(self, bot: str, line: str) -> None:
        self.note(bot, [line])

    async def _start(self, entry: BotEntry, credentials: Credentials, launcher: Launcher) -> None:
        self._processes[entry.name] = await BotProcess.start(entry, credentials, self._log(entry.name), launcher)

    async def _await_hello(self, entry: BotEntry) -> None:
        connection, process = self.connections[entry.name], self._processes.get(entry.name)
        if entry.name in self._spec.left_out:
            self._leave_out(connection)
            return
        limit_ms = self._spec.clock.start_ms if process else self._spec.clock.connect_ms
        starved_before = self._time.starved_seconds()
        arrived = asyncio.create_task(connection.arrived.wait())
        tasks = {arrived, process.ended} if process else {arrived}
        try:
            await self.wait(tasks, limit_ms / 1000)
        finally:
            arrived.cancel()
        if connection.arrived.is_set():
            return
        if process and await process.was_refused():
            log = self._log(entry.name)
            raise OSError(f"the sandbox of {entry.name} did not start.\nhint: see {log}, and run bourre doctor")
        starved = self._time.starved_seconds() - starved_before
        if process and not process.ended.done() and starved * 1000 > STARVED_SHARE * limit_ms:
            raise self.overload(entry.name, starved, limit_ms / 1000)
        self._leave_out(connection)
        if process:
            await _tell_why(entry, process, limit_ms / 1000)

    def _leave_out(self, connection: Connection) -> None:
        connection.close()
        if connection.bot not in self._spec.capped:
            self.absent.add(connection.bot)

    def _log(self, bot: str) -> Path:
        return self._spec.logs / bot / f"{self._spec.room}.log"

    async def _end(self) -> None:
        grace = _LAST_WORDS_SECONDS if self._over else 0.0
        self.cpu_guard.release()
        await shielded(asyncio.gather(*(process.end(grace) for process in self._processes.values())))


async def _tell_why(entry: BotEntry, process: BotProcess, seconds: float) -> None:
    """Writes into the bot's log why it did not say hello within these seconds."""
    status = process.ended.result() if process.ended.done() else None
    printed = await process.last_words()
    process.log.put_first(str(diagnose(printed, status, seconds, read_started_file(entry))))
