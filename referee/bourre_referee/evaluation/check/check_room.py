"""A room for the bot under test: a real process over real gRPC, among guests that play at random."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from bourre import Bot, Card, Suit, View
from bourre.connection.bot_tables import Tables
from bourre.messages import Hello
from bourre.rules.actions import Choice, Fault, Missing, Play, Recall
from bourre_referee.evaluation.check.transcript import Exchange, RecordedConnection, Stray
from bourre_referee.evaluation.check.trial_matches import CORRECTION, TESTED_BOT
from bourre_referee.model.listener_spec import remote_bots
from bourre_referee.model.spec import Clock, MatchOutcome, PlacedRoom, RoomFailed, SeatTiming
from bourre_referee.server.bot_clock import Timekeeper
from bourre_referee.server.connection import Connection, Listener
from bourre_referee.server.room import Room
from bourre_referee.server.table import Table


class GuestBot(Bot):
    """Plays at random, so that the bot under test sees all sorts of hands. In repetitions it plays the same."""

    def declare(self, view: View) -> bool:
        """Plays more often than not."""
        return view.rng.random() < 0.6

    def draw(self, view: View) -> Iterable[Card]:
        """Discards any number of any cards."""
        return view.rng.sample(view.hand, view.rng.randint(0, min(view.max_discards, len(view.hand))))

    def take_turned(self, view: View) -> bool:
        """Takes it every other time."""
        return view.rng.random() < 0.5

    def name_trump(self, view: View) -> Suit:
        """Names any suit."""
        return view.rng.choice(list(Suit))

    def stay(self, view: View) -> bool:
        """Stays more often than not."""
        return view.rng.random() < 0.7

    def play(self, view: View) -> Card:
        """Plays any legal card."""
        return view.rng.choice(view.legal)


async def play_guest(connection: Connection) -> None:
    """Plays a guest on this connection until the referee says goodbye."""
    tables = Tables(GuestBot)
    connection.admit(Hello(token="", client="guest"))
    while True:
        bundle = await connection.outgoing()
        with connection.sending():
            await asyncio.sleep(0)  # lets others run while only guests play
        tables.follow(bundle)
        if bundle.goodbye:
            return
        answers = [answer for ask in bundle.asks for answer in await tables.answers(ask)]
        if answers:
            connection.receive(answers)


MAX_LATE = 5
"""After this many late answers the bot gets no more questions, so that a check ends."""

Advance = Callable[[int], None]
"""Called with the number of finished matches."""


@dataclass(frozen=True, slots=True)
class CheckedRoom:
    """The results of a room."""

    outcomes: tuple[MatchOutcome, ...]
    """The outcomes, in the order of the matches."""
    exchanges: tuple[Exchange, ...]
    """The questions with their answers, in the order of the questions."""
    strays: tuple[Stray, ...]
    hello: Hello | None
    """The bot's hello, or None if it never connected."""
    hello_seconds: float
    """Seconds from the launch to the hello, or until the referee stopped waiting for it."""
    turned_away: str
    """The reason why its hello was refused."""
    gone: Fault | None
    """The fault after which the bot got no more questions, or None if it played to the end."""
    chatter: bool
    """Whether the referee closed its connection because it sent far too many answers."""
    exit_status: int | None
    """The exit status after the goodbye, or None if it did not end."""
    memory_kib: tuple[int, ...]
    """Its memory at the end of each match."""
    printed: bytes
    """Its log: its output, up to a limit, and the referee's notes."""


async def play(spec: PlacedRoom, advance: Advance) -> CheckedRoom:
    """Plays the room. Raises RoomFailed if the host fails."""
    room = _CheckRoom(spec, advance)
    try:
        async with room.run_bots():
            await room.assemble()
            outcomes = await room.play() if room.is_bot_there else []
            exit_status = await room.exit_status()
    except OSError as error:
        raise RoomFailed(str(error)) from error
    return room.summarize(outcomes, exit_status, spec.logs / TESTED_BOT / f"{spec.room}.log")


