"""The whole measurement: each pair measures everything, so that a drifting machine affects all alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from bourre_referee.diagnostics.bench.bench_contest import play_contest
from bourre_referee.diagnostics.bench.bench_extent import GROWTH, Extent, Rooms, matches
from bourre_referee.diagnostics.bench.bench_report import Report, this_machine
from bourre_referee.diagnostics.bench.bench_summary import Round, summary
from bourre_referee.diagnostics.bench.echo_routes import Routes, routes_of
from bourre_referee.diagnostics.bench.room_speed import Timed, time_echo, time_room
from bourre_referee.diagnostics.bench.rules_speed import engine_rate, openspiel_rate, practice_rate
from bourre_referee.diagnostics.bench.single_messages import SingleMessages
from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.spec import RoomFailed

Made = TypeVar("Made")
Tell = Callable[[int, str], None]
"""Called with the pair (from 1), and what is measured of it."""


def measure(extent: Extent, tell: Tell = lambda pair, doing: None) -> Report:
    """Measure every pair; raises ContestFailed if the host cannot."""
    machine = this_machine()
    routes = [routes_of(matches(room.deals, room.tables)) for room in extent.rooms]
    try:
        rounds = [_Turn(extent, routes, number, tell).measure() for number in range(extent.pairs)]
    except (RoomFailed, OSError) as error:
        raise ContestFailed(f"the bench cannot go on: {error}\nEnd other programs, and try again.") from error
    return summary(extent, routes[extent.many].sizes, machine, rounds)


class _Turn:
    """Measures one pair; in every second one the echo comes first."""

    def __init__(self, extent: Extent, routes: Sequence[Routes], number: int, tell: Tell) -> None:
        self._extent = extent
        self._routes = routes
        self._number = number
        self._tell = tell

    def measure(self) -> Round:
        extent = self._extent
        return Round(
            rooms=tuple(map(self._room, extent.rooms, self._routes)),
            single=self._single(extent.rooms[extent.many]),
            engine=self._now("the rules alone", lambda: engine_rate(extent.engine_deals)),
            openspiel=self._now("OpenSpiel", lambda: openspiel_rate("euchre", extent.games)),
            practice=self._now("practice", lambda: practice_rate(extent.practice_deals)),
            contest=self._now("a contest", lambda: play_contest(extent.contest_rounds, extent.contest_deals)),
            longer=self._now(
                f"a contest of {GROWTH} times as many deals",
                lambda: play_contest(GROWTH * extent.contest_rounds, extent.contest_deals),
            ),
        )

    def _room(self, room: Rooms, routes: Routes) -> tuple[Timed, Timed]:
        if self._number % 2:
            bare = self._echo(room, routes)
            return self._played(room), bare
        return self._played(room), self._echo(room, routes)

    def _played(self, room: Rooms) -> Timed:
        return self._now(f"a room, tables: {room.tables}", lambda: time_room(room.deals, room.tables))

    def _echo(self, room: Rooms, routes: Routes) -> Timed:
        return self._now(f"an echo, tables: {room.tables}", lambda: time_echo(routes))

    def _single(self, room: Rooms) -> Timed:
        return self._now("each ask by itself", lambda: time_room(room.deals, room.tables, SingleMessages))

    def _now(self, doing: str, what: Callable[[], Made]) -> Made:
        self._tell(self._number + 1, doing)
        return what()
