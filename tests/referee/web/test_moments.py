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
from bourre_referee.web.data.contest_stories import Upset, contest_stories
from bourre_referee.web.data.moments import MOST, Moment, MomentKind, Moments, moments_of
from bourre_referee.web.data.run_page import read_run
from bourre_referee.web.record_sums import CachedMoments, RecordTask, find_moments
from bourre_referee.web.viewer import render_deal
from tests.referee.web.serving import void_match

MARKS = {
    MomentKind.RENEGE: {"renege"},
    MomentKind.BOURRES: {"bourre"},
    MomentKind.FIGHT: {"chips", ""},
    MomentKind.LAST_TRICK: {""},
    MomentKind.POT: {"chips"},
}
"""The marks of the steps at which moments of a deal happened."""


def by_match(folder: Path) -> list[Moments]:
    """Returns the moments of each match of a run."""
    run = Run.open(folder)
    return [moments_of(number, read(run.record(match))) for number, match in enumerate(run.matches(), start=1)]


def joined(matches: list[Moments]) -> Moments:
    return reduce(Moments.join, matches, Moments())


def all_of(moments: Moments) -> tuple[Moment, ...]:
    return tuple(moment for kept in moments.kept.values() for moment in kept)


@pytest.mark.parametrize("run", ["faulty", "duplicate_folder"])
def test_every_moment_is_the_step_of_the_replay_that_tells_of_it(run: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(run)
    found = [moment for moments in by_match(folder) for moment in all_of(moments) if moment.kind in MARKS]
    assert {moment.kind for moment in found} >= {MomentKind.POT}
    for moment in found:
        record = read(Run.open(folder).record(moment.match))
        view = render_deal(record, moment.played.number, moment.played.seating)
        assert view is not None
        line = re.search(rf'<li(?: class="(\w+)")? id="step-{moment.step}">.*?</li>', view.viewer, re.DOTALL)
        assert line is not None
        assert (line[1] or "") in MARKS[moment.kind]
        if moment.kind != MomentKind.FIGHT:
            assert moment.bots[-1] in line[0]
        if moment.kind == MomentKind.RENEGE:
            assert moment.rule in line[0]


def test_the_weightiest_are_kept_in_whatever_order_matches_finish(faulty: Path) -> None:
    matches = by_match(faulty)
    every = [moment for moments in matches for moment in all_of(moments)]
    kept = joined(matches)
    for kind in (MomentKind.RENEGE, MomentKind.POT):
        moved = sorted((moment.moved for moment in every if moment.kind == kind), reverse=True)
        assert [moment.moved for moment in kept.kept[kind]] == moved[:MOST]
    shuffled = joined(Random(4).sample(matches, len(matches)))
    assert shuffled == kept


def test_the_costs_of_all_reneges_add_up(faulty: Path) -> None:
    costs = joined(by_match(faulty)).costs
    counted = {
        (row.bot, rule): n
        for row in read_run(Run.open(faulty)).standings.rows
        for rule, n in row.reneges_by_rule.items()
    }
    assert {key: cost.times for key, cost in costs.items()} == counted
    assert sum(cost.chips for cost in costs.values()) > 0


def test_a_contest_tells_one_story_of_each_kind_and_no_deal_twice(faulty: Path) -> None:
    data = read_run(Run.open(faulty))
    stories = contest_stories(data.standings, data.matches, joined(by_match(faulty)))
    kinds = [story.kind for story in stories.every]
    assert len(kinds) == len({*kinds})
    assert {MomentKind.RENEGE, "habit"} <= {*kinds}
    moved = [story.moved for story in stories.told]
    assert moved == sorted(moved, reverse=True)
    event = CachedMoments().event(CachedRun(faulty).current()).data
    upset = next(story for story in stories.told if isinstance(story, Upset))
    assert event.upset is not None
    assert [curve[-1] for curve in event.upset] == [upset.chips, upset.beaten_chips]
    deals = [(story.match, story.played.number) for story in stories.every if isinstance(story, Moment)]
    assert len(deals) == len({*deals})


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
    assert (before.data.seen, before.data.stories.featured) == (0, None)
    assert moments.event(state) is before
    assert len(tasks) == 1
    tasks.pop()()
    after = moments.event(state)
    assert (after.data.seen, len(tasks)) == (7, 0)
    assert after.tag != before.tag
    assert after.data.stories == contest_stories(state.data.standings, state.data.matches, joined(by_match(faulty)[3:]))


def test_a_voided_match_takes_its_moments_with_it(folder: Path) -> None:
    cached, moments = CachedRun(folder, rest=0.0), CachedMoments()
    told = moments.event(cached.current()).data.stories.featured
    assert told is not None
    void_match(folder, told.match)
    found = moments.event(cached.current()).data
    assert found.seen == 9
    assert all(story.match != told.match for story in found.stories.every if isinstance(story, Moment))
