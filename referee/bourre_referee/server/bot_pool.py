"""The bots of a room: started, awaited, lost and found again, and ended; who is there, and who is not and why."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from bourre.rules.actions import Fault
from bourre_referee.model.spec import Clock, Entry, RoomFailed, RoomSpec
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.cpu_guard import CpuGuard
from bourre_referee.sandbox.cpu_meter import memory_kib
from bourre_referee.sandbox.launch import Credentials, Launcher
from bourre_referee.sandbox.levels import launcher_of
from bourre_referee.server.bot_clock import STARVED_SHARE, Timekeeper
from bourre_referee.server.connection import Connection, Listener
from bourre_referee.server.host_time import HostTime, waited_for_processor
from bourre_referee.server.server_options import server_options
from bourre_referee.server.service import serving
from bourre_referee.server.shielded import shielded

_LAST_WORDS_SECONDS = 2.0
"""How long a bot may take to exit after its goodbye, and a process to end after its line broke."""
_TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")
"""The steps in which the system counts processor time."""

Invite = Callable[[str, str, str], None]
"""Tells the author of a bot, by the bot's name, at which address and with which token to connect."""

MakeLine = Callable[[str, str, Clock, Listener, Timekeeper], Connection]
"""Makes the line of one bot: the bot, the room, and what a line needs."""


def invite_on_stderr(bot: str, address: str, token: str) -> None:
    """Prints what an author needs to start a bot that connects by itself."""
    print(
        f"waiting for {bot}: start it with BOURRE_ADDRESS={address} BOURRE_TOKEN={token}", file=sys.stderr, flush=True
    )


