"""Who may undo what was done to a bot: in today's logs, and in those that do not say who did it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bourre_referee.ladder.log.entrant import objection, objection_to_version
from bourre_referee.ladder.log.events import (
    BotBenched,
    BotEvent,
    BotJoined,
    BotPaused,
    BotReinstated,
    BotResumed,
    BotRetired,
    By,
)
from tests.referee.ladder.ladders import Ladder

FIRST = BotJoined("a", 1, "1", "Ann", "fast", command=("python", "a.py"), files=(("a.py", "00"),))
SECOND = replace(FIRST, number=2, files=(("a.py", "01"),), by="owner")
AGAIN = replace(SECOND, files=FIRST.files)
"""The first version's files once more."""


def version_problem(joined: BotJoined, *events: BotEvent | BotJoined) -> str:
    """What is said to a version after these events."""
    ladder = Ladder(FIRST, *events)
    return objection_to_version(joined, [each for each in ladder.state.entrants if each.bot == "a"])


@pytest.mark.parametrize(
    ("before", "event", "message"),
    [
        ([BotPaused("a", by="host")], BotResumed("a", by="owner"), "the host paused a: only the host can resume it"),
        ([BotPaused("a", by="host")], BotResumed("a", by="host"), ""),
        ([BotPaused("a", by="owner")], BotResumed("a", by="owner"), ""),
        ([BotPaused("a", by="owner")], BotResumed("a", by="host"), ""),
        ([BotPaused("a")], BotResumed("a", by="owner"), ""),  # an older log
        ([], BotResumed("a", by="owner"), "a is not paused"),
        ([BotPaused("a", by="owner")], BotPaused("a", by="owner"), "a is paused already"),
        ([BotPaused("a", by="owner")], BotPaused("a", by="host"), ""),
        ([BotRetired("a", by="host")], BotResumed("a", by="owner"), "a has retired: only the host"),
        ([], BotReinstated("a", by="host"), "a is not suspended"),
    ],
)
def test_an_owner_ends_no_pause_of_the_host(before: list[BotEvent], event: BotEvent, message: str) -> None:
    found = objection(event, Ladder(FIRST, *before).state.bots["a"])
    assert (found.startswith(message), bool(found)) == (True, bool(message))


def test_an_owner_ends_only_its_own_pause_and_the_host_ends_both() -> None:
    ladder = Ladder(FIRST, BotPaused("a", by="host"), BotPaused("a", by="owner"), BotResumed("a", by="owner"))
    assert ladder.state.bots["a"].paused_by == {"host"}
    ladder.note(BotPaused("a", by="owner"), BotResumed("a", by="host"))
    assert not ladder.state.bots["a"].paused
    ladder.note(BotPaused("a", by="owner"), BotResumed("a", by="host"))
    assert not ladder.state.bots["a"].paused


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([BotRetired("a", by="host")], "the host retired a: only the host can take it in again"),
        ([BotRetired("a")], "the host retired a"),  # an older log: only the host could
        ([BotBenched("a", "it cheats", by="host")], "the host suspended a: only the host can reinstate it (it cheats)"),
        ([BotPaused("a", by="host")], "the host paused a: only the host can resume it"),
    ],
)
def test_no_upload_undoes_what_the_host_did(events: list[BotEvent], message: str) -> None:
    for joined in (SECOND, AGAIN):
        assert version_problem(joined, *events).startswith(message)
        assert version_problem(replace(joined, by="host"), *events) == ""


@pytest.mark.parametrize("by", ["ladder", ""])
def test_another_version_lifts_a_bench_for_faults_and_the_same_files_do_not(by: By) -> None:
    benched = replace(BotBenched("a", "9 faults"), by=by)
    assert version_problem(SECOND, benched) == ""
    for joined in (AGAIN, replace(AGAIN, by="host")):
        assert version_problem(joined, benched).startswith("this is version 1 again, which was suspended (9 faults)")
        later = version_problem(replace(joined, number=3), benched, SECOND)
        assert later.startswith("this is version 1 again")
        assert version_problem(joined, benched, BotReinstated("a", by="host"), SECOND) == ""


def test_the_same_files_are_no_new_version_that_forgets_its_faults() -> None:
    assert version_problem(AGAIN).startswith("nothing differs from version 1")
    assert version_problem(replace(AGAIN, by="host")) == ""


def test_a_remote_version_differs_by_its_declared_name() -> None:
    remote = BotJoined("a", 1, "blue", "Ann", "fast")
    benched = Ladder(remote, BotBenched("a", "9 faults", by="ladder")).state.entrants
    assert objection_to_version(replace(remote, number=2, by="host"), benched).startswith("this is version 1 again")
    assert objection_to_version(replace(remote, number=2, version="red", by="host"), benched) == ""


@pytest.mark.parametrize("first", [0, 1])
def test_faults_found_in_the_same_moment_do_not_soften_the_bench_of_the_host(first: int) -> None:
    benches = [BotBenched("a", "it cheats", by="host"), BotBenched("a", "9 faults", by="ladder")]
    ladder = Ladder(FIRST, benches[first], benches[1 - first])
    assert (ladder.state.bots["a"].benched, ladder.state.bots["a"].benched_by) == ("it cheats", "host")


def test_what_the_host_benched_once_comes_back_by_the_host_alone() -> None:
    before = (BotBenched("a", "it cheats", by="host"), replace(SECOND, by="host"))
    third = replace(AGAIN, number=3)
    assert version_problem(third, *before).startswith("this is version 1 again, which was suspended (it cheats)")
    assert version_problem(replace(third, by="host"), *before) == ""


def test_another_command_or_another_way_to_start_is_another_version() -> None:
    assert version_problem(replace(AGAIN, command=("python", "b.py"))) == ""
    remote = replace(AGAIN, version=FIRST.version, command=(), files=())
    assert version_problem(remote, BotBenched("a", "9 faults", by="ladder")) == ""
