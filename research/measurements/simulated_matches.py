"""Simulated contests of the bots of examples/contest.toml, as the referee stores and judges them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import combinations, repeat
from pathlib import Path

from session_bank import Array, Indices, centred

from bourre_referee.contest.contest_file import load
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.model.results import MatchResult, SeatResult, ranks_of
from bourre_referee.statistics.field_rows import FieldRows
from bourre_referee.statistics.field_verdict import FieldVerdict, judge_field
from bourre_referee.statistics.ranking import INNER_LEVEL
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.storage.run.run_writer import begin_run

CONTEST = Path(__file__).parents[2] / "examples/contest.toml"

DEALS = 50
"""The deals of a match."""
PARTS = 10_000
"""The parts of a chip that are told apart."""


@cache
def manifest_of(schedule: ScheduleChoice) -> Manifest:
    """Returns the manifest of examples/contest.toml with this schedule."""
    contest = load(CONTEST)
    terms = terms_of(replace(contest, schedule=schedule))
    return begin_run(contest.name, terms, bytes(32), 0, datetime.now(UTC))


@cache
def names() -> tuple[str, ...]:
    """Returns the bots in the order of the banks."""
    return manifest_of(ScheduleChoice()).bots


def results_of(
    line_ups: Indices, chips: Array, first: int = 1, absent: Iterable[Collection[int]] = repeat(())
) -> Iterator[MatchResult]:
    """Yields matches as results, the first with this number, with the bots that are absent from each."""
    matches = zip(line_ups.tolist(), centred(chips).tolist(), absent, strict=False)
    for number, (line_up, won, missing) in enumerate(matches, start=first):
        yield _result(number, line_up, won, missing)


def _result(number: int, line_up: Sequence[int], per_100: Sequence[float], absent: Collection[int]) -> MatchResult:
    chips = [round(DEALS * PARTS * each / 100) for each in per_100]
    chips[-1] -= sum(chips)
    seats = tuple(
        SeatResult(names()[bot], won, rank, 0, 0, 0, 0, house_deals=DEALS if bot in absent else 0)
        for bot, won, rank in zip(line_up, chips, ranks_of(chips), strict=True)
    )
    return MatchResult(f"m{number:04}", DEALS, seats, PARTS)


def judge(results: Iterable[MatchResult], level: float = INNER_LEVEL) -> FieldVerdict:
    """Judges the bots by these matches."""
    rows = FieldRows()
    for number, result in enumerate(results, start=1):
        rows.add(result, number)
    return judge_field(rows, sorted(names()), level)


def pairs_apart(ranking: Iterable[str], brackets: Sequence[Collection[str]]) -> Iterator[tuple[int, int]]:
    """Yields the numbers of the better and the worse of any two bots without a common bracket."""
    numbers = {name: number for number, name in enumerate(names())}
    for upper, lower in combinations(ranking, 2):
        if not any(upper in bracket and lower in bracket for bracket in brackets):
            yield numbers[upper], numbers[lower]