class _CheckRoom(Room):
    """Records the bot's connection, plays the guests, and occasionally misplays a card for the bot."""

    def __init__(self, spec: PlacedRoom, advance: Advance) -> None:
        self._began = self._greeted = perf_counter()
        self._advance = advance
        self._late = 0
        self._chatter = False
        self._memory: list[int] = []
        self._guests: list[asyncio.Task[None]] = []
        super().__init__(spec, dict.fromkeys(remote_bots(spec), self), make_connection=self._connect)

    def _connect(self, bot: str, room: str, limits: Clock, listener: Listener, timekeeper: Timekeeper) -> Connection:
        if bot != TESTED_BOT:
            patient = replace(limits, decision_ms=limits.match_ms)
            return Connection(bot, room, patient, listener, timekeeper)
        self._recorded = RecordedConnection(bot, room, limits, listener, timekeeper)
        return self._recorded

    @contextmanager
    def lent_to(self, connection: Connection) -> Iterator[None]:
        """Starts a guest, instead of lending the line of a remote bot."""
        self._guests.append(asyncio.create_task(play_guest(connection)))
        yield

    async def assemble(self) -> None:
        """Waits for the bot's hello."""
        self._began = perf_counter()
        await super().assemble()
        self._greeted = perf_counter()

    @property
    def is_bot_there(self) -> bool:
        """Returns whether the bot has said hello."""
        return TESTED_BOT not in self._bots.absent

    async def play(self) -> list[MatchOutcome]:
        """Plays all matches. An exception in a guest is a bug in the check, and is raised."""
        outcomes = await super().play()
        await asyncio.gather(*self._guests)
        return outcomes

    async def exit_status(self) -> int | None:
        """Returns the bot's exit status after the goodbye."""
        return await self._bots.exit_status(TESTED_BOT)

    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """Takes the awaited answer of a bot (see Listener)."""
        if bot == TESTED_BOT:
            action = self._misplay(table, action)
            self._late += action == Missing(Fault.LATE)
        super().answered(bot, table, action, recall)
        if self._late >= MAX_LATE and TESTED_BOT not in self._reconnection.gone:
            self._bots.connections[TESTED_BOT].close()
            self._go_on_without(TESTED_BOT, self._reconnection.give_up(TESTED_BOT, Fault.LATE))

    def cut_off(self, bot: str) -> None:
        """Closes the connection of a bot that sends far too many answers (see Listener)."""
        self._chatter = True
        super().cut_off(bot)

    def summarize(self, outcomes: list[MatchOutcome], exit_status: int | None, log: Path) -> CheckedRoom:
        """Returns the results of the room."""
        connection = self._recorded
        absent = Fault.START_FAILURE if TESTED_BOT in self._bots.absent else None
        return CheckedRoom(
            outcomes=tuple(outcomes),
            exchanges=tuple(connection.exchanges.values()),
            strays=tuple(connection.strays),
            hello=connection.hello,
            hello_seconds=self._greeted - self._began,
            turned_away=connection.turned_away,
            gone=self._reconnection.gone.get(TESTED_BOT, absent),
            chatter=self._chatter,
            exit_status=exit_status,
            memory_kib=tuple(self._memory),
            printed=log.read_bytes() if log.exists() else b"",
        )

    def _misplay(self, table: int, action: Choice | Missing) -> Choice | Missing:
        """In the match CORRECTION, replaces the bot's legal card with an illegal one, which it must then correct."""
        if self._tables[table].spec.match != CORRECTION or not isinstance(action, Play):
            return action
        asked = (exchange.ask for exchange in reversed(self._recorded.exchanges.values()))
        view = next(ask.view for ask in asked if ask.table == table)
        illegal = [card for card in view.hand if card not in view.legal]
        if view.correcting or action.card not in view.legal or not illegal:
            return action
        return Play(illegal[0])

    def _end_match(self, table: Table, seat: int) -> SeatTiming:
        timing = super()._end_match(table, seat)
        if table.spec.line_up[seat] == TESTED_BOT:
            self._memory.append(self._bots.memory_kib(TESTED_BOT))
            self._advance(len(self._memory))
        return timing
