"""Rooms with a bot that does what random bytes say: a short run of `research/measurements/fuzz.py`."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from fuzzing import message, session
from fuzzing.blind import fuzz_blindly
from fuzzing.campaign import HONEST, Campaign, Play
from fuzzing.judging import Played, Wrong

from bourre.rules.actions import Choice, Fault, Missing, Recall
from bourre_referee.model.results import ranks_of
from bourre_referee.model.spec import MatchOutcome, SeatTiming
from bourre_referee.server.connection import Connection
from bourre_referee.server.table import Table

ROOT = Path(__file__).parents[3]
OUTCOME, ANSWER = Table.outcome, Table.answer


def fuzz(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs the script as a user would."""
    command = (sys.executable, str(ROOT / "research/measurements/fuzz.py"), *words)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_bot_that_says_anything_breaks_no_session() -> None:
    dice, faults = Random(1), Counter[Fault]()
    honest = [outcome.record for outcome in session.play(b"").outcomes]
    for _ in range(60):
        faults.update(session.play(dice.randbytes(dice.randrange(160))).faults)
    assert {Fault.LATE, Fault.UNDECODABLE, Fault.START_FAILURE, Fault.DISCONNECTED, Fault.UNASKED} <= faults.keys()
    assert [outcome.record for outcome in session.play(b"").outcomes] == honest


@pytest.mark.skipif(
    not find_spec("atheris"),
    reason="atheris has no wheel for this machine: run it on Linux, x86_64, Python 3.11 to 3.13",
)
@pytest.mark.parametrize("target", ["message", pytest.param("session", marks=pytest.mark.long)])
def test_the_guided_fuzzer_runs_and_finds_nothing(tmp_path: Path, target: str) -> None:
    done = fuzz(tmp_path, "--target", target, "--inputs", "50", "--seed", "2")
    assert done.returncode == 0, done.stderr
    assert "50 inputs, none of which broke anything" in done.stdout


@pytest.mark.parametrize("inputs", [350, pytest.param(20_000, marks=pytest.mark.long)])
def test_the_blind_fuzzer_finds_nothing(tmp_path: Path, inputs: int) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "known").write_bytes(bytes(range(40)))
    done = fuzz(tmp_path, "--blind", "--inputs", str(inputs), "--seed", "3", "--corpus", "corpus")
    assert done.returncode == 0, done.stderr
    assert f"{inputs} inputs, none of which broke anything" in done.stdout
    for fault in ("late", "undecodable", "unasked", "disconnected", "over_limit", "premature", "error"):
        assert f"{fault} in " in done.stdout


def test_an_input_that_breaks_something_is_left_in_a_file(tmp_path: Path) -> None:
    def take(data: bytes) -> None:
        if data.startswith(b"b"):
            raise KeyError("a mistake of ours")

    with pytest.raises(KeyError):
        fuzz_blindly(take, iter([b"abc", b"bcd"]), tmp_path)
    assert [file.read_bytes() for file in tmp_path.glob("crash-*")] == [b"bcd"]


def break_down(*_: object) -> None:
    raise KeyError("a mistake of ours")


def ask_nobody(line: Connection, *_: object) -> None:
    line.close()


def misplace(table: Table, timings: tuple[SeatTiming, ...]) -> MatchOutcome:
    outcome = OUTCOME(table, timings)
    chips = [seat.chips + by for seat, by in zip(outcome.result.seats, (9, -9, 0), strict=False)]
    told = zip(outcome.result.seats, chips, ranks_of(chips), strict=True)
    seats = tuple(replace(seat, chips=held, rank=rank) for seat, held, rank in told)
    return replace(outcome, result=replace(outcome.result, seats=seats))


def blame(table: Table, seat: int, action: Choice | Missing, recall: Recall | None = None) -> None:
    ANSWER(table, seat, Missing(Fault.ERROR) if table.spec.line_up[seat] == "ada" else action, recall)


@pytest.mark.parametrize("play", [message.play, session.play])
@pytest.mark.parametrize(
    ("owner", "method", "instead", "found"),
    [
        (Table, "answer", break_down, "a mistake of ours"),
        (Connection, "ask", ask_nobody, "everybody waits"),
        (Table, "outcome", misplace, "the record ends in"),
        (Table, "answer", blame, "ada is charged with"),
    ],
)
def test_a_fault_of_the_referee_is_found(
    owner: type, method: str, instead: Callable[..., object], found: str, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, method, instead)
    with pytest.raises(Exception, match=found):
        play(HONEST)


def test_an_honest_room_that_has_changed_is_found() -> None:
    played = iter([b"", b"1", b"\2"])

    def drift(_: bytes) -> Played:
        return session.play(next(played))

    with pytest.raises(Wrong, match="another record than before"):
        Campaign(drift, 1).take(b"")
