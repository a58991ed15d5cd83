"""Measures what a cluster of this machine adds to rooms of some seconds: `python benchmarks/cluster_overhead.py`.

The bots only wait, so that the rooms take as long on any machine. The time is from the first finished match to the
last, without the start of the cluster, which is printed by itself.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.runner.cluster.dask_link import open_link
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.dask_executor import dask_rooms
from bourre_referee.runner.executor import MakeExecutor
from bourre_referee.runner.local_executor import local_rooms
from bourre_referee.runner.progress import Progress

WAITING_BOT = """
import time
from bourre import Bot, run

class Waiting(Bot):
    def declare(self, view):
        time.sleep({seconds})
        return False

run(Waiting)
"""
DEALS = 5
TERMS = """
[contest]
name = "waiting"
seed = 7
[table]
seats = 2
deals = {deals}
[schedule]
rounds = {rounds}
[clock]
start_ms = 60000
decision_ms = 60000
[isolation]
level = "none"
"""


class Timekeeper:
    """Notes when matches finish."""

    def __init__(self) -> None:
        self.began = monotonic()
        self.finished: list[float] = []

    def __call__(self, progress: Progress) -> None:
        """Hears of a match."""
        if progress.latest:
            self.finished.append(monotonic())

    @property
    def seconds(self) -> float:
        """The time from the first finished match to the last."""
        return self.finished[-1] - self.finished[0]


def waiting_contest(folder: Path, seconds: float, rounds: int) -> Contest:
    """Returns a contest of two bots in rooms that take about this long."""
    text = TERMS.format(deals=DEALS, rounds=rounds)
    for bot in ("ada", "bob"):
        # In each deal the second bot need not say whether it plays, as the first has passed.
        (folder / f"{bot}.py").write_text(WAITING_BOT.format(seconds=seconds / DEALS))
        text += f'[[bots]]\nname = "{bot}"\ncommand = ["python", "{bot}.py"]\n'
    (folder / "contest.toml").write_text(text)
    return load(folder / "contest.toml")


def timed(contest: Contest, folder: Path, executor: MakeExecutor) -> Timekeeper:
    """Plays the contest."""
    timekeeper = Timekeeper()
    run(contest, folder, watch=timekeeper, executor=executor)
    return timekeeper


def main() -> None:
    """Prints both times, and what is added."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="of a room")
    parser.add_argument("--rounds", type=int, default=12, help="of two rooms each")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with TemporaryDirectory() as place:
        folder = Path(place)
        contest = waiting_contest(folder, options.seconds, options.rounds)
        here = timed(contest, folder / "local", local_rooms(options.jobs))
        began = monotonic()
        with open_link(None, options.jobs) as link:
            started = monotonic() - began
            there = timed(contest, folder / "dask", dask_rooms(link))
    matches = len(here.finished)
    print(f"{matches} rooms, {options.jobs} at a time: local {here.seconds:.2f} s, Dask {there.seconds:.2f} s")
    print(
        f"added: {100 * (there.seconds / here.seconds - 1):.1f} %; the cluster starts in {started:.1f} s, and the first"
    )
    before = [timekeeper.finished[0] - timekeeper.began for timekeeper in (here, there)]
    print(f"match ends after {before[0]:.1f} s (local) and {before[1]:.1f} s (Dask, with fitness)")


if __name__ == "__main__":
    main()
