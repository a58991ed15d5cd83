"""`bourre rules legal` and `bourre rules settle` as other programs use them: pipes, bytes, many lines."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from tempfile import TemporaryFile
from typing import IO

import pytest

from bourre.rules.house import PRESETS
from tests.referee.rules_questions import LEGAL, SETTLE

pytestmark = pytest.mark.xdist_group("processes")

BAD = b'{"hand":"\xff"}\n'
LINES = f"{LEGAL}\nnonsense\n".encode() + BAD + b'{"hand":"KS TS","trump":"S","playing":3,"tricks_won":2}\n'
"""Four lines, two of which are not questions."""

PEAK = """
import atexit, sys
def told():
    (line,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    print(line.split()[1], file=sys.stderr)
atexit.register(told)
sys.argv = ["bourre", "rules", "legal"]
from bourre_referee.cli import main
main()
"""
"""Prints its peak memory in kB at the end."""


def bourre(*words: str, asked: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "bourre_referee", "rules", *words]
    return subprocess.run(command, input=asked, capture_output=True, check=False, env=os.environ | environment)


@contextmanager
def conversation(*words: str) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]]:
    """Starts the command with pipes at both ends."""
    command = [sys.executable, "-m", "bourre_referee", "rules", *words]
    buffered = os.environ | {"PYTHONUNBUFFERED": ""}
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, env=buffered) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process, process.stdin, process.stdout


def test_lines_in_lines_out_and_the_next_line_goes_on() -> None:
    done = bourre("legal", asked=LINES)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        '{"legal":["KH"],"cinch":false,"reneges":{"AS":"R5.2","2C":"R5.2"}}',
        '{"error":"this line is not JSON: Expecting value at character 1"}',
        '{"error":"this line is not UTF-8 (byte 10).\\nhint: use UTF-8"}',
        '{"legal":["KS","TS"],"cinch":false,"reneges":{}}',
    ]


def test_settle_answers_its_own_questions() -> None:
    done = bourre("settle", asked=f"{SETTLE}\n{LEGAL}\n".encode())
    settled, error = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, settled["winner"], settled["next_pot"]) == (0, "E", 7)
    assert error["error"].startswith("Unknown key 'hand'")


@pytest.mark.parametrize("command", ["legal", "settle"])
def test_the_question_in_the_help_can_be_asked_as_it_stands(command: str) -> None:
    questions = re.findall(rb"{.*}", bourre(command, "--help", COLUMNS="80").stdout)
    answers = bourre(command, asked=b"\n".join(questions)).stdout.splitlines()
    assert len(answers) == len(questions) == 2
    assert not any("error" in json.loads(answer) for answer in answers)


@pytest.mark.parametrize("words", [("legal",), ("settle",)])
def test_no_question_no_answer(words: tuple[str, ...]) -> None:
    done = bourre(*words)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_last_line_needs_no_end_and_lines_may_end_as_on_windows() -> None:
    done = bourre("legal", asked=LEGAL.encode() + b"\r\n\r\n" + LEGAL.encode())
    assert len(done.stdout.splitlines()) == 2
    assert b"error" not in done.stdout


@pytest.mark.parametrize(("locale", "encoding"), [("C", ""), ("C", "ascii"), ("C.UTF-8", "latin-1")])
def test_answers_are_utf_8_whatever_the_terminal_speaks(locale: str, encoding: str) -> None:
    question = '{"pot":7,"tricks":{"Zoë":5,"♠":0,"\\ud800":0}}'
    done = bourre("settle", asked=question.encode(), LC_ALL=locale, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    told = json.loads(done.stdout.decode("utf-8"))
    assert (told["winner"], list(told["payments"])) == ("Zoë", ["♠", "\ud800"])
    assert "Zoë".encode() in done.stdout


def test_each_answer_comes_before_the_next_question() -> None:
    with conversation("legal") as (process, questions, told):
        for _ in range(3):
            questions.write(LEGAL.encode() + b"\n")
            assert json.loads(told.readline())["legal"] == ["KH"]
        questions.close()
        assert (process.wait(), told.read()) == (0, b"")


def test_a_reader_who_has_had_enough_gets_no_traceback() -> None:
    with conversation("legal") as (process, questions, told):
        questions.write(LEGAL.encode() + b"\n")
        told.readline()
        told.close()
        questions.write(LEGAL.encode() + b"\n")
        assert process.wait() == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_every_preset_can_be_asked_by_name() -> None:
    question = '{{"hand":"KH 2C","trick":"QH","trump":"S","playing":4,"house":{{"preset":"{}"}}}}\n'
    told = bourre("legal", asked="".join(map(question.format, PRESETS)).encode()).stdout.splitlines()
    assert [json.loads(answer)["legal"] for answer in told] == [["KH"]] * len(PRESETS)


def peak_memory(lines: int) -> int:
    """The peak memory in kB while answering this many lines, good and bad."""
    with TemporaryFile() as questions:
        for _ in range(lines // 4):
            questions.write(LINES)
        questions.seek(0)
        done = subprocess.run(
            [sys.executable, "-c", PEAK], stdin=questions, stdout=subprocess.DEVNULL, stderr=PIPE, check=True
        )
    return int(done.stderr)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux reports a process's peak memory")
@pytest.mark.parametrize("lines", [20_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_memory_does_not_grow_with_the_lines(lines: int) -> None:
    assert peak_memory(lines) < peak_memory(200) + 600
