"""A room: the bot processes of one line-up, and the tables at which they play."""

from __future__ import annotations

import asyncio
import secrets
import sys
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

from bourre.messages import Answer, Seating
from bourre.rules.actions import Choice, Fault, Missing, Recall
from bourre_referee.bot_clock import STARVED_SHARE
from bourre_referee.duplicate import with_luck
from bourre_referee.host_time import HostTime, waited_for_processor
from bourre_referee.launch.launch import Ticket
from bourre_referee.launch.levels import launcher_of
from bourre_referee.launch.process import BotProcess
from bourre_referee.launch.turns import Turns
from bourre_referee.line import Line
from bourre_referee.listening import server_options
from bourre_referee.service import serving
from bourre_referee.spec import Entry, MatchOutcome, RoomFailed, RoomSpec, SeatTiming
from bourre_referee.table import Manner, Table

_LAST_WORDS_SECONDS = 2.0
"""How long a bot may take to exit after its goodbye, and a process to end after its line broke."""


Invite = Callable[[str, str, str], None]
"""Tells the author of a bot, by the bot's name, at which address and with which token to connect."""


def invite_on_stderr(bot: str, address: str, token: str) -> None:
    """Prints what an author needs to start a bot that connects by itself."""
    print(
        f"waiting for {bot}: start it with BOURRE_ADDRESS={address} BOURRE_TOKEN={token}", file=sys.stderr, flush=True
    )


async def play_room(spec: RoomSpec, invite: Invite = invite_on_stderr) -> list[MatchOutcome]:
    """Plays the matches of a room with bots that it starts and ends; outcomes in the order of the matches.

    A bot's faults are charged to that bot and never raise. Raises RoomFailed where the host fails: void, to be played
    again. When cancelled, it takes its bots with it.
    """
    room = Room(spec, invite)
    try:
        async with room.opened():
            await room.assemble()
            outcomes = await room.play()
    except OSError as error:
        raise RoomFailed(f"room {spec.room}: {error}") from error
    return list(map(with_luck, spec.matches, outcomes))  # by now no bot is waiting for us


