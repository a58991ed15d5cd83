"""The moments of a contest: found in the records, kept as matches finish, forgotten when a match is voided."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from random import Random

import pytest

from bourre.record import read
from bourre_referee.storage.run.run import Run
from bourre_referee.web import record_sums
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.data.event_page import MOST, EventMoment, MomentKind, Moments, moments_of
from bourre_referee.web.record_sums import CachedMoments, RecordTask, find_moments
from bourre_referee.web.viewer import render_deal
from tests.referee.web.serving import void_match

MARKS = {MomentKind.RENEGE: "renege", MomentKind.BOURRE: "bourre", MomentKind.POT: "chips"}


def by_match(folder: Path) -> list[Moments]:
    """Returns the moments of each match of a run."""
    run = Run.open(folder)
    return [moments_of(number, read(run.record(match))) for number, match in enumerate(run.matches(), start=1)]


def joined(matches: list[Moments]) -> Moments:
    return reduce(Moments.join, matches, Moments())


def all_of(moments: Moments) -> tuple[EventMoment, ...]:
    return (*moments.reneges, *moments.bourres, *moments.pots)


@pytest.mark.parametrize("run", ["faulty", "duplicate_folder"])
def test_every_moment_is_the_step_of_the_replay_that_tells_of_it(run: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(run)
    found = [moment for moments in by_match(folder) for moment in all_of(moments)]
    assert {moment.kind for moment in found} >= {MomentKind.BOURRE, MomentKind.POT}
    for moment in found:
        record = read(Run.open(folder).record(moment.match))
        page = str(render_deal(record, moment.deal, moment.seating))
        line = re.search(rf'<li class="(\w+)"><a id="step-{moment.step}" .*?</li>', page, re.DOTALL)
        assert line is not None
        assert line[1] == MARKS[moment.kind]
        assert moment.bot in line[0]
        assert (moment.rule if moment.kind == MomentKind.RENEGE else str(moment.chips)) in line[0]


def test_the_last_ones_and_the_largest_are_kept_in_whatever_order_matches_finish(faulty: Path) -> None:
    matches = by_match(faulty)
    every = [moment for moments in matches for moment in all_of(moments)]
    kept = joined(matches)
    assert len(kept.reneges) == len(kept.bourres) == len(kept.pots) == MOST
    pots = [moment.chips for moment in every if moment.kind == MomentKind.POT]
    assert [pot.chips for pot in kept.pots] == sorted(pots, reverse=True)[:MOST]
    last = max((moment.number, moment.deal, moment.step) for moment in every if moment.kind == MomentKind.RENEGE)
    assert (kept.reneges[0].number, kept.reneges[0].deal, kept.reneges[0].step) == last
    assert joined(Random(4).sample(matches, len(matches))) == kept


def test_moments_are_found_as_matches_are_taken_in_and_no_record_is_read_twice(
    faulty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def find(task: RecordTask) -> Moments:
        asked.extend(task.numbers)
        return find_moments(task)

    monkeypatch.setattr(record_sums, "find_moments", find)
    state, moments = CachedRun(faulty).current(), CachedMoments()
    event = moments.event(state)
    assert (event.data.seen, event.data.secret) == (10, False)
    assert moments.event(state) is event
    assert asked == list(range(1, 11))


def test_many_matches_are_looked_into_in_the_background_and_only_the_newest(
    faulty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_sums, "MOST_MATCHES", 7)
    tasks: list[Callable[[], None]] = []
    state = CachedRun(faulty).current()
    moments = CachedMoments(start=tasks.append, at_once=5)
    before = moments.event(state)
    assert (before.data.seen, before.data.moments) == (0, Moments())
    assert moments.event(state) is before
    assert len(tasks) == 1
    tasks.pop()()
    after = moments.event(state)
    assert (after.data.seen, len(tasks)) == (7, 0)
    assert after.tag != before.tag
    assert after.data.moments == joined(by_match(faulty)[3:])


def test_a_voided_match_takes_its_moments_with_it(folder: Path) -> None:
    cached, moments = CachedRun(folder, rest=0.0), CachedMoments()
    assert moments.event(cached.current()).data.moments.pots
    void_match(folder, "m0010")
    found = moments.event(cached.current()).data
    assert found.seen == 9
    assert {moment.match for moment in all_of(found.moments)} <= {f"m{number:04}" for number in range(1, 10)}
    assert found.moments == joined(by_match(folder))
