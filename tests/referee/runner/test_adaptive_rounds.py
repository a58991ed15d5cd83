"""Adaptive rounds: matches for neighbours that are not told apart yet, derived again from the results and verified."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

import pytest

from bourre_referee.contest.contest_file import load
from bourre_referee.contest.stages import match_id
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.runner.adaptive_rounds import adaptive_round, looks, pairings_of
from bourre_referee.statistics.ranking import level_of_looks
from bourre_referee.storage.run.manifest import ClosedStage, Manifest, rating_method
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.void_match import void
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.totals_check import CheckedRounds
from bourre_referee.verify.verify import verify
from bourre_referee.verify.verify_text import document, lines
from tests.referee import contests
from tests.referee.in_process import finished_run, leave_at, run_in_process
from tests.referee.tampering import Tamperer

TEXT = contests.FILE.replace("rounds = 2", "rounds = 1\nadaptive = 2")


@pytest.mark.parametrize(
    ("undecided", "companies"),
    [
        ((), []),
        ((0,), ["abc"]),
        ((0, 1), ["abc"]),
        ((1, 3), ["bcd", "def"]),
        ((0, 1, 2, 3, 4), ["abc", "cde", "def"]),
        ((4,), ["def"]),
    ],
)
def test_undecided_neighbours_sit_together_somewhere_in_as_few_line_ups_as_can_be(
    undecided: tuple[int, ...], companies: list[str]
) -> None:
    found = pairings_of([place in undecided for place in range(5)], "abcdef", 3)
    assert ["".join(company) for company in found] == companies


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest and its finished run."""
    place = tmp_path_factory.mktemp("kept")
    finished_run(place, TEXT)
    return place


@pytest.fixture
def finished(kept: Path, tmp_path: Path) -> Tamperer:
    """A tamperer for a copy of a finished run, with its contest beside it."""
    return Tamperer(copytree(kept, tmp_path / "kept") / "run")


def test_two_rounds_at_most_are_added_for_those_who_are_not_told_apart(tmp_path: Path) -> None:
    notices: list[str] = []
    contest = contests.small_contest(tmp_path / "contest", TEXT)
    kept = run_in_process(contest, tmp_path / "run", watch=lambda progress: notices.extend(progress.notices))
    manifest = kept.manifest
    assert len(manifest.added) == 2
    assert manifest.matches == manifest.finished == sum(stage.places for stage in manifest.stages)
    assert [notice.partition(":")[0] for notice in notices if notice.startswith("adaptive")] == [
        "adaptive round 1 of at most 2",
        "adaptive round 2 of at most 2",
    ]
    for stage in manifest.stages[1:]:
        added = [match for match in kept.results() if int(match.match[1:]) in stage.numbers]
        assert {frozenset(seat.bot for seat in match.seats) for match in added} == {
            frozenset(line_up) for line_up in stage.pairing.line_ups or ()
        }
        seats = Counter((number, seat.bot) for match in added for number, seat in enumerate(match.seats))
        assert len({seats[number, bot] for number, bot in seats if bot == added[0].seats[0].bot}) == 1
    assert verify(source_of(tmp_path / "run")).finished == manifest.matches


@pytest.mark.parametrize("at", [5, 8, *(pytest.param(at, marks=pytest.mark.long) for at in (4, 6))])
def test_a_run_that_is_stopped_anywhere_comes_to_the_same(kept: Path, tmp_path: Path, at: int) -> None:
    contest = contests.small_contest(tmp_path / "contest", TEXT)
    whole = Run.open(kept / "run").manifest
    leave_at(at, contest, tmp_path / "run")
    again = run_in_process(contest, tmp_path / "run").manifest
    assert (again.digest, again.added) == (whole.digest, whole.added)


