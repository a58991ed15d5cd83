"""Plays every hostile bot at every level of isolation that the machine has, and checks its verdict."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from bourre_referee.diagnostics.attacks import trial
from bourre_referee.diagnostics.attacks.arena import Arena
from bourre_referee.diagnostics.attacks.attack_room import names, verdict_of, why_unavailable
from bourre_referee.diagnostics.attacks.trial import Judgement, try_one
from bourre_referee.model.spec import Isolation, Level
from tests.hostile.sample import LEVELS, PROTOCOL, SAMPLE, unless_long

SECONDS = 300.0


def case(name: str, level: Level) -> ParameterSet:
    """One bot at one level; a known failure must fail."""
    reason = verdict_of(name, level).xfail
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
    marks.extend(unless_long(name, LEVELS.get(level, (*SAMPLE, *PROTOCOL))))
    return pytest.param(name, level, id=f"{name}-{level}", marks=marks)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Pairs every bot with every level; boxes and containers are skipped where the machine makes none."""
    if "level" in metafunc.fixturenames:
        played = [case(name, level) for name in names() for level in Level if level in verdict_of(name, level).levels]
        metafunc.parametrize(("name", "level"), played)


@pytest.fixture(scope="module")
def boxes() -> Isolation:
    """Level `bwrap`."""
    if why := why_unavailable(Isolation(Level.BWRAP)):
        pytest.skip(why)
    return Isolation(Level.BWRAP)


@pytest.fixture
def isolation(level: Level, request: pytest.FixtureRequest) -> Isolation:
    """How the bots are isolated at this level."""
    if level is Level.NONE:
        return Isolation(level)
    found: Isolation = request.getfixturevalue("containers" if level is Level.CONTAINER else "boxes")
    return found


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    """The one referee that plays all cases in turn."""
    with Arena() as arena:
        assert arena.first.honest.faults == ()
        yield arena


@pytest.mark.timeout(400)
def test_a_hostile_bot_harms_itself_alone(name: str, isolation: Isolation, arena: Arena, tmp_path: Path) -> None:
    attempt = arena.attempt(name, isolation, tmp_path / "attack", SECONDS)
    complaints = attempt.complaints(arena.first)
    assert not complaints, "\n".join([*complaints, str(attempt.aftermath.outcomes), attempt.log[-3000:]])


def test_a_trial_tells_what_an_attack_could_and_could_not_do(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """At level none it finds everything; were that a level that promises to stop it, the trial would say so."""
    plain, ends = Isolation(Level.NONE), time.monotonic() + SECONDS
    found = try_one(arena, "peek_environment", plain, ends)
    assert found.judgement is Judgement.OPEN
    assert found.told == "found the token of another"
    promised = verdict_of("peek_environment", Level.BWRAP)
    monkeypatch.setattr("bourre_referee.diagnostics.attacks.arena.verdict_of", lambda *_: promised)
    broken = try_one(arena, "peek_environment", plain, ends)
    assert (broken.judgement, broken.told) == (Judgement.BROKEN, "the log has 'FOUND'")
    assert try_one(arena, "peek_environment", plain, 0).judgement is Judgement.UNKNOWN


@pytest.mark.long
def test_an_attack_that_does_not_end_is_given_up_and_the_next_one_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, ends = Isolation(Level.NONE), time.monotonic() + SECONDS
    with Arena() as arena:
        monkeypatch.setattr(trial, "MOST_SECONDS", 0.01)
        monkeypatch.setattr(trial, "LEAST_SECONDS", 0.0)
        given_up = try_one(arena, "never_ends", plain, ends)
        assert (given_up.judgement, given_up.told) == (Judgement.BROKEN, "the room was not over after 0 s")
        monkeypatch.undo()
        assert try_one(arena, "exit_at_start", plain, ends).told == "1 x start_failure"


def test_there_are_as_many_hostile_bots_as_promised() -> None:
    assert len(names()) >= 30
    assert {*SAMPLE, *PROTOCOL} <= {*names()}
