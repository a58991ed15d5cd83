"""What a Dask cluster costs beside local workers: `python benchmarks/cluster_overhead.py [--rooms 12] [--turns 3]`.

Both play the same contest, in turns, two rooms at a time. Its rooms take about five seconds, because a bot sleeps for a
moment before it answers: so the figures tell what is lost between rooms, not how busy the machine is.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.runner.cluster.dask_link import open_link
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.dask_executor import dask_rooms
from bourre_referee.runner.executor import MakeExecutor

JOBS = 2
SLOW = """
import time
from bourre import Bot, run
class Slow(Bot):
    def declare(self, view):
        time.sleep(0.02)
        return super().declare(view)
    def play(self, view):
        time.sleep(0.02)
        return super().play(view)
if __name__ == "__main__":
    run(Slow)
"""
CONTEST = """
[contest]
name = "slow"
seed = 7
[table]
seats = 3
deals = {deals}
[rules]
preset = "limit"
[schedule]
rounds = {rounds}
[isolation]
level = "none"
"""
BOTS = ("ada", "bob", "cy")


def main() -> None:
    """Print how long both take."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=12, help="a multiple of three")
    parser.add_argument("--deals", type=int, default=17)
    parser.add_argument("--turns", type=int, default=3)
    told = parser.parse_args()
    shares = []
    with TemporaryDirectory(prefix="slow-") as name, open_link(None, JOBS) as link:
        contest = make_contest(Path(name), told.deals, told.rooms // len(BOTS))
        for turn in range(told.turns):
            local, digest = play(contest, Path(name, f"local{turn}"), None)
            there, same = play(contest, Path(name, f"dask{turn}"), dask_rooms(link))
            if digest != same:
                sys.exit("the digests differ")
            shares.append(there / local - 1)
            each = local * JOBS / told.rooms
            print(f"{told.rooms} rooms of {each:.1f} s: local {local:.2f} s, Dask {there:.2f} s, {shares[-1]:+.1%}")
    print(f"median {statistics.median(shares):+.1%}")


def make_contest(folder: Path, deals: int, rounds: int) -> Contest:
    """Returns a contest of slow bots."""
    (folder / "slow.py").write_text(SLOW)
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = ["python", "slow.py"]\n' for name in BOTS)
    (folder / "contest.toml").write_text(CONTEST.format(deals=deals, rounds=rounds) + bots)
    return load(folder / "contest.toml")


def play(contest: Contest, out: Path, executor: MakeExecutor | None) -> tuple[float, str | None]:
    """Returns how long a run of the contest takes, in seconds, and its digest."""
    began = monotonic()
    done = run(contest, out, jobs=JOBS, executor=executor)
    return monotonic() - began, done.manifest.digest


if __name__ == "__main__":
    main()
