"""Plays every hostile bot at every level of isolation that the machine has, and checks its verdict."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from bourre.record import read, replay
from bourre_referee.model.spec import Level, MatchOutcome
from tests.hostile.case import (
    HERE,
    HONEST,
    HOSTILE,
    SECRET,
    SHARED,
    honest_room,
    names,
    names_for,
    prepare,
    room,
    unavailable_here,
    verdict_of,
)
from tests.hostile.honest_process import HonestProcess
from tests.hostile.referee import Aftermath, Referee
from tests.hostile.verdict import Verdict

MOST_GROWN_KIB = 32 * 1024
MOST_HANDLES = 2
"""How many more than at the start: gRPC keeps one or two for a moment."""
MOST_LOG = 600_000
"""Bytes: twice the limit for a bot's output, to leave room for the referee's own lines."""


def case(name: str, level: Level) -> ParameterSet:
    """One bot at one level; a known failure must fail."""
    reason = verdict_of(name, level).xfail
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
    if level is Level.CONTAINER:  # each room takes seconds to start
        marks.append(pytest.mark.long)
    return pytest.param(name, level, id=f"{name}-{level}", marks=marks)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Pairs every bot with every level that the machine has; engines are tried only with `--long`."""
    if "level" in metafunc.fixturenames:
        untried = set() if metafunc.config.getoption("long") else {Level.CONTAINER}
        levels = [level for level in Level if level in untried or unavailable_here(level) is None]
        metafunc.parametrize(("name", "level"), [case(name, level) for level in levels for name in names_for(level)])


@dataclass(frozen=True, slots=True)
class Arena:
    """The one referee that plays all cases in turn, and its state after its first rooms."""

    referee: Referee
    first: Aftermath


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """Plays honest rooms first, so that later measurements of memory start from a warmed-up process."""
    place = tmp_path_factory.mktemp("first")
    prepare(place, names()[0])
    honest = honest_room(place)
    with HonestProcess() as others, Referee(tmp_path_factory.mktemp("t"), others) as referee:
        first = referee.play(honest, honest, 0)
        assert first.honest.faults == ()
        yield Arena(referee, first)


@pytest.mark.timeout(400)
def test_a_hostile_bot_harms_itself_alone(name: str, level: Level, arena: Arena, tmp_path: Path) -> None:
    verdict = verdict_of(name, level)
    prepare(tmp_path, name)
    aftermath = arena.referee.play(room(tmp_path, level, verdict), honest_room(tmp_path), arena.first.handles)
    assert len(aftermath.outcomes) == verdict.matches, aftermath.void
    for outcome in aftermath.outcomes:
        assert_fair_to_the_others(outcome, level)
    assert_verdict(verdict, aftermath.outcomes[0], tmp_path / "run" / "logs")
    assert_nothing_left(arena.first, aftermath)
    if level is not Level.NONE:
        assert_untouched(tmp_path, name)


def assert_fair_to_the_others(outcome: MatchOutcome, level: Level) -> None:
    """No fault is charged to an honest bot, and the record proves the result."""
    charged = {outcome.result.seats[fault.seat].bot for fault in outcome.faults}
    assert charged <= {HOSTILE}, outcome.faults
    assert outcome.isolation == level
    record = read(outcome.record)
    assert record.final == tuple(result.chips for result in outcome.result.seats)
    assert sum(record.final) == 0
    assert sum(1 for _ in replay(record)) > 1


def assert_verdict(verdict: Verdict, outcome: MatchOutcome, logs: Path) -> None:
    """The faults and the log are as the bot's verdict says; none of it gets into the other bots' logs."""
    log = (logs / HOSTILE / "hostile.log").read_bytes()
    assert len(log) <= MOST_LOG
    text = log.decode(errors="replace")
    complaints = verdict.complaints(outcome, HOSTILE, text)
    assert not complaints, "\n".join([*complaints, str(outcome.faults), text[-3000:]])
    for other in logs.glob("*/*"):
        assert other.parent.name == HOSTILE or other.read_bytes() == b"", other


def assert_nothing_left(first: Aftermath, aftermath: Aftermath) -> None:
    """The honest match and the referee are as before."""
    assert aftermath.left == ()
    assert aftermath.digest == first.digest
    assert aftermath.honest.faults == ()
    assert aftermath.resident_kib - first.resident_kib <= MOST_GROWN_KIB
    assert aftermath.peak_kib - first.resident_kib <= MOST_GROWN_KIB
    assert aftermath.handles - first.handles <= MOST_HANDLES


def assert_untouched(place: Path, name: str) -> None:
    """Neither the run nor any bot's program has been written to."""
    assert (place / "run" / "run.db").read_text() == SECRET
    for bot, source in {HOSTILE: HERE / name / "bot.py", **dict.fromkeys(HONEST, SHARED / "yardstick.py")}.items():
        assert (place / "bots" / bot / "bot.py").read_bytes() == source.read_bytes()


def test_there_are_as_many_hostile_bots_as_promised() -> None:
    assert len(names()) >= 30


def test_boxes_can_be_made_where_it_counts() -> None:
    reason = unavailable_here(Level.BWRAP)
    assert reason is None or "CI" not in os.environ, reason