def test_a_round_that_begins_a_continued_run_is_tried_with_the_models_first(tmp_path: Path) -> None:
    model = '[[models]]\nname = "mini"\nmodel = "m-1"\nbase_url = "http://127.0.0.1:1/v1"\n'
    contest = contests.small_contest(tmp_path / "contest", TEXT + model)
    leave_at(1, contest, tmp_path / "run")
    leave_at(Run.open(tmp_path / "run").manifest.matches, contest, tmp_path / "run")
    assert not Run.open(tmp_path / "run").manifest.added
    told: list[str] = []
    run_in_process(contest, tmp_path / "run", watch=lambda progress: told.extend(progress.notices))
    trial, first, *_ = (notice for notice in told if notice.startswith(("[[models]]", "adaptive")))
    assert trial.startswith("[[models]] mini: a trial call failed")
    assert first.startswith("adaptive round 1")


def test_who_comes_later_begins_a_stage_and_the_added_rounds_are_kept(finished: Tamperer) -> None:
    before = Run.open(finished.folder).manifest
    six = load(contests.write_contest(finished.folder.parent / "contest", TEXT, (*contests.BOTS, "fay")))
    after = run_in_process(six, finished.folder, change_bots=True).manifest
    assert [stage.schedule for stage in after.closed] == [before.terms.schedule, *before.added]
    assert sum(stage.places for stage in after.closed) == before.matches
    verify(source_of(finished.folder))


def test_effects_decide_who_are_neighbours_in_older_runs_given_ratings_and_who_left_is_none(kept: Path) -> None:
    run = Run.open(kept / "run")
    manifest, results = run.manifest, run.results()[: run.manifest.stages[0].places]
    assert adaptive_round(manifest, not_read) is None
    begun = manifest.model_copy(update={"added": ()})
    assert adaptive_round(begun, lambda: results) == manifest.added[0]
    given = {"ada": (-50.0, 0.0), "bob": (90.0, 0.0), "cy": (80.0, 0.0)}
    bots = [bot.model_copy(update={"rating": given.get(bot.name)}) for bot in begun.terms.bots]
    anchored = begun.model_copy(update={"terms": begun.terms.model_copy(update={"bots": tuple(bots)})})
    assert line_ups(anchored, results) == line_ups(begun, results) == ["dee cy ada", "ada bob eve"]
    older = anchored.model_copy(update={"ratings": rating_method(anchored.anchors, version=3)})
    assert line_ups(older, results) == ["bob cy dee", "dee eve ada"]
    closed = ClosedStage(bots=begun.terms.bots, schedule=begun.terms.schedule, places=5, missing=())
    four = begun.terms.model_copy(update={"bots": begun.terms.bots[:4]})
    assert line_ups(begun.model_copy(update={"terms": four, "closed": (closed,)}), results) == [
        "dee cy ada",
        "cy ada bob",
    ]


def not_read() -> list[MatchResult]:
    raise AssertionError("no round may be due, and still the results are read")


def line_ups(manifest: Manifest, results: Sequence[MatchResult]) -> list[str]:
    """The line-ups of the round that is due."""
    pairing = adaptive_round(manifest, lambda: results)
    assert pairing is not None
    assert pairing.line_ups is not None
    return [" ".join(line_up) for line_up in pairing.line_ups]


def test_results_are_looked_at_four_times_at_most(kept: Path) -> None:
    """The last look is at the standings, so three are before rounds. The rounds between repeat the line-ups."""
    assert [sorted(looks(rounds)) for rounds in (0, 1, 2, 3, 4, 10)] == [
        [],
        [0, 1],
        [0, 1, 2],
        [0, 1, 2],
        [0, 2, 3],
        [0, 4, 7],
    ]
    assert [level_of_looks(rounds) for rounds in (None, 1, 3, 10)] == [0.035, 0.0175, 0.00875, 0.00875]
    run = Run.open(kept / "run")
    more = replace(run.manifest.terms.schedule, adaptive=10)
    begun = run.manifest.model_copy(update={"terms": run.manifest.terms.model_copy(update={"schedule": more})})
    assert adaptive_round(begun.model_copy(update={"added": begun.added[:1]}), not_read) == begun.added[0]


def test_rounds_are_those_that_were_due(finished: Tamperer) -> None:
    finished.change_json("manifest.json", lambda values: values["terms"]["schedule"].update(adaptive=3))
    with pytest.raises(Difference, match=r"manifest\.json: adaptive round 3 is nothing, should be .*line_ups="):
        verify(source_of(finished.folder))
    finished.change_json("manifest.json", lambda values: values["terms"]["schedule"].update(adaptive=1))
    with pytest.raises(Difference, match=r"manifest\.json: adaptive round 2 is .*line_ups=.* should be nothing"):
        verify(source_of(finished.folder))


