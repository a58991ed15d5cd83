"""Kills the processes of contests at random moments, and checks what is left: `docs/security.md`.

    .venv/bin/python research/measurements/crashes.py [--kills 200] [--seed 1] [--level none] [--jobs 2]

A round is a contest that is killed and run again until it has come to its end. In odd rounds the contest itself and
its workers are killed, and the standings must be those of a contest that nobody disturbed; in even rounds lifelines and
bots too, which is a bot's own fault and may change them. Ends with 1 at the first deviation, and keeps the run folder.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import family

EXAMPLES = Path(__file__).parents[2] / "examples"
BOTS = ("lowest", "follower", "drawer")
KEPT = {"manifest.json", "run.db", "run.lock", "standings.json", "logs"}
END_S = 30.0
"""How long processes that a killed one leaves behind may take to end."""
HARMLESS = ("contest", "worker")


class Deviation(Exception):
    """A difference from what was expected."""


@dataclass(slots=True)
class Killer:
    """Plays contests in a folder, and kills their processes."""

    folder: Path
    level: str
    jobs: int
    chance: random.Random
    kills: int
    """The kills still to do."""
    counts: Counter[str] = field(default_factory=Counter)
    expected: str = ""
    """The standings of an undisturbed contest."""
    seconds: float = 0.0
    """How long the undisturbed contest took."""

    def play_undisturbed(self) -> None:
        """Finds out the expected result."""
        began = time.monotonic()
        contest = self._start(self.folder / "undisturbed")
        self.expected, _ = contest.communicate()
        self.seconds = time.monotonic() - began
        if contest.returncode:
            raise Deviation(f"the undisturbed contest ended with {contest.returncode}")
        if faults := sum(row["faults"] for row in json.loads(self.expected)["standings"]):
            raise Deviation(f"the undisturbed contest has {faults} faults: this machine is disturbed")

    def play_round(self, number: int) -> None:
        """Runs and kills one contest until it is finished."""
        out, kinds = (
            self.folder / f"round{number}",
            HARMLESS if number % 2 else ("contest", "worker", "lifeline", "bot"),
        )
        while not self._run_to_end(out, kinds):
            _look_at(out)
        self._check(out, harmless=kinds == HARMLESS)
        shutil.rmtree(out)

    def _run_to_end(self, out: Path, kinds: tuple[str, ...]) -> bool:
        """Runs it once, killing at random moments; returns whether it finished."""
        contest = self._start(out)
        while self.kills and contest.poll() is None:
            try:
                contest.wait(self.chance.uniform(0.0, 0.6 * self.seconds))
            except subprocess.TimeoutExpired:
                self._kill(contest, self.chance.choice(kinds))
        contest.communicate()
        if left := family.left_after(END_S):
            raise Deviation(f"still running {END_S:.0f} s after the contest: {left}")
        if contest.returncode not in (0, 1, -signal.SIGKILL):
            raise Deviation(f"the contest ended with {contest.returncode}: see {out}.log")
        if contest.returncode == 1 and "failed 3 times" not in _log(out).read_text():
            raise Deviation(f"the contest failed: see {out}.log")
        return contest.returncode == 0

    def _kill(self, contest: subprocess.Popen[str], kind: str) -> None:
        victims = family.victims(contest.pid)[kind]
        if victims:
            with_luck = self.chance.choice(victims)
            try:
                os.kill(with_luck, signal.SIGKILL)
            except ProcessLookupError:
                return  # it ended first
            self.counts[kind] += 1
            self.kills -= 1

    def _check(self, out: Path, harmless: bool) -> None:
        """Checks the end of a round: everything is there and valid, nothing else is left."""
        _look_at(out)
        standings = (out / "standings.json").read_text()
        if harmless and standings != self.expected:
            raise Deviation(f"other standings than undisturbed: {standings}")
        if sum(row["chips"] for row in json.loads(standings)["standings"]):
            raise Deviation(f"chips were lost: {standings}")
        if (names := {path.name for path in out.iterdir()}) != KEPT:
            raise Deviation(f"the run folder holds {sorted(names)} instead of {sorted(KEPT)}")
        if left := list((self.folder / "tmp").iterdir()):
            raise Deviation(f"left in the folder for temporary files: {left}")

    def _start(self, out: Path) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "bourre_referee", "run", str(self._contest_file()), "--json"]
        with _log(out).open("a") as log:
            return subprocess.Popen(
                [*command, "--out", str(out), "--jobs", str(self.jobs)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
            )

    def _contest_file(self) -> Path:
        path = self.folder / "contest.toml"
        if not path.exists():
            (self.folder / "tmp").mkdir()
            bots = "".join(f'[[bots]]\nname = "{bot}"\ncommand = ["python", "{EXAMPLES / bot}.py"]\n' for bot in BOTS)
            path.write_text(
                '[contest]\nname = "crashes"\nseed = 7\n[table]\nseats = 3\ndeals = 20\n[schedule]\nrounds = 1\n'
                "[clock]\nstart_ms = 60000\ndecision_ms = 60000\n"
                f'[isolation]\nlevel = "{self.level}"\n{bots}'
            )
        return path


def _log(out: Path) -> Path:
    """Returns the log file of a contest."""
    return out.with_name(f"{out.name}.log")


def _look_at(out: Path) -> None:
    """Checks that what a killed contest left is valid, in a copy, so that only the contest repairs it."""
    if (out / "manifest.json").exists():
        json.loads((out / "manifest.json").read_text())
    if (out / "run.db").exists():
        with tempfile.TemporaryDirectory() as place:
            for path in out.glob("run.db*"):
                shutil.copy(path, place)
            with closing(sqlite3.connect(Path(place) / "run.db")) as database:
                (said,) = database.execute("PRAGMA integrity_check").fetchone()
                broken = database.execute("PRAGMA foreign_key_check").fetchall()
        if said != "ok" or broken:
            raise Deviation(f"{out / 'run.db'}: {said} {broken}")


def measure(killer: Killer) -> int:
    """Plays rounds until all kills are done; returns the exit code."""
    number = 0
    try:
        killer.play_undisturbed()
        while killer.kills:
            number += 1
            killer.play_round(number)
            print(f"round {number}: {killer.counts.total()} kills so far", file=sys.stderr, flush=True)
    except Deviation as deviation:
        print(f"round {number}, after {dict(killer.counts)}: {deviation}\nkept in {killer.folder}")
        return 1
    finally:
        family.end_all()
    kills = ", ".join(f"{count} {kind}" for kind, count in sorted(killer.counts.items()))
    print(f"{killer.counts.total()} kills ({kills}) in {number} rounds: nothing lost, no deviation")
    shutil.rmtree(killer.folder)
    return 0


def main() -> int:
    """Reads the command line and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="seed for victims and moments")
    parser.add_argument("--level", default="none", choices=["none", "bwrap", "container"])
    parser.add_argument("--jobs", type=int, default=2)
    words = parser.parse_args()
    print(f"seed {words.seed}, level {words.level}, {words.jobs} jobs", flush=True)
    family.adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix="crashes-"))
    return measure(Killer(folder, words.level, words.jobs, random.Random(words.seed), words.kills))


if __name__ == "__main__":
    sys.exit(main())
