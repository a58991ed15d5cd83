"""Measures everything in each pair, so that a machine whose speed drifts affects all figures alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from bench.contest import play_contest
from bench.echo_routes import Routes, routes_of
from bench.extent import GROWTH, Extent, RoomExtent, matches
from bench.report import Report, this_machine
from bench.room_speed import RoomTiming, time_echo, time_room
from bench.rules_speed import engine_rate, openspiel_rate, practice_rate
from bench.summary import Round, summarize
from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.spec import RoomFailed
from bourre_referee.server.single_messages import SingleMessages

Result = TypeVar("Result")
Announce = Callable[[int, str], None]
"""Called with the number of the pair, starting at 1, and with what is measured next."""


def measure(extent: Extent, announce: Announce = lambda pair, doing: None) -> Report:
    """Measures every pair; raises ContestFailed if the host cannot."""
    machine = this_machine()
    routes = [routes_of(matches(room.deals, room.tables)) for room in extent.rooms]
    try:
        rounds = [_Pair(extent, routes, number, announce).measure() for number in range(extent.pairs)]
    except (RoomFailed, OSError) as error:
        raise ContestFailed(f"the bench cannot go on: {error}\nEnd other programs, and try again.") from error
    return summarize(extent, routes[extent.many].sizes, machine, rounds)


class _Pair:
    """Measures one pair; in every second pair the echo comes before its room."""

    def __init__(self, extent: Extent, routes: Sequence[Routes], number: int, announce: Announce) -> None:
        self._extent = extent
        self._routes = routes
        self._number = number
        self._announce = announce

    def measure(self) -> Round:
        extent = self._extent
        return Round(
            rooms=tuple(map(self._time_both, extent.rooms, self._routes)),
            single=self._time_single(extent.rooms[extent.many]),
            engine=self._time("the rules alone", lambda: engine_rate(extent.engine_deals)),
            openspiel=self._time("OpenSpiel", lambda: openspiel_rate("euchre", extent.games)),
            practice=self._time("practice", lambda: practice_rate(extent.practice_deals)),
            contest=self._time("a contest", lambda: play_contest(extent.contest_rounds, extent.contest_deals)),
            longer=self._time(
                f"a contest of {GROWTH} times as many deals",
                lambda: play_contest(GROWTH * extent.contest_rounds, extent.contest_deals),
            ),
        )

    def _time_both(self, room: RoomExtent, routes: Routes) -> tuple[RoomTiming, RoomTiming]:
        if self._number % 2:
            bare = self._time_echo(room, routes)
            return self._time_room(room), bare
        return self._time_room(room), self._time_echo(room, routes)

    def _time_room(self, room: RoomExtent) -> RoomTiming:
        return self._time(f"a room, tables: {room.tables}", lambda: time_room(room.deals, room.tables))

    def _time_echo(self, room: RoomExtent, routes: Routes) -> RoomTiming:
        return self._time(f"an echo, tables: {room.tables}", lambda: time_echo(routes))

    def _time_single(self, room: RoomExtent) -> RoomTiming:
        return self._time("each ask by itself", lambda: time_room(room.deals, room.tables, SingleMessages))

    def _time(self, doing: str, measurement: Callable[[], Result]) -> Result:
        self._announce(self._number + 1, doing)
        return measurement()
