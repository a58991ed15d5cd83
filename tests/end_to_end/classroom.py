"""A school class for tests: submissions that play, break and spy, and the command that marks them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bourre_referee.evaluation.grade.marks import grading_contests

ROOT = Path(__file__).parents[2]

PLAN = """\
[assignment]
name = "week-3"
seed = 5823946712389

[table]
seats = 2
deals = 6

[clock]
start_ms = 10000
decision_ms = 2000
bank_ms = 0

[isolation]
level = "none"

[[staff]]
name = "coin"
bot = "random"

[conformance]
legal = 40

[[mark]]
points = 60
against = "coin"
per_100 = 50
zero_at = -50
"""
"""Uses as few processes as possible: each submission meets one bot."""

PLAN_OF_TWO = PLAN.replace("seats = 2", "seats = 3") + '[[staff]]\nname = "tight"\nbot = "tight"\n'

RENEGES_ALOUD = """\
import random

from bourre import Bot, Card, View, run

DICE = random.Random()

class Aloud(Bot):
    def declare(self, view: View) -> bool:
        print("holding", *view.hand)
        return True

    def play(self, view: View) -> Card:
        return view.hand[-1]


run(Aloud)
"""

SUBMISSIONS = {
    "Ada Lovelace": (ROOT / "examples" / "loose.py").read_text("utf-8"),
    "Bob Aloud": RENEGES_ALOUD,
    "Cy Syntax": "def play(:\n",
    "Dee Import": "import there_is_no_such_module\n",
    "Eve Loop": "import time\n\nwhile True:\n    time.sleep(60)\n",
    "Flo Hangs": RENEGES_ALOUD.replace("return True", "return __import__('signal').pause()"),
}
"""What each student handed in as bot.py; the endless loops use no CPU time, which others need."""


def write_class(folder: Path) -> Path:
    """The submissions, a folder for each; the last two are not programs."""
    for student, text in SUBMISSIONS.items():
        (folder / student).mkdir(parents=True)
        (folder / student / "bot.py").write_text(text)
    (folder / "Gus Nothing").mkdir()
    (folder / "Hal Command").mkdir()
    (folder / "Hal Command" / "command").write_text("no-such-program --seed\n")
    return folder


def write_autograder(folder: Path, plan: str, bot: str) -> Path:
    """Creates what Gradescope unpacks before run_autograder runs; its Bourré is the one under test."""
    (folder / "source").mkdir(parents=True)
    (folder / "submission").mkdir()
    for file in ("run_autograder", "setup.sh"):
        shutil.copy(ROOT / "docker" / "gradescope" / file, folder / "source")
    (folder / "source" / "grade.toml").write_text(plan)
    (folder / "submission" / "bot.py").write_text(bot)
    program = folder / "bourre"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bourre_referee "$@"\n')
    program.chmod(0o755)
    return folder


def autograded(folder: Path, *around: str) -> subprocess.CompletedProcess[str]:
    """Runs run_autograder without a network, in bubblewrap with these further options."""
    walls = ["bwrap", "--dev-bind", "/", "/", "--unshare-net", *around]
    command = [*walls, "--", str(folder / "source" / "run_autograder")]
    variables = {**os.environ, "AUTOGRADER": str(folder), "BOURRE": str(folder / "bourre")}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=variables)


@contextmanager
def practising(deals: int) -> Iterator[None]:
    """Lets submissions play so many practice deals in all until the end of the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grading_contests, "PRACTICE_DEALS", deals)
        yield