def test_rounds_that_another_method_of_rating_chose_are_taken_as_they_are(finished: Tamperer) -> None:
    """They may have been due by its ratings, though not by ours."""
    finished.forget_log()
    finished.change_json("manifest.json", lambda values: values["terms"]["schedule"].update(adaptive=1))
    finished.change_json("manifest.json", lambda values: values.pop("ratings"))
    found = verify(source_of(finished.folder))
    assert found.rounds == CheckedRounds(0)
    said = "adaptive rounds: the ratings of an older method (from before methods had names) decided all 2"
    assert f"unchecked  {said}" in list(lines(found))
    assert said in json.loads(document(found))["unchecked"]


def test_rounds_of_two_methods_are_not_mixed(finished: Tamperer) -> None:
    void(finished.folder, "m0001", "the power failed", datetime(2026, 1, 2, 12, tzinfo=UTC))
    finished.change_json("manifest.json", lambda values: values.pop("ratings"))
    contest = load(finished.folder.parent / "contest" / "contest.toml")
    with pytest.raises(ContestError, match="its adaptive rounds were chosen by another rating method"):
        run_in_process(contest, finished.folder)


def test_results_before_a_match_was_void_may_have_been_others(finished: Tamperer) -> None:
    void(finished.folder, "m0001", "the power failed", datetime(2026, 1, 2, 12, tzinfo=UTC))
    run_in_process(load(finished.folder.parent / "contest" / "contest.toml"), finished.folder)
    finished.forget_log()
    finished.change_json("manifest.json", lambda values: values["terms"]["schedule"].update(adaptive=1))
    found = verify(source_of(finished.folder))
    assert found.rounds == CheckedRounds(0, "m0001")
    why = "all of them: m0001 was voided and may have had another result before"
    said = ["terms: an older version began the run, without a commitment to its terms", f"adaptive rounds: {why}"]
    assert [line for line in lines(found) if line.startswith("unchecked")] == [f"unchecked  {each}" for each in said]
    assert json.loads(document(found))["unchecked"] == said


def test_rounds_before_a_match_that_was_void_are_checked(finished: Tamperer) -> None:
    later = match_id(Run.open(finished.folder).manifest.stages[-2].first)
    void(finished.folder, later, "the power failed", datetime(2026, 1, 2, 12, tzinfo=UTC))
    run_in_process(load(finished.folder.parent / "contest" / "contest.toml"), finished.folder)
    assert verify(source_of(finished.folder)).rounds == CheckedRounds(1, later)


def test_a_match_that_the_host_failed_had_no_other_result(finished: Tamperer) -> None:
    finished.execute(
        "INSERT INTO void VALUES (1, 'm0001', 1, 'host', 'overloaded', '2026-01-02T12:00:00+00:00', 0, NULL)"
    )
    finished.execute('UPDATE "match" SET attempt = 2 WHERE number = 1')
    assert verify(source_of(finished.folder)).rounds == CheckedRounds(2)
    finished.change_json("manifest.json", lambda values: values["terms"]["schedule"].update(adaptive=1))
    with pytest.raises(Difference, match=r"manifest\.json: adaptive round 2 is .*line_ups=.* should be nothing"):
        verify(source_of(finished.folder))


@pytest.mark.parametrize(
    ("schedule", "told"),
    [
        ("adaptive = 0", "[schedule] adaptive = 0"),
        ('kind = "gauntlet"\nbot = "ada"\nadaptive = 1', 'kind = "gauntlet" has no key adaptive'),
        ('kind = "neighbours"\nline_ups = [["ada", "bob", "cy"]]', "kind"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(tmp_path: Path, schedule: str, told: str) -> None:
    with pytest.raises(ContestError, match=r"contest\.toml") as refused:
        contests.small_contest(tmp_path, contests.FILE.replace("rounds = 2", schedule))
    assert told in str(refused.value)
