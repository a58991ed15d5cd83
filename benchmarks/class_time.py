"""Measures the time of `bourre grade` for a class of example bots, which meet three of them in 200 deals each (Linux).

Run: .venv/bin/python benchmarks/class_time.py [--students N] [--jobs N] [--review N]
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from shutil import copyfile
from tempfile import TemporaryDirectory
from time import perf_counter

from bourre.bot_code.bot_file import find
from bourre.bot_code.example_folders import example_folders

BOTS = ("counter", "drawer", "follower", "loose", "pot_aware", "tight")
CLASS = 100
PR_SET_CHILD_SUBREAPER = 36
PLAN = """
[assignment]
name = "measured"
seed = 918273645
review = {review}

[table]
seats = 4
deals = 50

[rules]
preset = "limit"

[conformance]
legal = 100
"""
STAFF = ("random", "tight", "loose")


def main() -> None:
    """Prints the processor and wall time of a submission, and the wall time of a class."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--review", type=int, default=0, help="the mistakes told to each student")
    given = parser.parse_args()
    # Processes that outlive the command become children of this one, so that it can count their time.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    with TemporaryDirectory() as folder:
        place = write_class(Path(folder), given.students, given.review)
        wall, processor = measured("grade", "class", "--jobs", str(given.jobs), place=place)
    bot = f"{processor / given.students:.1f} s of processor time for a submission"
    cores = f"{processor / wall:.2f} cores in use"
    print(f"{bot}, {cores}, {wall / given.students * CLASS / 60:.1f} minutes for a class of {CLASS}")


def write_class(place: Path, students: int, review: int) -> Path:
    """Writes a plan, and a submission for each student."""
    folders = tuple(example_folders())
    staff = (f'[[staff]]\nname = "{name}"\nbot = "{name}"\n' for name in STAFF)
    (place / "grade.toml").write_text("\n".join([PLAN.format(review=review), *staff]))
    (place / "class").mkdir()
    for number, name in zip(range(students), cycle(BOTS), strict=False):
        copyfile(find(name, folders), place / "class" / f"student{number:03}.py")
    return place


def measured(*words: str, place: Path) -> tuple[float, float]:
    """Runs a command in this folder, and returns its wall time and the processor time of all its processes."""
    before, begun = getrusage(RUSAGE_CHILDREN), perf_counter()
    subprocess.run([sys.executable, "-m", "bourre_referee", *words], cwd=place, check=True, stdout=subprocess.DEVNULL)
    wall = perf_counter() - begun
    with suppress(ChildProcessError):
        while True:
            os.wait()
    after = getrusage(RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
