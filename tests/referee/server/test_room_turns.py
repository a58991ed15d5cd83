"""Which bots are on turn in a room: exactly those that are asked; with connections, but no wire and no processes."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from bourre.messages import Answer, Ask, Hello
from bourre.rules.actions import Choice, Decision, Declare, Draw, Fault, Play
from bourre.rules.house import HouseRules
from bourre_referee.model.spec import BotEntry, Clock, MatchSpec, PlacedRoom
from bourre_referee.server import ask_batching
from bourre_referee.server.bot_clock import Timekeeper
from bourre_referee.server.bot_pool import BotPool
from bourre_referee.server.connection import Connection, Listener
from bourre_referee.server.room import Room

BOTS = ("a", "b", "c")


class OnTurn:
    """A fake `Turns` that notes which bots are on turn."""

    def __init__(self, _loop: object) -> None:
        self.bots: set[str] = set()

    def watch(self, processes: Mapping[str, object]) -> None:
        """There are no processes."""

    def begin(self, bot: str) -> None:
        """It is about to be asked."""
        self.bots.add(bot)

    def end(self, bot: str) -> None:
        """Nothing that it was asked is open."""
        self.bots.discard(bot)

    def release(self) -> None:
        """All may go."""
        self.bots.clear()


class Desk:
    """A room of three bots, whose answers the test gives."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, tables: int, reconnect_ms: int) -> None:
        self.lines: dict[str, Connection] = {}
        self.turns = OnTurn(None)
        monkeypatch.setattr("bourre_referee.server.bot_pool.CpuGuard", lambda _loop: self.turns)
        matches = tuple(MatchSpec(f"m{number:04}", BOTS, HouseRules(), 2, bytes(32)) for number in range(1, tables + 1))
        entries = tuple(BotEntry(bot, None, folder) for bot in BOTS)
        clock = Clock(decision_ms=600_000, reconnect_ms=reconnect_ms)
        self.room = Room(
            PlacedRoom(
                room="m0001", entries=entries, matches=matches, tables=tables, clock=clock, max_faults=10, logs=folder
            ),
            make_connection=self._line,
        )
        for line in self.lines.values():
            line.admit(Hello("token", forced_plays=False))
        self.playing = asyncio.create_task(self.room.play())

    def _line(self, bot: str, room: str, limits: Clock, listener: Listener, timekeeper: Timekeeper) -> Connection:
        self.lines[bot] = Connection(bot, room, limits, listener, timekeeper)
        return self.lines[bot]

    async def asks(self, bot: str) -> list[Ask]:
        """What a bot is asked now."""
        bundle = await self.lines[bot].outgoing()
        with self.lines[bot].sending():
            return bundle.asks

    def check(self) -> None:
        """Every bot that is asked is on turn, and no other."""
        assert self.turns.bots == {bot for bot, line in self.lines.items() if line.is_asked}


def choice(ask: Ask) -> Choice:
    """Always in, discards nothing, plays the first legal card."""
    if ask.view.decision == Decision.DECLARE:
        return Declare(True)
    return Draw() if ask.view.decision == Decision.DRAW else Play(ask.view.legal[0])


async def play_on(desk: Desk, bots: tuple[str, ...]) -> None:
    """These bots answer until none of them is asked any more."""
    while asked := [bot for bot in bots if desk.lines[bot].is_asked]:
        for ask in await desk.asks(asked[0]):
            desk.lines[asked[0]].receive([Answer(ask.table, ask.id, choice(ask))])
            desk.check()


@pytest.mark.parametrize("tables", [1, 3])
async def test_who_is_asked_is_on_turn_until_the_last_match_is_over(
    tables: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(monkeypatch, tmp_path, tables, reconnect_ms=0)
    await asyncio.sleep(0)
    desk.check()
    await play_on(desk, BOTS)
    assert [outcome.faults for outcome in await desk.playing] == [()] * tables


async def test_who_hangs_up_for_good_is_on_turn_no_more_while_it_is_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(monkeypatch, tmp_path, 1, reconnect_ms=0)
    await asyncio.sleep(0)
    first = next(bot for bot in BOTS if desk.lines[bot].is_asked)
    desk.lines[first].hang_up()
    desk.check()


async def test_who_hung_up_for_good_is_not_on_turn_when_its_turn_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(monkeypatch, tmp_path, 1, reconnect_ms=0)
    await asyncio.sleep(0)
    gone = next(bot for bot in BOTS if not desk.lines[bot].is_asked)
    desk.lines[gone].hang_up()
    await play_on(desk, tuple(bot for bot in BOTS if bot != gone))
    assert not desk.playing.done()
    desk.check()


async def test_a_missing_answer_ends_a_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch, tmp_path, 1, reconnect_ms=0)
    await asyncio.sleep(0)
    first = next(bot for bot in BOTS if desk.lines[bot].is_asked)
    (ask,) = await desk.asks(first)
    desk.lines[first].ran_out((ask.table, ask.id), Fault.LATE, 900)
    desk.check()
    assert desk.turns.bots


async def test_at_many_tables_asks_wait_while_another_bot_of_the_room_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_batching, "LONGEST_SECONDS", 3600.0)
    desk = Desk(monkeypatch, tmp_path, ask_batching.MANY_TABLES, reconnect_ms=0)
    await asyncio.sleep(0)
    first = next(bot for bot in BOTS if desk.lines[bot].is_asked)
    answers = [Answer(ask.table, ask.id, choice(ask)) for ask in await desk.asks(first)]
    desk.lines[first].receive(answers[:1])
    second = next(bot for bot in BOTS if bot != first and desk.lines[bot].is_asked)
    asks = asyncio.create_task(desk.asks(second))
    await asyncio.sleep(0)
    desk.lines[first].receive(answers[1:])
    asked = len(await asks)
    desk.playing.cancel()
    assert asked == ask_batching.MANY_TABLES


async def test_what_a_bot_used_before_a_match_is_no_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used = Counter(a=500, b=600, c=700)
    monkeypatch.setattr(BotPool, "processor_ms", lambda _, bot: float(used[bot]))
    desk = Desk(monkeypatch, tmp_path, 1, reconnect_ms=0)
    await asyncio.sleep(0)
    used.update(a=1, b=2, c=3)
    await play_on(desk, BOTS)
    (outcome,) = await desk.playing
    assert ([timing.cpu_ms for timing in outcome.timings]) == [1.0, 2.0, 3.0]
