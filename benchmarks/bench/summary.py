"""Summarises rounds: medians of rates, and of ratios taken round by round."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.contest import ContestTiming
from bench.echo_server import Sizes
from bench.extent import Extent, RoomExtent
from bench.report import Contest, Engine, Machine, Practice, Report, RoomFigures, Wire
from bench.room_speed import RoomTiming
from bourre_referee.model.build import is_compiled


@dataclass(frozen=True, slots=True)
class Round:
    """The measurements of one round."""

    rooms: tuple[tuple[RoomTiming, RoomTiming], ...]
    """The timings of each room and of its echo, in the order of the extent."""
    single: RoomTiming
    engine: float
    openspiel: float | None
    practice: float
    contest: ContestTiming
    longer: ContestTiming


def summarize(extent: Extent, sizes: Sizes, machine: Machine, rounds: Sequence[Round]) -> Report:
    """Makes a report from all rounds."""
    return Report(
        machine=machine,
        pairs=extent.pairs,
        quick=extent.quick,
        wire=_wire(extent, sizes, rounds),
        practice=Practice(_rate(each.practice for each in rounds)),
        engine=_engine(rounds),
        contest=_contest(extent, rounds),
    )


def _wire(extent: Extent, sizes: Sizes, rounds: Sequence[Round]) -> Wire:
    rooms = enumerate(extent.rooms)
    figures = [compare_with_echo(room, [each.rooms[number] for each in rounds]) for number, room in rooms]
    place = extent.many
    many = [each.rooms[place][0] for each in rounds]
    singles = [each.single for each in rounds]
    return Wire(
        ratio_to_echo=figures[place].ratio_to_echo,
        asks_to_echo=figures[place].asks_to_echo,
        ratio_to_single=_ratio(_decisions(many), _decisions(singles)),
        decisions_per_s=figures[place].decisions_per_s,
        single_decisions_per_s=_rate(_decisions(singles)),
        one_table_ratio_to_echo=figures[0].ratio_to_echo,
        one_table_asks_to_echo=figures[0].asks_to_echo,
        ask_bytes=sizes.ask,
        answer_bytes=sizes.answer,
        start_seconds=round(statistics.median(room.start_seconds for room in many), 3),
        tables=tuple(figures),
    )


def compare_with_echo(room: RoomExtent, pairs: Sequence[tuple[RoomTiming, RoomTiming]]) -> RoomFigures:
    """Compares a room with its echo, pair by pair."""
    played, echoes = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    asks, bare = [each.asks_per_second for each in played], [each.asks_per_second for each in echoes]
    return RoomFigures(
        tables=room.tables,
        deals=room.deals,
        asks_per_s=_rate(asks),
        decisions_per_s=_rate(_decisions(played)),
        echo_per_s=_rate(bare),
        asks_to_echo=_ratio(asks, bare),
        ratio_to_echo=_ratio(_decisions(played), bare),
    )


def _engine(rounds: Sequence[Round]) -> Engine:
    ours = [each.engine for each in rounds]
    theirs = [each.openspiel for each in rounds if each.openspiel is not None]
    return Engine(
        decisions_per_s=_rate(ours),
        compiled=is_compiled(),
        openspiel_decisions_per_s=_rate(theirs) if theirs else None,
        ratio_to_openspiel=_ratio(ours, theirs) if theirs else None,
    )


def _contest(extent: Extent, rounds: Sequence[Round]) -> Contest:
    place = extent.many
    longer = [each.longer for each in rounds]
    growth = statistics.median(each.longer.peak_mib - each.contest.peak_mib for each in rounds)
    return Contest(
        decisions_per_s=_rate(each.decisions_per_second for each in longer),
        ratio_to_wire=_ratio(
            [each.decisions_per_second for each in longer], _decisions([each.rooms[place][0] for each in rounds])
        ),
        bytes_per_deal=round(statistics.median(each.bytes_per_deal for each in longer), 1),
        rss_growth_mib=round(growth, 1),
        peak_mib=round(statistics.median(each.peak_mib for each in longer), 1),
        time_growth=_ratio([each.seconds for each in longer], [each.contest.seconds for each in rounds]),
        deals=longer[0].deals,
    )


def _decisions(rooms: Iterable[RoomTiming]) -> list[float]:
    return [room.decisions_per_second for room in rooms]


def _rate(rates: Iterable[float]) -> float:
    """Returns the median as a whole number."""
    return round(statistics.median(rates))


def _ratio(ours: Iterable[float], theirs: Iterable[float]) -> float:
    """Returns the median of the ratios, taken pair by pair."""
    return round(statistics.median(one / other for one, other in zip(ours, theirs, strict=True)), 3)
