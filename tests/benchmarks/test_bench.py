"""The figures of the bench, from made-up rounds; regressions; and user errors."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import bench.__main__ as program
from bench import measure as measuring
from bench.contest import ContestTiming
from bench.echo_server import Sizes, Tokens
from bench.extent import Extent, RoomExtent, full_extent
from bench.regression import Regression, ratios_in, regressions
from bench.report import Machine, Report, document, lines
from bench.room_speed import RoomTiming, write_trivial_bot
from bench.rules_speed import openspiel_rate, random_action
from bench.summary import Round, summarize
from bourre.messages import Ask, Bundle, Hello, Seating
from bourre.rules.deck import SeededChance
from bourre.rules.events import Faulted, Penalized, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre_referee.server.single_messages import SingleMessages
from bourre_referee.storage.database.sqlite_connection import record_bytes
from bourre_referee.storage.run.folder_location import FolderLocation
from tests.referee.command import Ended, called
from tests.referee.connection_desk import CLOCK, Heard, ManualClock
from tests.referee.contests import played, small_contest
from tests.referee.in_process import run_in_process

EXTENT = Extent(3, False, (RoomExtent(1, 10), RoomExtent(64, 2)), 1, 1, 1, 1, 1)
HOST = Machine("Linux 6", "x86_64", 2, "CPython 3.11", "1.80", "0.1", None)


def a_round(speed: float, openspiel: float | None = 600.0) -> Round:
    """A report from a machine of this speed; the echo is twice as fast as the questions at 64 tables."""

    def timed(asks: int, decisions: int, seconds: float) -> RoomTiming:
        return RoomTiming(asks, decisions, seconds / speed, 0.25)

    return Round(
        rooms=((timed(50, 90, 1.0), timed(50, 50, 0.5)), (timed(500, 900, 1.0), timed(500, 500, 0.5))),
        single=timed(500, 900, 3.0),
        engine=300.0 * speed,
        openspiel=None if openspiel is None else openspiel * speed,
        practice=40.0 * speed,
        contest=ContestTiming(10, 200, 1.0 / speed, 100.0, 2000, 0.1, 1.5),
        longer=ContestTiming(100, 2000, 4.0 / speed, 101.5, 19_000, 0.5, 6.0),
    )


def report(rounds: tuple[Round, ...] = (a_round(1.0), a_round(3.0), a_round(0.1))) -> Report:
    return summarize(EXTENT, Sizes(100, 9), HOST, rounds)


Bench = Callable[..., Ended]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    """Runs the program in an empty folder, on a machine that needs no time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measuring, "measure", lambda extent, tell: replace(report(), quick=extent.quick))

    def run(*words: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["bench", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            program.main()
        return Ended(ended.value.code, *capsys.readouterr())

    return run


def test_rates_are_medians_and_ratios_do_not_depend_on_the_speed() -> None:
    wire = report().wire
    assert (wire.decisions_per_s, wire.single_decisions_per_s) == (900, 300)
    assert (wire.ratio_to_echo, wire.asks_to_echo, wire.ratio_to_single) == (0.9, 0.5, 3.0)
    assert [(at.tables, at.asks_per_s, at.echo_per_s) for at in wire.tables] == [(1, 50, 100), (64, 500, 1000)]
    assert (wire.one_table_ratio_to_echo, wire.one_table_asks_to_echo) == (0.9, 0.5)


def test_a_contest_is_compared_with_a_shorter_one_and_with_the_room() -> None:
    contest = report().contest
    assert (contest.decisions_per_s, contest.ratio_to_wire, contest.time_growth) == (500, 0.556, 4.0)
    assert (contest.bytes_per_deal, contest.rss_growth_mib, contest.peak_mib, contest.deals) == (190, 1.5, 101.5, 100)


def test_a_peer_that_is_not_there_is_null() -> None:
    assert report().engine.ratio_to_openspiel == 0.5
    alone = report((a_round(1.0, openspiel=None),))
    assert json.loads(document(alone))["engine"]["ratio_to_openspiel"] is None
    assert any(line.endswith("OpenSpiel is not installed") for line in lines(alone))


def test_what_is_told_has_every_figure_and_its_doubt() -> None:
    told = list(lines(report()))
    assert told[1] == "medians of 3 pairs: 8 or more make figures to keep"
    assert "      64       500          900     1,000    0.50       0.90" in told
    assert told[-1].endswith("and +1.5 MiB of memory, 102 at the peak")
    assert list(lines(replace(report(), pairs=8)))[1] == "medians of 8 pairs"
    assert list(lines(replace(report(), quick=True)))[1] == "medians of 3 pairs, little played: for a first look"


def test_what_fell_by_more_than_a_tenth_is_found() -> None:
    now = report()
    before = {"wire.ratio_to_echo": 1.0, "wire.asks_to_echo": 0.56, "engine.ratio_to_openspiel": 0.2}
    assert regressions(before, now) == [Regression("wire.asks_to_echo", 0.56, 0.5)]
    assert str(Regression("wire.asks_to_echo", 0.56, 0.5)) == "wire.asks_to_echo fell from 0.56 to 0.5, by 11 %"
    assert regressions({"engine.ratio_to_openspiel": 0.9}, report((a_round(1.0, openspiel=None),))) == []


def test_a_fall_ends_with_3_and_none_with_0(bench: Bench) -> None:
    kept = Path("before.json")
    kept.write_text(bench("--json").out)
    assert set(ratios_in(kept)) >= {"wire.ratio_to_echo", "engine.ratio_to_openspiel", "contest.ratio_to_wire"}
    same = bench("--against", kept)
    assert (same.code, same.err) == (0, "bourre: no ratio fell by more than a tenth\n")
    better = asdict(report())
    better["wire"]["ratio_to_single"] = 4.0
    kept.write_text(json.dumps(better))
    fell = bench("--against", kept, "--json")
    assert (fell.code, fell.err) == (3, "bourre: wire.ratio_to_single fell from 4.0 to 3.0, by 25 %\n")
    assert json.loads(fell.out)["wire"]["ratio_to_single"] == 3.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "before.json: No such file or directory: give what"),
        ("nonsense", "before.json: this is not JSON"),
        pytest.param("[" * 100_000, "before.json: this is not JSON", id="nested too deep"),
        ("[]", "before.json: there is no wire.ratio_to_echo in it"),
        ('{"wire": {"ratio_to_echo": "fast"}}', "before.json: wire.ratio_to_echo is 'fast', not a number"),
        ('{"wire": {"ratio_to_echo": true}}', "before.json: wire.ratio_to_echo is True, not a number"),
    ],
)
def test_a_file_that_is_none_of_ours_is_told_before_anything_is_measured(
    text: str | None, told: str, bench: Bench
) -> None:
    if text is not None:
        Path("before.json").write_text(text)
    ended = bench("--against", "before.json")
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert "dev.py bench --json" in ended.err