class BotPool:
    """Each bot's line, its process if we started one, and its turns."""

    def __init__(self, spec: RoomSpec, listener: Listener, invite: Invite, make_line: MakeLine = Connection) -> None:
        loop = asyncio.get_running_loop()
        self._spec = spec
        self._invite = invite
        self._time = HostTime(loop, waited_for_processor)
        names = [entry.name for entry in spec.entries]
        self.lines = {name: make_line(name, spec.room, spec.clock, listener, self._time) for name in names}
        self.turns = CpuGuard(loop)
        self.absent: set[str] = set()
        """Those that never came."""
        self.gone: dict[str, Fault] = {}
        """Those that will not come back, and why."""
        self._processes: dict[str, BotProcess] = {}
        self._used: dict[str, tuple[float, float]] = {}
        """When it was last looked what a bot has used, and how much that was."""
        self._over = False

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Serves the lines and runs the bots; on the way out every process is gone."""
        spec, tokens = self._spec, {secrets.token_hex(32): line for line in self.lines.values()}
        token_of = {line.bot: token for token, line in tokens.items()}
        invited = [entry for entry in spec.entries if entry.command is None]
        async with AsyncExitStack() as stack:
            stack.enter_context(self._time.beating())
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bourre-"))
            tickets = {bot: Credentials(Path(folder, secrets.token_hex(8)), token) for bot, token in token_of.items()}
            addresses = [*(["127.0.0.1:0"] if invited else []), *(f"unix:{seat.socket}" for seat in tickets.values())]
            ports = await stack.enter_async_context(
                serving(tokens, addresses, spec.clock.start_ms / 1000, server_options(spec.clock))
            )
            launcher = launcher_of(spec.isolation)
            stack.push_async_callback(self._end)
            for entry in spec.entries:
                if entry.command is None:
                    self._invite(entry.name, f"127.0.0.1:{ports[0]}", token_of[entry.name])
                else:
                    await shielded(self._start(entry, tickets[entry.name], launcher))
            yield

    async def assemble(self) -> None:
        """Waits until every bot has said hello, has ended, or its time to start is over; then turns begin."""
        await asyncio.gather(*(self._await(entry) for entry in self._spec.entries))
        self.turns.watch(self._processes)

    async def await_return(self, bot: str, back: asyncio.Event) -> Fault | None:
        """Waits for a bot whose line went down to come back or to end: None, or why it is given up."""
        process, returning = self._processes.get(bot), asyncio.create_task(back.wait())
        signs = {returning, process.ended} if process else {returning}
        grace = max(self._spec.clock.reconnect_ms / 1000, _LAST_WORDS_SECONDS)
        try:
            await self._wait(signs, grace)
        finally:
            returning.cancel()
        if back.is_set():
            return None
        self.lines[bot].close()
        return self.give_up(bot, _verdict_on(process))

    def give_up(self, bot: str, fault: Fault) -> Fault:
        """The bot will not come back; the reason that counts, which is the first."""
        return self.gone.setdefault(bot, fault)

    def dismiss(self) -> None:
        """Every match is played: the bots may go."""
        self._over = True
        self.turns.release()
        for line in self.lines.values():
            line.say_goodbye("every match of this room is played")

    def note(self, bot: str, lines: Iterable[str]) -> None:
        """Says something to the author of a bot, in its log."""
        if process := self._processes.get(bot):
            process.log.note(lines)

    def processor_ms(self, bot: str) -> float:
        """Milliseconds of processor time that a bot has used so far; 0 for one that its author runs.

        Of many tables that begin or end at once the first one looks: the system itself counts no finer.
        """
        process, now = self._processes.get(bot), self._time.time()
        if process is None:
            return 0.0
        looked, used_ms = self._used.get(bot, (-_TICK_SECONDS, 0.0))
        if now - looked >= _TICK_SECONDS:
            looked, used_ms = self._used[bot] = now, process.processor_ms()
        return used_ms

    async def exit_status(self, bot: str) -> int | None:
        """How a bot that may go has ended by itself; None where it has not, in the time for its last words."""
        process = self._processes.get(bot)
        ended = process and await process.ended_within(_LAST_WORDS_SECONDS)
        return process.ended.result() if process and ended else None

    def memory_kib(self, bot: str) -> int:
        """The memory that a bot holds now; 0 for one that its author runs."""
        process = self._processes.get(bot)
        return memory_kib(process.pid) if process else 0

    def notices(self) -> tuple[str, ...]:
        """What went wrong beside the matches."""
        troubles = sorted({process.log.trouble for process in self._processes.values() if process.log.trouble})
        return tuple(f"{self._spec.logs}: what bots print is not kept: {trouble}" for trouble in troubles)

    def overload(self, bot: str, starved: float, allowed: float) -> RoomFailed:
        """That nobody can say whose fault it is that a bot is late; in seconds."""
        return RoomFailed(
            f"room {self._spec.room}: overloaded: {bot} was late, but the host was starved for {starved:.2f} s of the "
            f"{allowed:.2f} s that it had. Run with fewer --jobs, or give a longer decision_ms or start_ms in [clock]"
        )

    async def _start(self, entry: Entry, credentials: Credentials, launcher: Launcher) -> None:
        self._processes[entry.name] = await BotProcess.start(entry, credentials, self._log(entry.name), launcher)

    async def _await(self, entry: Entry) -> None:
        line, process = self.lines[entry.name], self._processes.get(entry.name)
        limit_ms = self._spec.clock.start_ms if process else self._spec.clock.connect_ms
        starved_before = self._time.starved()
        arrived = asyncio.create_task(line.arrived.wait())
        signs = {arrived, process.ended} if process else {arrived}
        try:
            await self._wait(signs, limit_ms / 1000)
        finally:
            arrived.cancel()
        if line.arrived.is_set():
            return
        if process and await process.was_refused():
            why = f"{self._log(entry.name)} says why, `bourre doctor` perhaps more"
            raise OSError(f"what should hold {entry.name} did not start; {why}")
        starved = self._time.starved() - starved_before
        if process and not process.ended.done() and starved * 1000 > STARVED_SHARE * limit_ms:
            raise self.overload(entry.name, starved, limit_ms / 1000)
        line.close()
        self.absent.add(entry.name)

    async def _wait(self, signs: Iterable[asyncio.Task[Any]], seconds: float) -> None:
        """For the first of these, and not longer than that in the time of the host."""
        until = self._time.time() + seconds
        while (left := until - self._time.time()) > 0:
            done, _ = await asyncio.wait(signs, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return

    def _log(self, bot: str) -> Path:
        return self._spec.logs / bot / f"{self._spec.room}.log"

    async def _end(self) -> None:
        grace = _LAST_WORDS_SECONDS if self._over else 0.0
        self.turns.release()
        await shielded(asyncio.gather(*(process.end(grace) for process in self._processes.values())))


def _verdict_on(process: BotProcess | None) -> Fault:
    """Why a bot did not come back; one whose process nobody here started, or that has not ended, has just gone."""
    if process is None or not process.ended.done() or not process.ended.result():
        return Fault.DISCONNECTED
    return Fault.OVER_LIMIT if process.over_limit else Fault.CRASHED
