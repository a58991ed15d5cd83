"""Contests that are a gauntlet or fixed line-ups: their files, their matches, and that a run of them is verified."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.rules.deck import master_seed
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.contest.schedule_section import ScheduleChoice, matches_in, names_in, problems, schedule_of
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.run import Run
from tests.referee import contests
from tests.referee.command import Bourre, called
from tests.referee.in_process import rooms_in_process, run_in_process
from tests.referee.tampering import Tamperer

pytestmark = pytest.mark.xdist_group("processes")

GAUNTLET = contests.FILE.replace("rounds = 2", 'kind = "gauntlet"\nbot = "cy"')
LINE_UPS = contests.FILE.replace(
    "rounds = 2", 'kind = "line-ups"\nline_ups = [["ada", "bob", "cy"],\n  ["cy", "dee", "eve"]]\nrepeats = 2'
)


@pytest.fixture
def bourre() -> Iterator[Bourre]:
    with rooms_in_process():
        yield called


def line_ups_of(contest: Contest) -> list[tuple[str, ...]]:
    return [match.line_up for match in matches_of(contest, master_seed(7))]


def test_a_gauntlet_holds_its_bot_in_every_match(tmp_path: Path) -> None:
    line_ups = line_ups_of(contests.small_contest(tmp_path, GAUNTLET))
    assert len(line_ups) == 12
    assert all("cy" in line_up for line_up in line_ups)
    for seat in zip(*line_ups, strict=True):
        assert Counter(seat) == {"cy": 4, "ada": 2, "bob": 2, "dee": 2, "eve": 2}


def test_rounds_of_a_gauntlet(tmp_path: Path) -> None:
    text = GAUNTLET.replace('bot = "cy"', 'bot = "cy"\nrounds = 3')
    assert len(line_ups_of(contests.small_contest(tmp_path, text))) == 36


def test_line_ups_are_played_in_all_their_seats(tmp_path: Path) -> None:
    line_ups = line_ups_of(contests.small_contest(tmp_path, LINE_UPS))
    companies = Counter(frozenset(line_up) for line_up in line_ups)
    assert companies == {frozenset({"ada", "bob", "cy"}): 6, frozenset({"cy", "dee", "eve"}): 6}
    for seat in zip(*line_ups, strict=True):
        assert Counter(seat) == {"cy": 4, "ada": 2, "bob": 2, "dee": 2, "eve": 2}


@pytest.mark.parametrize(
    "pairing",
    [
        ScheduleChoice(),
        ScheduleChoice(rounds=3),
        ScheduleChoice("gauntlet", bot="bob"),
        ScheduleChoice("gauntlet", 2, "bob"),
        ScheduleChoice("line-ups", line_ups=(("ada", "bob", "cy"), ("cy", "dee", "eve")), repeats=3),
        ScheduleChoice("once", line_ups=(("ada", "bob", "cy"), ("cy", "dee", "eve"))),
    ],
)
def test_matches_are_counted_without_laying_them_out(tmp_path: Path, pairing: ScheduleChoice) -> None:
    contest = contests.small_contest(tmp_path)
    assert not list(problems(pairing, contest.names, contest.seats))
    line_ups = line_ups_of(replace(contest, schedule=pairing))
    assert len(line_ups) == matches_in(pairing, len(contest.names), contest.seats)


@pytest.mark.parametrize(
    ("schedule", "said"),
    [
        ('bot = "ada"', '13: [schedule] kind = "round-robin" has no key bot. Its keys: rounds and adaptive'),
        ('kind = "gauntlet"', '13: [schedule] kind = "gauntlet" needs bot = "..."'),
        ('kind = "line-ups"', '13: [schedule] kind = "line-ups" needs line_ups = [[...], ...]'),
        (
            'kind = "gauntlet"\nbot = "aba"',
            "14: [schedule] Unknown bot 'aba'. Did you mean 'ada'?",
        ),
        (
            'kind = "gauntlet"\nbot = "ada"\nrepeats = 2',
            '15: [schedule] kind = "gauntlet" has no key repeats. Its keys: rounds and bot',
        ),
        (
            'kind = "line-ups"\nline_ups = ["ada", "bob", "cy"]',
            '14: [schedule] line_ups = ["ada", "bob", "cy"]: must be lists of names, [["ada", "bob"], ["ada", "cy"]]',
        ),
        (
            'kind = "line-ups"\nline_ups = []',
            '14: [schedule] line_ups = []: must be lists of names, [["ada", "bob"], ["ada", "cy"]]',
        ),
    ],
)
def test_a_schedule_that_cannot_be_played_is_refused(tmp_path: Path, schedule: str, said: str) -> None:
    assert _refused(tmp_path, schedule) == [said]


def test_every_line_up_is_looked_at(tmp_path: Path) -> None:
    written = 'kind = "line-ups"\nline_ups = [["ada", "bob"], ["ada", "ada", "bob"], ["ada", "bob", "cyd"]]'
    assert _refused(tmp_path, written) == [
        "14: [schedule] line-up 1 has 2 bots, but [table] seats is 3",
        "14: [schedule] line-up 2 names a bot twice",
        "14: [schedule] line-up 3: Unknown bot 'cyd'. Did you mean 'cy'?",
        "14: [schedule] cy, dee, eve would never play.\nhint: add every bot to a line-up, or remove it from [[bots]]",
    ]


def _refused(folder: Path, schedule: str) -> list[str]:
    path = contests.write_contest(folder, contests.FILE.replace("rounds = 2", schedule))
    with pytest.raises(ContestError) as caught:
        load(path)
    return [line.removeprefix(f"{path}:") for line in re.split(r"\n(?!hint: )", str(caught.value))]


@pytest.mark.parametrize("text", [GAUNTLET, LINE_UPS], ids=["gauntlet", "line-ups"])
def test_a_run_is_played_told_of_and_verified(bourre: Bourre, tmp_path: Path, text: str) -> None:
    file, folder = contests.write_contest(tmp_path / "contest", text), tmp_path / "run"
    done = bourre("run", file, "--out", folder, "--jobs", 1)
    assert done.code == 0
    assert "equally often" not in done.err
    assert Run.open(folder).manifest.matches == 12
    verified = bourre("verify", folder)
    assert (verified.code, verified.out.splitlines()[0]) == (0, "small: 12 of 12 matches verified, no difference")


def test_called_rooms_are_played_once_in_these_seats_in_this_order() -> None:
    rooms = (("dee", "ada", "cy"), ("bob", "ada"), ("dee", "ada", "cy"))
    called = ScheduleChoice("called", line_ups=rooms)
    names = names_in(called)
    assert names == ("dee", "ada", "cy", "bob")
    schedule = schedule_of(called, names, 3, bytes(32))
    assert [tuple(names[bot] for bot in line_up) for line_up in schedule.line_ups] == list(rooms)
    assert matches_in(called, 4, 3) == 3
    assert matches_in(ScheduleChoice("ladder"), 4, 3) == 0
    assert list(problems(called, names, 3)) == []


@pytest.mark.parametrize(
    ("news", "says"),
    [
        ({"bot": "ada"}, "match m0001: the line-up, which follows from the seed, is "),
        ({"bot": "zed"}, "manifest.json: the terms are impossible: Unknown bot 'zed'"),
        ({"kind": "knockout"}, "manifest.json: the terms are impossible: a schedule of kind 'knockout'"),
        ({"kind": "called"}, "manifest.json: it has rooms of a ladder's epoch, but its terms are those of a contest"),
        ({"kind": "ladder"}, "manifest.json: it is a ladder's epoch by its terms, which has no matches but those "),
        ({"rounds": 2}, "manifest.json: the number of matches is 12, should be 24"),
        ({"rounds": 10**9}, "manifest.json: the terms are impossible: 1000000000 rounds of 4 deals"),
        ({"kind": "round-robin"}, 'manifest.json: the terms are impossible: kind = "round-robin" has no key bot'),
    ],
)
def test_a_changed_schedule_is_found(bourre: Bourre, tmp_path: Path, news: dict[str, object], says: str) -> None:
    folder = tmp_path / "run"
    run_in_process(contests.small_contest(tmp_path / "contest", GAUNTLET), folder)
    Tamperer(folder).change_json("manifest.json", lambda values: values["terms"]["schedule"].update(news))
    done = bourre("verify", folder)
    assert done.code == 4
    assert done.out.startswith(f"difference: {says}")
