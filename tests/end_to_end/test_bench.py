"""The whole bench: real rooms, a real echo, whole contests, all as small as possible."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

import bench.__main__ as program
from bench import echo_server as echo
from bench import extent, measure
from bench.contest import ContestTiming, play_contest
from bench.echo_routes import routes_of
from bench.echo_server import Sizes
from bench.extent import BOTS, Extent, RoomExtent, matches
from bench.room_speed import RoomTiming, room_spec, time_room
from bourre_referee.model.errors import ContestFailed
from bourre_referee.server.room import play_room

TINY = Extent(
    pairs=1,
    quick=True,
    rooms=(RoomExtent(64, 1),),
    engine_deals=5,
    games=5,
    practice_deals=5,
    contest_rounds=1,
    contest_deals=2,
)


@dataclass(frozen=True, slots=True)
class Benched:
    """What a whole bench found, and the measurements behind it."""

    document: dict[str, Any]
    rooms: list[RoomTiming]
    contests: list[ContestTiming]


Words = ParamSpec("Words")
Made = TypeVar("Made")


def noting(measured: Callable[Words, Made], notes: list[Made]) -> Callable[Words, Made]:
    """Wraps this measurement and notes all its results."""

    def noted(*words: Words.args, **named: Words.kwargs) -> Made:
        notes.append(measured(*words, **named))
        return notes[-1]

    return noted


@pytest.fixture(scope="module")
def benched(tmp_path_factory: pytest.TempPathFactory) -> Benched:
    """Runs the command in this process; its folder for temporary files must be empty afterwards."""
    rooms: list[RoomTiming] = []
    contests: list[ContestTiming] = []
    place = tmp_path_factory.mktemp("bench")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extent, "quick_extent", lambda pairs: replace(TINY, pairs=pairs))
        patch.setattr(measure, "time_room", noting(time_room, rooms))
        patch.setattr(measure, "play_contest", noting(play_contest, contests))
        patch.setattr(tempfile, "tempdir", str(place))
        patch.setattr(sys, "argv", ["bench", "--quick", "--pairs", "1", "--json"])
        with redirect_stdout(StringIO()) as out, pytest.raises(SystemExit, match="0"):
            program.main()
    assert list(place.iterdir()) == []
    return Benched(json.loads(out.getvalue()), rooms, contests)


@pytest.mark.long
def test_one_document_holds_every_figure(benched: Benched) -> None:
    found = benched.document
    assert (found["pairs"], found["quick"], found["machine"]["python"].split()[0]) == (1, True, "CPython")
    wire, contest = found["wire"], found["contest"]
    assert [at["tables"] for at in wire["tables"]] == [64]
    assert wire["ratio_to_echo"] > wire["asks_to_echo"] > 0  # forced plays are decisions, and no asks
    assert wire["decisions_per_s"] == wire["tables"][0]["decisions_per_s"] > 0
    assert wire["one_table_ratio_to_echo"] == wire["tables"][0]["ratio_to_echo"] > 0
    assert wire["ratio_to_single"] > 0
    assert found["practice"]["decisions_per_s"] > 0
    assert found["engine"]["decisions_per_s"] > 0
    assert isinstance(found["engine"]["compiled"], bool)
    assert (found["engine"]["ratio_to_openspiel"] is None) == (found["engine"]["openspiel_decisions_per_s"] is None)
    assert contest["deals"] == 10 * 5 * 2
    assert contest["decisions_per_s"] > 0
    assert 50 < contest["bytes_per_deal"] < 1000
    assert contest["peak_mib"] > 10
    assert isinstance(contest["rss_growth_mib"], float)


@pytest.mark.long
def test_the_echo_goes_the_way_of_the_room(tmp_path: Path) -> None:
    """Every bot is asked exactly as often, at every table, as `routes_of` says, and no bot is at fault."""
    spec = room_spec(3, 4, tmp_path)
    outcomes = asyncio.run(play_room(spec))
    routes = routes_of(matches(3, 4))
    for match, outcome, route in zip(spec.matches, outcomes, routes.by_table, strict=True):
        asked = {bot: timing.decisions for bot, timing in zip(match.line_up, outcome.timings, strict=True)}
        assert asked == {bot: Counter(route)[number] for number, bot in enumerate(BOTS)}
        assert outcome.faults == ()
    assert len(set(routes.by_table)) == 4


@pytest.mark.long
def test_asks_by_themselves_give_the_same_match(benched: Benched) -> None:
    together, alone = benched.rooms
    assert together.asks > 64
    assert (together.asks, together.decisions) == (alone.asks, alone.decisions)


def test_an_echo_ends_when_every_ask_is_answered() -> None:
    routes = ((0, 1, 0), (1, 1), ())
    assert asyncio.run(echo.exchange(2, routes, Sizes(20, 9))) > 0


def test_an_echo_whose_bots_end_does_not_wait_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(echo, "BOT", (sys.executable, "-c", "pass"))
    with pytest.raises(OSError, match="ended too early"):
        asyncio.run(echo.exchange(2, ((0, 1),), Sizes(20, 9)))


@pytest.mark.long
def test_contests_hold_the_decisions_of_their_deals(benched: Benched) -> None:
    assert [played.deals for played in benched.contests] == [10, benched.document["contest"]["deals"]]
    for played in benched.contests:
        assert played.decisions > played.deals * 5
        assert played.record_bytes > played.deals * 50
        assert played.seconds > 0


@pytest.mark.long
def test_an_interrupt_ends_all_and_leaves_nothing() -> None:
    with tempfile.TemporaryDirectory() as place:  # a short path, as Unix sockets need
        environment = os.environ | {"TMPDIR": place}
        command = [sys.executable, "-m", "bourre_referee", "bench", "--quick"]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
        ) as bench:
            assert bench.stderr is not None
            assert bench.stderr.readline() == "bourre: measuring, 1 of 2\n"
            os.killpg(bench.pid, signal.SIGINT)
            out, err = bench.communicate()
        assert (bench.returncode, out) == (130, "")
        assert "bourre: interrupted: nothing is kept" in err.splitlines()
        assert list(Path(place).iterdir()) == []


def test_a_contest_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    monkeypatch.setenv("TMPDIR", str(deep))
    with pytest.raises(ContestFailed, match="TMPDIR"):
        play_contest(1, 1)