class Room:
    """Seats the bots at tables, carries answers to tables and asks to lines, until every match is played."""

    def __init__(self, spec: RoomSpec, invite: Invite = invite_on_stderr) -> None:
        self._spec = spec
        self._invite = invite
        self._loop = asyncio.get_running_loop()
        self._time = HostTime(self._loop, waited_for_processor)
        self._lines = {entry.name: Line(entry.name, spec.room, spec.clock, self, self._time) for entry in spec.entries}
        self._turns = Turns(self._loop)
        self._processes: dict[str, BotProcess] = {}
        self._waiting = deque(enumerate(spec.matches))
        self._tables: dict[int, Table] = {}
        self._outcomes: dict[int, MatchOutcome] = {}
        self._used_before: dict[tuple[int, str], float] = {}
        self._absent: set[str] = set()
        self._gone: dict[str, Fault] = {}
        self._finding_out: set[asyncio.Task[None]] = set()
        self._finished: asyncio.Future[None] = self._loop.create_future()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Serves the lines and runs the bots; on the way out every process is gone."""
        spec, tokens = self._spec, {secrets.token_hex(32): line for line in self._lines.values()}
        token_of = {line.bot: token for token, line in tokens.items()}
        invited = [entry for entry in spec.entries if entry.command is None]
        async with AsyncExitStack() as stack:
            stack.enter_context(self._time.beating())
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bourre-"))
            tickets = {bot: Ticket(Path(folder, secrets.token_hex(8)), token) for bot, token in token_of.items()}
            addresses = [*(["127.0.0.1:0"] if invited else []), *(f"unix:{seat.socket}" for seat in tickets.values())]
            ports = await stack.enter_async_context(
                serving(tokens, addresses, spec.clock.start_ms / 1000, server_options(spec.clock))
            )
            launcher = launcher_of(spec.isolation)
            stack.push_async_callback(self._end_processes)
            for entry in spec.entries:
                if entry.command is None:
                    self._invite(entry.name, f"127.0.0.1:{ports[0]}", token_of[entry.name])
                else:
                    log = spec.logs / entry.name / f"{spec.room}.log"
                    self._processes[entry.name] = await BotProcess.start(entry, tickets[entry.name], log, launcher)
            yield

    async def assemble(self) -> None:
        """Waits until every bot has said hello, has ended, or its time to start is over."""
        await asyncio.gather(*(self._await_bot(entry) for entry in self._spec.entries))

    async def play(self) -> list[MatchOutcome]:
        """Plays all the matches and says goodbye; bots that are not there by now are absent."""
        self._turns.watch(self._processes)
        for _ in range(min(self._spec.tables, len(self._waiting))):
            self._seat_next()
        await self._finished
        self._turns.release()
        for line in self._lines.values():
            line.say_goodbye("every match of this room is played")
        outcomes = [self._outcomes[number] for number in range(len(self._spec.matches))]
        return [replace(outcomes[0], notices=self._notices()), *outcomes[1:]]

    def _notices(self) -> tuple[str, ...]:
        troubles = sorted({process.log.trouble for process in self._processes.values() if process.log.trouble})
        return tuple(f"{self._spec.logs}: what bots print is not kept: {trouble}" for trouble in troubles)

    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """The awaited answer of a bot (see Listener)."""
        with self._failing_on_error():
            at = self._tables[table]
            at.answer(at.spec.line_up.index(bot), action, recall)
            self._serve(at)

    def unasked(self, bot: str, answer: Answer) -> None:
        """An answer that nobody asked for (see Listener); at a table that is not there it is nobody's fault."""
        table = self._tables.get(answer.table)
        if table is None or bot not in table.spec.line_up:
            return
        seat = table.spec.line_up.index(bot)
        with self._failing_on_error():
            table.unasked(seat, answer)
            for asked, other in enumerate(table.spec.line_up):
                if asked not in table.awaiting:
                    self._lines[other].withdraw(answer.table)
            self._serve(table)

    def stalled(self, bot: str, table: int) -> None:
        """A bot has used up its time for a match (see Listener)."""
        with self._failing_on_error():
            self._leave(self._tables[table], bot, Fault.STALLED)

    def overloaded(self, bot: str, starved_ms: float, allowed_ms: float) -> None:
        """A bot is late and the host was, too (see Listener): nobody can say whose fault that is."""
        self._fail(self._overload(bot, starved_ms / 1000, allowed_ms / 1000))

    def lost(self, bot: str) -> None:
        """A line went down (see Listener): wait for the bot to come back or to end, then go on without it."""
        line = self._lines[bot]
        if not self._spec.clock.reconnect_ms:
            line.close()
        task = self._loop.create_task(self._find_out(bot, line.back))
        self._finding_out.add(task)
        task.add_done_callback(self._finding_out.discard)

    def cut_off(self, bot: str) -> None:
        """A bot that says far more than it is asked is heard no longer (see Listener)."""
        self._go_on_without(bot, Fault.OVER_LIMIT)

    async def _find_out(self, bot: str, back: asyncio.Event) -> None:
        process, returning = self._processes.get(bot), asyncio.create_task(back.wait())
        signs = {returning, process.ended} if process else {returning}
        grace = max(self._spec.clock.reconnect_ms / 1000, _LAST_WORDS_SECONDS)
        try:
            await asyncio.wait(signs, timeout=grace, return_when=asyncio.FIRST_COMPLETED)
        finally:
            returning.cancel()
        if not back.is_set():
            self._lines[bot].close()
            self._go_on_without(bot, _verdict_on(process))

    def _go_on_without(self, bot: str, fault: Fault) -> None:
        self._gone.setdefault(bot, fault)
        with self._failing_on_error():
            for table in list(self._tables.values()):
                self._leave(table, bot, fault)

    def _leave(self, table: Table, bot: str, fault: Fault) -> None:
        table.leave(table.spec.line_up.index(bot), fault)
        self._serve(table)

    async def _await_bot(self, entry: Entry) -> None:
        line, process = self._lines[entry.name], self._processes.get(entry.name)
        limit_ms = self._spec.clock.start_ms if process else self._spec.clock.connect_ms
        starved_before = self._time.starved()
        arrived = asyncio.create_task(line.arrived.wait())
        signs = {arrived, process.ended} if process else {arrived}
        try:
            await asyncio.wait(signs, timeout=limit_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
        finally:
            arrived.cancel()
        if line.arrived.is_set():
            return
        if process and process.was_refused():
            log = self._spec.logs / entry.name / f"{self._spec.room}.log"
            raise OSError(f"what should hold {entry.name} did not start; {log} says why, `bourre doctor` perhaps more")
        starved = self._time.starved() - starved_before
        if process and not process.ended.done() and starved * 1000 > STARVED_SHARE * limit_ms:
            raise self._overload(entry.name, starved, limit_ms / 1000)
        line.close()
        self._absent.add(entry.name)

    def _seat_next(self) -> None:
        with self._failing_on_error():
            number, spec = self._waiting.popleft()
            table = Table(number, spec, [self._manner(bot) for bot in spec.line_up], self._spec.max_faults)
            self._tables[number] = table
            for seat, bot in enumerate(spec.line_up):
                self._used_before[number, bot] = self._processor_ms(bot)
                self._lines[bot].seat(Seating(number, spec.match, seat, len(spec.line_up), spec.deals, spec.house))
            table.begin([seat for seat, bot in enumerate(spec.line_up) if bot in self._absent])
            for bot, fault in self._gone.items():
                table.leave(spec.line_up.index(bot), fault)
            self._serve(table)

    def _manner(self, bot: str) -> Manner:
        hello = self._lines[bot].hello
        return Manner(hello.forced_plays, hello.events) if hello else Manner(False, False)

    def _serve(self, table: Table) -> None:
        """Asks whoever is to act, unless that is done; clears the table when its match is over."""
        for report in table.reports():
            if process := self._processes.get(table.spec.line_up[report.seat]):
                process.log.note(report.lines)
        if table.over:
            self._clear(table)
            return
        for seat in table.to_ask:
            line = self._lines[table.spec.line_up[seat]]
            left = line.left(table.number)
            self._turns.begin(line.bot)
            line.ask(table.ask(seat, int(left.bank_ms), int(left.match_ms)))
        self._end_turns(table)

    def _end_turns(self, table: Table) -> None:
        """A bot is on turn while any of its tables waits for it."""
        for bot in table.spec.line_up:
            if not self._lines[bot].is_asked:
                self._turns.end(bot)

    def _clear(self, table: Table) -> None:
        if self._tables.pop(table.number, None) is None:
            return
        timings = tuple(self._end_match(table, seat) for seat in range(len(table.spec.line_up)))
        self._outcomes[table.number] = replace(table.outcome(timings), isolation=self._spec.isolation.level)
        self._end_turns(table)
        if self._waiting:
            self._loop.call_soon(self._seat_next)
        elif not self._tables and not self._finished.done():
            self._finished.set_result(None)

    def _end_match(self, table: Table, seat: int) -> SeatTiming:
        """Tells the bot of a seat that its match is over; how it used its time there."""
        bot = table.spec.line_up[seat]
        used_ms = self._processor_ms(bot) - self._used_before.pop((table.number, bot))
        return replace(self._lines[bot].end_match(table.end(seat)), cpu_ms=max(0.0, used_ms))

    def _processor_ms(self, bot: str) -> float:
        process = self._processes.get(bot)
        return process.processor_ms() if process else 0.0

    def _overload(self, bot: str, starved: float, allowed: float) -> RoomFailed:
        return RoomFailed(
            f"room {self._spec.room}: overloaded: {bot} was late, but the host was starved for {starved:.2f} s of the "
            f"{allowed:.2f} s that it had. Run with fewer --jobs, or give a longer decision_ms or start_ms in [clock]"
        )

    def _fail(self, error: Exception) -> None:
        if not self._finished.done():
            self._finished.set_exception(error)

    @contextmanager
    def _failing_on_error(self) -> Iterator[None]:
        """A mistake of the referee ends the room at once; nobody waits for a table that stands still."""
        try:
            yield
        except Exception as error:
            self._fail(error)

    async def _end_processes(self) -> None:
        grace = _LAST_WORDS_SECONDS if self._finished.done() else 0.0
        for task in self._finding_out:
            task.cancel()
        self._turns.release()
        await asyncio.gather(*(process.end(grace) for process in self._processes.values()))


def _verdict_on(process: BotProcess | None) -> Fault:
    """Why a bot did not come back; one whose process nobody here started, or that has not ended, has just gone."""
    if process is None or not process.ended.done() or not process.ended.result():
        return Fault.DISCONNECTED
    return Fault.OVER_LIMIT if process.over_limit else Fault.CRASHED
