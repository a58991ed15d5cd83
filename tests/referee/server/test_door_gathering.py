"""The door: a room begins when its remote bots are all here, or their time to come is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.messages import Hello
from bourre.rules.house import HouseRules
from bourre_referee.model.door_spec import DoorSpec, Listen
from bourre_referee.model.spec import BotsAway, Clock, Entry, MatchOutcome, MatchSpec, PlacedRoom
from bourre_referee.server.bot_pool import Lines
from bourre_referee.server.door import Door
from bourre_referee.server.line import Line

CLOCK = Clock(connect_ms=86_400_000)
ROOM = PlacedRoom(
    room="m0001",
    entries=tuple(Entry(bot, None, Path()) for bot in ("ada", "bob")),
    matches=(),
    tables=1,
    clock=CLOCK,
    max_faults=10,
    logs=Path(),
)


class Desk:
    """A door whose bots come and go by hand, and whose rooms are over as soon as they begin."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, most_bots: int | None) -> None:
        monkeypatch.setattr("bourre_referee.server.door.play_room", self._begin)
        spec = DoorSpec("contest", ("ada", "bob", "cy"), CLOCK, Listen(), Path(), most_bots)
        self.begun: list[PlacedRoom] = []
        self.first_tables: list[int] = []
        self.door = Door(spec, lambda _bot, _here: None, lambda: None)
        self.door.use_tokens({bot: bot for bot in spec.bots}, {})

    async def _begin(self, room: PlacedRoom, lines: Lines, first_table: int) -> list[MatchOutcome]:
        self.begun.append(room)
        self.first_tables.append(first_table)
        return []

    def come(self, bot: str) -> None:
        self.lines[bot].admit(Hello("token"))

    def leave(self, bot: str) -> None:
        self.lines[bot].hang_up()

    @property
    def lines(self) -> dict[str, Line]:
        return self.door._lines


def at_a_desk(
    monkeypatch: pytest.MonkeyPatch, test: Callable[[Desk], Coroutine[None, None, None]], most_bots: int | None = None
) -> None:
    async def run() -> None:
        await asyncio.wait_for(test(Desk(monkeypatch, most_bots)), 60)

    asyncio.run(run())


async def a_while() -> None:
    """Lets whatever may happen now happen."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_room_begins_once_its_bots_are_here_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(desk: Desk) -> None:
        playing = asyncio.create_task(desk.door.play(ROOM))
        for change in (desk.come, desk.leave):
            change("ada")
            await a_while()
        desk.come("bob")
        desk.come("cy")
        await a_while()
        assert not desk.begun
        desk.come("ada")
        await playing
        assert [room.clock for room in desk.begun] == [replace(CLOCK, connect_ms=0)]

    at_a_desk(monkeypatch, wait)


def test_a_room_begins_without_who_does_not_come_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(desk: Desk) -> None:
        desk.come("ada")
        await desk.door.play(replace(ROOM, clock=Clock(connect_ms=1)))
        assert len(desk.begun) == 1

    at_a_desk(monkeypatch, wait)


def test_a_room_whose_bots_are_here_begins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def begin(desk: Desk) -> None:
        desk.come("ada")
        desk.come("bob")
        with pytest.raises(StopIteration):
            desk.door.play(ROOM).send(None)
        assert len(desk.begun) == 1

    at_a_desk(monkeypatch, begin)


def test_a_ladders_room_whose_bot_is_away_is_soon_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though `connect_ms` is a day."""
    monkeypatch.setattr("bourre_referee.server.door.AWAY_SECONDS", 0.001)

    async def wait(desk: Desk) -> None:
        desk.come("ada")
        with pytest.raises(BotsAway, match="bob left before it began"):
            await desk.door.play(ROOM)
        assert not desk.begun

    at_a_desk(monkeypatch, wait, most_bots=9)


def test_no_two_tables_of_a_door_have_the_same_number(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(desk: Desk) -> None:
        desk.come("ada")
        desk.come("bob")
        matches = tuple(MatchSpec(f"m000{number}", ("ada", "bob"), HouseRules(), 1, bytes(32)) for number in (1, 2, 3))
        for room in (replace(ROOM, matches=matches), ROOM, ROOM):
            await desk.door.play(room)
        first, *others = desk.first_tables
        assert others == [first + 3] * 2

    at_a_desk(monkeypatch, play)


def test_a_failure_of_the_referee_is_that_of_the_room_that_waits_then(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait(desk: Desk) -> None:
        desk.come("ada")
        with pytest.raises(KeyError):
            desk.lines["ada"].fail(KeyError("an earlier mistake"))
        for bot in ("bob", "cy"):
            other = replace(ROOM, entries=(ROOM.entries[0], Entry(bot, None, Path())))
            playing = asyncio.create_task(desk.door.play(other))
            await a_while()
            if bot == "cy":
                with pytest.raises(KeyError):
                    desk.lines["ada"].fail(KeyError("a mistake of ours"))
            desk.come(bot)
            await asyncio.wait({playing})
        with pytest.raises(KeyError, match="a mistake of ours"):
            await playing
        assert len(desk.begun) == 1

    at_a_desk(monkeypatch, wait)
