"""Sessions with a bot that does what bytes say: a short run of what `measurements/fuzz.py` does for long."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from random import Random
from unittest import mock

import pytest
from fuzzing.session import play

from bourre.rules.actions import Fault
from bourre_referee.line import Line
from bourre_referee.table import Table

ROOT = Path(__file__).parents[2]


def test_a_bot_that_says_anything_breaks_nothing() -> None:
    dice, faults = Random(1), Counter[Fault]()
    honest = [outcome.record for outcome in play(b"").outcomes]
    for _ in range(150):
        faults.update(play(dice.randbytes(dice.randrange(160))).faults)
    assert {Fault.LATE, Fault.UNDECODABLE, Fault.START_FAILURE, Fault.DISCONNECTED, Fault.UNASKED} <= faults.keys()
    assert [outcome.record for outcome in play(b"").outcomes] == honest


@pytest.mark.skipif(
    not find_spec("atheris"),
    reason="atheris has no wheel for this machine: run it on Linux, x86_64, Python 3.11 to 3.13",
)
def test_the_fuzzer_itself_runs_and_finds_nothing(tmp_path: Path) -> None:
    words = (sys.executable, str(ROOT / "measurements/fuzz.py"), "--inputs", "100", "--seed", "2")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "100 inputs, none of which broke anything" in done.stdout


def test_an_error_of_the_referee_is_found() -> None:
    with mock.patch.object(Table, "answer", side_effect=KeyError("a mistake of ours")), pytest.raises(KeyError):
        play(b"")


def test_a_bot_that_is_never_asked_is_found() -> None:
    def ask_nobody(line: Line, *_: object) -> None:
        line.close()

    with mock.patch.object(Line, "ask", ask_nobody), pytest.raises(Exception, match="everybody waits"):
        play(b"")
