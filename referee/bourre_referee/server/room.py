"""A room: one line-up of bots, and the tables at which they play."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial, wraps
from typing import Concatenate, ParamSpec

from bourre.messages import Answer, Seating
from bourre.rules.actions import Choice, Fault, Missing, Recall
from bourre_referee.model.duplicate import with_luck
from bourre_referee.model.spec import MatchOutcome, MatchSpec, RoomFailed, RoomSpec, SeatTiming
from bourre_referee.server.bot_pool import BotPool, Invite, MakeLine, invite_on_stderr
from bourre_referee.server.connection import Connection
from bourre_referee.server.host_proof import prove
from bourre_referee.server.table import AskOptions, Table

P = ParamSpec("P")


async def play_room(spec: RoomSpec, invite: Invite = invite_on_stderr) -> list[MatchOutcome]:
    """Plays the matches of a room with bots that it starts and ends; outcomes in the order of the matches.

    A bot's faults are charged to that bot and never raise. Raises RoomFailed where the host fails: void, to be played
    again. Where no bot comes, bots of our own have to show whose fault that is. When cancelled, it takes its bots with
    it.
    """
    outcomes = await _played(spec, invite, partial(prove, spec, partial(_played, invite=invite)))
    return [await _with_luck(match, outcome) for match, outcome in zip(spec.matches, outcomes, strict=True)]


async def _played(
    spec: RoomSpec, invite: Invite, when_nobody_comes: Callable[[], Awaitable[None]] | None = None
) -> list[MatchOutcome]:
    room = Room(spec, invite)
    try:
        async with room.opened():
            await room.assemble()
            if room.is_deserted and when_nobody_comes:
                await when_nobody_comes()
            return await room.play()
    except OSError as error:
        raise RoomFailed(f"room {spec.room}: {error}") from error


async def _with_luck(spec: MatchSpec, outcome: MatchOutcome) -> MatchOutcome:
    """By now no bot is waiting for us; but who asks whether we are alive, among thousands of boards, is answered."""
    await asyncio.sleep(0)
    return with_luck(spec, outcome)


def _failing_on_error(step: Callable[Concatenate[Room, P], None]) -> Callable[Concatenate[Room, P], None]:
    """A mistake of the referee ends the room at once; nobody waits for a table that stands still."""

    @wraps(step)
    def taken(room: Room, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            step(room, *args, **kwargs)
        except Exception as error:
            room.failed(error)

    return taken


class Room:
    """Seats the bots at tables, carries answers to tables and asks to lines, until every match is played."""

    def __init__(self, spec: RoomSpec, invite: Invite = invite_on_stderr, make_line: MakeLine = Connection) -> None:
        self._spec = spec
        self._loop = asyncio.get_running_loop()
        self._bots = BotPool(spec, self, invite, make_line)
        self._waiting = deque(enumerate(spec.matches))
        self._tables: dict[int, Table] = {}
        self._outcomes: dict[int, MatchOutcome] = {}
        self._used_before: dict[tuple[int, str], float] = {}
        self._finding_out: set[asyncio.Task[None]] = set()
        self._finished: asyncio.Future[None] = self._loop.create_future()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Runs the bots; on the way out every process is gone."""
        async with self._bots.opened():
            try:
                yield
            finally:
                for task in self._finding_out:
                    task.cancel()
                for line in self._bots.lines.values():
                    line.close()  # also where the room has failed: nobody is heard, awaited or late any more

    async def assemble(self) -> None:
        """Waits until every bot has said hello, has ended, or its time to start is over."""
        await self._bots.assemble()

    @property
    def is_deserted(self) -> bool:
        """Whether none of its bots came, some of which we have started."""
        started = any(entry.command is not None for entry in self._spec.entries)
        return started and self._bots.absent == {entry.name for entry in self._spec.entries}

    async def play(self) -> list[MatchOutcome]:
        """Plays all the matches and says goodbye; bots that are not there by now are absent."""
        for _ in range(min(self._spec.tables, len(self._waiting))):
            self._seat_next()
        await self._finished
        self._bots.dismiss()
        outcomes = [self._outcomes[number] for number in range(len(self._spec.matches))]
        return [replace(outcomes[0], notices=self._bots.notices()), *outcomes[1:]]

    @_failing_on_error
    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """The awaited answer of a bot (see Listener)."""
        at = self._tables[table]
        at.answer(at.line_up.index(bot), action, recall)
        self._serve(at)
        self._end_turns(bot)

    @_failing_on_error
    def unasked(self, bot: str, answer: Answer) -> None:
        """An answer that nobody asked for (see Listener); at a table that is not there it is nobody's fault."""
        table = self._tables.get(answer.table)
        if table is None or bot not in table.line_up:
            return
        table.unasked(table.line_up.index(bot), answer)
        for asked, other in enumerate(table.line_up):
            if asked not in table.awaiting:
                self._bots.lines[other].withdraw(answer.table)
        self._serve(table)
        self._end_turns(*table.line_up)

    @_failing_on_error
    def stalled(self, bot: str, table: int) -> None:
        """A bot has used up its time for a match (see Listener)."""
        self._leave(self._tables[table], bot, Fault.STALLED)

    @_failing_on_error
    def overloaded(self, bot: str, starved_ms: float, allowed_ms: float) -> None:
        """A bot is late and the host was, too (see Listener): nobody can say whose fault that is."""
        self.failed(self._bots.overload(bot, starved_ms / 1000, allowed_ms / 1000))

    @_failing_on_error
    def lost(self, bot: str) -> None:
        """A line went down (see Listener): wait for the bot to come back or to end, then go on without it."""
        line = self._bots.lines[bot]
        if not self._spec.clock.reconnect_ms:
            line.close()
            self._end_turns(bot)
        task = self._loop.create_task(self._find_out(bot, line.back))
        self._finding_out.add(task)
        task.add_done_callback(self._finding_out.discard)

    @_failing_on_error
    def cut_off(self, bot: str) -> None:
        """A bot that says far more than it is asked is heard no longer (see Listener)."""
        self._go_on_without(bot, self._bots.give_up(bot, Fault.OVER_LIMIT))

    def failed(self, error: Exception) -> None:
        """A mistake of the referee, or of the host (see Listener): the room ends by it."""
        if not self._finished.done():
            self._finished.set_exception(error)

    async def _find_out(self, bot: str, back: asyncio.Event) -> None:
        try:
            fault = await self._bots.await_return(bot, back)
        except Exception as error:
            self.failed(error)
            return
        if fault:
            self._go_on_without(bot, fault)

    @_failing_on_error
    def _go_on_without(self, bot: str, fault: Fault) -> None:
        for table in [table for table in self._tables.values() if bot in table.line_up]:
            self._leave(table, bot, fault)

    def _leave(self, table: Table, bot: str, fault: Fault) -> None:
        table.leave(table.line_up.index(bot), fault)
        self._serve(table)
        self._end_turns(*table.line_up)

    @_failing_on_error
    def _seat_next(self) -> None:
        if not self._waiting:  # several tables were cleared at once, for fewer matches than that
            return
        number, spec = self._waiting.popleft()
        table = Table(number, spec, [self._manner(bot) for bot in spec.line_up], self._spec.max_faults)
        self._tables[number] = table
        for seat, bot in enumerate(spec.line_up):
            self._used_before[number, bot] = self._bots.processor_ms(bot)
            seating = Seating(number, spec.match, seat, len(spec.line_up), spec.deals, spec.house)
            self._bots.lines[bot].seat(seating)
        table.begin([seat for seat, bot in enumerate(spec.line_up) if bot in self._bots.absent])
        for seat, bot in enumerate(spec.line_up):
            if bot in self._bots.gone:
                table.leave(seat, self._bots.gone[bot])
        self._serve(table)

    def _manner(self, bot: str) -> AskOptions:
        hello = self._bots.lines[bot].hello
        return AskOptions(hello.forced_plays, hello.events) if hello else AskOptions(False, False)

    def _serve(self, table: Table) -> None:
        """Asks whoever is to act, unless that is done; clears the table when its match is over."""
        for report in table.reports():
            self._bots.note(table.line_up[report.seat], report.lines)
        if table.over:
            self._clear(table)
            return
        for seat in table.to_ask:
            line = self._bots.lines[table.line_up[seat]]
            left = line.left(table.number)
            if not line.closed:  # such a line asks nobody, though it may not be known yet why it broke
                self._bots.turns.begin(line.bot)
            line.ask(table.ask(seat, int(left.bank_ms), int(left.match_ms)))

    def _end_turns(self, *bots: str) -> None:
        """A bot is on turn while any of its tables waits for it."""
        for bot in bots:
            if not self._bots.lines[bot].is_asked:
                self._bots.turns.end(bot)

    def _clear(self, table: Table) -> None:
        if self._tables.pop(table.number, None) is None:
            return
        timings = tuple(self._end_match(table, seat) for seat in range(len(table.line_up)))
        self._outcomes[table.number] = replace(table.outcome(timings), isolation=self._spec.isolation.level)
        self._end_turns(*table.line_up)
        if self._waiting:
            self._loop.call_soon(self._seat_next)
        elif not self._tables and not self._finished.done():
            self._finished.set_result(None)

    def _end_match(self, table: Table, seat: int) -> SeatTiming:
        """Tells the bot of a seat that its match is over; how it used its time there."""
        bot = table.line_up[seat]
        used_ms = self._bots.processor_ms(bot) - self._used_before.pop((table.number, bot))
        return replace(self._bots.lines[bot].end_match(table.end(seat)), cpu_ms=max(0.0, used_ms))
