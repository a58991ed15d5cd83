"""A room: one line-up of bots, and the tables at which they play."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial, wraps
from typing import Concatenate, ParamSpec

from bourre.messages import Answer, Ask, Seating
from bourre.rules.actions import Choice, Fault, Missing, Recall
from bourre_referee.model.spec import MatchOutcome, PlacedRoom, RoomFailed, SeatTiming
from bourre_referee.server.bot_pool import NO_LINES, BotPool, Lines, MakeConnection
from bourre_referee.server.connection import Connection
from bourre_referee.server.host_check import prove
from bourre_referee.server.reconnection import Reconnection
from bourre_referee.server.table import AskOptions, Table
from bourre_referee.server.table_logs import late_line
from bourre_referee.storage.files.public_log import PublicLog

P = ParamSpec("P")


async def play_room(spec: PlacedRoom, lines: Lines = NO_LINES, first_table: int = 0) -> list[MatchOutcome]:
    """Plays the matches of a room with bots that it starts and ends. Returns outcomes in the order of the matches.

    `lines` are the sessions of its remote bots. No two tables of a session may have the same number. A room that
    `restarts` returns only the first outcomes if a bot failed for the rest of the room. A bot's faults are charged to
    that bot and never raise. Raises RoomFailed if the host fails: the room must then be played again. If no bot
    connects, reference bots show whether the host is at fault. A cancelled room ends its bots.
    """
    return await _play(Room(spec, lines, first_table), partial(prove, spec, lambda own: _play(Room(own))))


async def _play(room: Room, when_nobody_comes: Callable[[], Awaitable[None]] | None = None) -> list[MatchOutcome]:
    try:
        async with room.run_bots():
            await room.assemble()
            if room.is_deserted and when_nobody_comes:
                await when_nobody_comes()
            return await room.play()
    except OSError as error:
        raise RoomFailed(f"room {room.name}: {error}") from error


def _fail_on_error(step: Callable[Concatenate[Room, P], None]) -> Callable[Concatenate[Room, P], None]:
    """Ends the room at once on an error of the referee, so that nobody waits for a stalled table."""

    @wraps(step)
    def guarded(room: Room, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            step(room, *args, **kwargs)
        except Exception as error:
            room.failed(error)

    return guarded


class Room:
    """Seats the bots at tables and carries answers to tables and asks to bots, until every match is played."""

    def __init__(
        self,
        spec: PlacedRoom,
        lines: Lines = NO_LINES,
        first_table: int = 0,
        make_connection: MakeConnection = Connection,
    ) -> None:
        self._spec = spec
        self._loop = asyncio.get_running_loop()
        self._bots = BotPool(spec, self, lines, make_connection)
        self._reconnection = Reconnection(
            self._bots, spec.clock.reconnect_ms, self._go_on_without, self.failed, spec.capped
        )
        self._waiting = deque(enumerate(spec.matches, first_table))
        self._tables: dict[int, Table] = {}
        self._outcomes: dict[int, MatchOutcome] = {}
        self._used_before: dict[tuple[int, str], float] = {}
        self._finished: asyncio.Future[None] = self._loop.create_future()
        self._public = PublicLog(spec.public / spec.room) if spec.public and len(spec.matches) == 1 else None

    @property
    def name(self) -> str:
        """The room's id."""
        return self._spec.room

    @asynccontextmanager
    async def run_bots(self) -> AsyncIterator[None]:
        """Runs the bots. On exit every process has ended."""
        async with self._bots.run_bots():
            try:
                yield
            finally:
                self._reconnection.stop()
                for connection in self._bots.connections.values():
                    connection.close()  # even if the room failed

    async def assemble(self) -> None:
        """Waits until every bot has said hello, has ended, or is out of time to start."""
        await self._bots.assemble()

    @property
    def is_deserted(self) -> bool:
        """Whether none of its bots connected although the referee started some of them."""
        started = any(entry.command is not None for entry in self._spec.entries)
        return started and self._bots.absent == {entry.name for entry in self._spec.entries}

    async def play(self) -> list[MatchOutcome]:
        """Plays all matches, or those up to a restart, and says goodbye. Bots that are not connected now are absent."""
        with self._public or nullcontext():
            for _ in range(min(self._spec.tables, len(self._waiting))):
                self._seat_next()
            await self._finished
        self._bots.dismiss()
        outcomes = [self._outcomes[number] for number in sorted(self._outcomes)]
        return [replace(outcomes[0], notices=self._bots.notices()), *outcomes[1:]]

    @_fail_on_error
    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """Passes a bot's answer to its table (see Listener)."""
        at = self._tables[table]
        at.answer(at.line_up.index(bot), action, recall)
        self._serve(at)
        self._end_turns(bot)

    @_fail_on_error
    def remarked(self, bot: str, answer: Answer) -> None:
        """Passes the remarks with a bot's next answer to its table (see Listener)."""
        at = self._tables[answer.table]
        note = self._bots.without_secrets(bot, answer.note)
        at.hear_remarks(at.line_up.index(bot), answer._replace(note=note))

    @_fail_on_error
    def unasked(self, bot: str, answer: Answer) -> None:
        """Handles an unrequested answer (see Listener). At an unknown table it is no fault."""
        table = self._tables.get(answer.table)
        if table is None or bot not in table.line_up:
            return
        table.take_unasked(table.line_up.index(bot), answer)
        for asked, other in enumerate(table.line_up):
            if asked not in table.awaiting:
                self._bots.connections[other].withdraw(answer.table)
        self._serve(table)
        self._end_turns(*table.line_up)

    @_fail_on_error
    def late(self, bot: str, ask: Ask, allowed_ms: float) -> None:
        """Writes a late decision into the bot's log (see Listener)."""
        self._bots.note(bot, [late_line(ask, self._tables[ask.table].spec, allowed_ms)])

    @_fail_on_error
    def stalled(self, bot: str, table: int) -> None:
        """Continues without a bot that used up its time for a match (see Listener)."""
        self._leave(self._tables[table], bot, Fault.STALLED)

    @_fail_on_error
    def overloaded(self, bot: str, starved_ms: float, allowed_ms: float) -> None:
        """Fails the room, because the host was starved when a bot was late (see Listener)."""
        self.failed(self._bots.overload(bot, starved_ms / 1000, allowed_ms / 1000))

    @_fail_on_error
    def lost(self, bot: str) -> None:
        """Waits for a bot whose connection broke (see Listener). If it does not come back, continues without it."""
        if not self._spec.clock.reconnect_ms:
            self._bots.connections[bot].close()
            self._end_turns(bot)
        self._reconnection.begin(bot)

    @_fail_on_error
    def cut_off(self, bot: str) -> None:
        """Continues without a bot that sent too many unrequested answers (see Listener)."""
        self._go_on_without(bot, self._reconnection.give_up(bot, Fault.OVER_LIMIT))

    def failed(self, error: Exception) -> None:
        """Ends the room with an error of the referee or the host (see Listener)."""
        if not self._finished.done():
            self._finished.set_exception(error)

    @_fail_on_error
    def _go_on_without(self, bot: str, fault: Fault | None) -> None:
        for table in [table for table in self._tables.values() if bot in table.line_up]:
            self._leave(table, bot, fault)

    def _leave(self, table: Table, bot: str, fault: Fault | None) -> None:
        table.leave(table.line_up.index(bot), fault)
        self._serve(table)
        self._end_turns(*table.line_up)

    @_fail_on_error
    def _seat_next(self) -> None:
        if not self._waiting:  # more tables were cleared at once than matches were left
            return
        number, spec = self._waiting.popleft()
        options = [self._ask_options(bot) for bot in spec.line_up]
        watch = self._public.write if self._public else None
        table = Table(number, spec, options, self._spec.max_faults, watch)
        self._tables[number] = table
        for seat, bot in enumerate(spec.line_up):
            self._used_before[number, bot] = self._bots.processor_ms(bot)
            seating = Seating(number, spec.match, seat, len(spec.line_up), spec.deals, spec.house)
            self._bots.connections[bot].seat(seating)
        table.begin([seat for seat, bot in enumerate(spec.line_up) if bot in self._bots.absent])
        for seat, bot in enumerate(spec.line_up):
            if bot in self._reconnection.gone:
                table.leave(seat, self._reconnection.gone[bot])
        self._serve(table)

    def _ask_options(self, bot: str) -> AskOptions:
        hello = self._bots.connections[bot].hello
        return AskOptions(hello.forced_plays, hello.events) if hello else AskOptions(False, False)

    def _serve(self, table: Table) -> None:
        """Asks every seat that must act and is not asked yet. Clears the table when its match is over."""
        for report in table.reports():
            self._bots.note(table.line_up[report.seat], report.lines)
        if table.over:
            self._clear(table)
            return
        for seat in table.to_ask:
            connection = self._bots.connections[table.line_up[seat]]
            left = connection.left(table.number)
            if not connection.closed:  # a closed connection asks nobody
                self._bots.cpu_guard.begin(connection.bot)
            connection.ask(table.ask(seat, int(left.bank_ms), int(left.match_ms)))

    def _end_turns(self, *bots: str) -> None:
        """Ends the turn of each of these bots for which no table waits."""
        for bot in bots:
            if not self._bots.connections[bot].is_asked:
                self._bots.cpu_guard.end(bot)

    def _clear(self, table: Table) -> None:
        if self._tables.pop(table.number, None) is None:
            return
        timings = tuple(self._end_match(table, seat) for seat in range(len(table.line_up)))
        self._outcomes[table.number] = replace(table.outcome(timings), isolation=self._spec.isolation.level)
        self._end_turns(*table.line_up)
        if self._waiting and not self._must_restart():
            self._loop.call_soon(self._seat_next)
        elif not self._tables and not self._finished.done():
            self._finished.set_result(None)

    def _must_restart(self) -> bool:
        """Whether new processes must play the remaining matches, because a bot is gone."""
        present = (connection.live and not connection.closed for connection in self._bots.connections.values())
        return self._spec.restarts and not all(present)

    def _end_match(self, table: Table, seat: int) -> SeatTiming:
        """Tells a seat's bot that its match is over, and returns its use of time."""
        bot = table.line_up[seat]
        used_ms = self._bots.processor_ms(bot) - self._used_before.pop((table.number, bot))
        return self._bots.connections[bot].end_match(table.end(seat))._replace(cpu_ms=max(0.0, used_ms))