def test_quick_is_said(bench: Bench) -> None:
    assert [json.loads(bench(*words, "--json").out)["quick"] for words in ((), ("--quick",))] == [False, True]


def test_bourre_bench_starts_it_with_every_word_where_it_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = subprocess.run(
        [sys.executable, "-m", "bourre_referee", "bench", "--pairs", "0"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (started.returncode, started.stdout) == (2, "")
    assert started.stderr.startswith("Usage: dev.py bench")
    assert "--pairs" in started.stderr
    monkeypatch.setattr("bourre_referee.cli.benchmark.__file__", str(tmp_path / "bench.py"))
    installed = called("bench", "--quick")
    told = "bench is a tool for people who change this project: in a clone, run python3 dev.py bench"
    assert (installed.code, installed.err) == (2, f"bourre: {told}\n")


def test_the_whole_measurement_has_the_rooms_of_the_bars() -> None:
    whole = full_extent(8)
    assert [room.tables for room in whole.rooms] == [1, 8, 64, 256]
    assert whole.rooms[whole.many].tables == 64


def test_a_single_line_hands_out_one_ask_at_a_time() -> None:
    view = Match(2, 1, HouseRules(), SeededChance(bytes(32)))
    view.start()
    asks = [Ask(0, number, view.view(view.to_act), 0) for number in range(3)]

    async def play() -> list[Bundle]:
        line = SingleMessages("tight", "room", CLOCK, Heard(), ManualClock())
        line.admit(Hello("token"))
        line.seat(Seating(0, "m0001", 0, 2, 1, HouseRules()))
        for ask in asks:
            line.ask(ask)
        return [await line.outgoing() for _ in asks]

    first, *others = asyncio.run(play())
    assert [first.asks, *(bundle.asks for bundle in others)] == [[ask] for ask in asks]
    assert first.welcome
    assert first.seatings
    assert not [bundle for bundle in others if bundle.welcome or bundle.seatings]


def test_a_token_goes_the_way_of_its_table() -> None:
    """Two bots answer at once; each is asked as often as the tables' routes lead to it."""

    async def play() -> list[list[int]]:
        tokens = Tokens(2, [(0, 1, 0, 0), (1, 1), (), (0,)], Sizes(20, 9))
        bots = [Answering(), Answering()]
        streams = [asyncio.create_task(tokens.play(None, bot)) for bot in bots]
        await tokens.all_joined.wait()
        tokens.begin()
        await tokens.done.wait()
        for stream in streams:
            stream.cancel()
        return [bot.asked for bot in bots]

    first, second = asyncio.run(play())
    assert (sorted(first), sorted(second)) == ([0, 0, 0, 3], [0, 1, 1])


class Answering:
    """The stream of a bot that answers what it is asked, in one message."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()
        self._answers.put_nowait(b"hello")

    async def read(self) -> bytes:
        return await self._answers.get()

    async def write(self, message: bytes) -> None:
        assert len(message) % 20 == 0
        tables = [int.from_bytes(message[start : start + 4]) for start in range(0, len(message), 20)]
        self.asked += tables
        self._answers.put_nowait(b"".join(table.to_bytes(4) + bytes(5) for table in tables))


def test_random_play_is_legal_and_has_every_decision() -> None:
    match = Match(5, 60, HouseRules.preset("limit"), SeededChance(bytes(32)))
    roll = Random(1).random
    events, kinds, discards = match.start(), set(), set()
    while not match.over:
        action = random_action(match.deal, roll)
        kinds.add(type(action).__name__)
        discards.add(len(getattr(action, "discards", ())))
        events += match.apply(match.to_act, action)
    assert kinds >= {"Declare", "Play"}
    assert discards == {0, 1, 2, 3, 4, 5}
    assert not [event for event in events if isinstance(event, Faulted | Reneged | Penalized)]


def test_openspiel_is_driven_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert openspiel_rate("euchre", 3) is None
    peer = ModuleType("pyspiel")
    states: list[GameState] = []
    peer.__dict__["load_game"] = lambda name: GameState(states)
    monkeypatch.setitem(sys.modules, "pyspiel", peer)
    rate = openspiel_rate("euchre", 3)
    assert rate is not None
    assert rate > 0
    assert [state.applied for state in states] == [5, 5, 5]


class GameState:
    """A game of two chance deals and three decisions, in any of its states."""

    def __init__(self, states: list[GameState]) -> None:
        self.states = states
        self.applied = 0

    def new_initial_state(self) -> GameState:
        self.states.append(GameState(self.states))
        return self.states[-1]

    def is_chance_node(self) -> bool:
        return self.applied < 2

    def is_terminal(self) -> bool:
        return self.applied == 5

    def legal_actions(self) -> list[int]:
        return [3, 4]

    def apply_action(self, action: int) -> None:
        assert action in (3, 4)
        self.applied += 1


def test_the_records_of_a_database_are_measured_as_they_are_stored(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    finished = run_in_process(small_contest(tmp_path), folder, played)
    size = record_bytes(FolderLocation(folder).database)
    plain = sum(len(finished.record(match).encode()) for match in finished.matches())
    assert plain / 10 < size < plain
    assert size < FolderLocation(folder).database.stat().st_size


def test_the_bots_import_the_bourre_of_the_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench of compiled modules once measured plain bots, because bots do not inherit PYTHONPATH."""
    stand_in = tmp_path / "compiled" / "bourre" / "__init__.py"
    stand_in.parent.mkdir(parents=True)
    stand_in.write_text("Bot, run = None, lambda bot: print(__file__)")
    monkeypatch.setattr("bourre.__file__", str(stand_in))
    program = write_trivial_bot(tmp_path)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(stand_in)
