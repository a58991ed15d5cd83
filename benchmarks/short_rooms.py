"""What a short match costs in a contest that starts its bots for it: `python benchmarks/short_rooms.py [--rounds 3]`.

Five of the SDK's default bots play one room at a time in a contest of two deals a match, as a contest file asks for it.
Shows seconds a match, of the wall and of all processors; the database and the standings are part of it.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

from bourre_referee.contest.contest_file import load
from bourre_referee.runner.contest_run import run

BOT = "from bourre import Bot, run\n\n\nclass Plain(Bot):\n    pass\n\n\nrun(Plain)\n"
BOTS = 5


def main() -> None:
    """Prints a line for each round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=2, help="of the line-up, in each of its five rotations")
    parser.add_argument("--deals", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--level", default="best", help="[isolation] level")
    parser.add_argument("--table", default="", help='further lines of [table], as "fresh = false"')
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    for _ in range(options.rounds):
        wall, processors = _play(options)
        print(f"a match: {wall:5.2f} s, {processors:5.2f} s of all processors", flush=True)


def _play(options: argparse.Namespace) -> tuple[float, float]:
    with tempfile.TemporaryDirectory(prefix="bourre-bench-") as place:
        folder = Path(place)
        contest = load(_write_contest(folder, options))
        began, before = time.perf_counter(), _processor_seconds()
        matches = run(contest, folder / "run", jobs=options.jobs).manifest.matches
        took, used = time.perf_counter() - began, _processor_seconds() - before
    return took / matches, used / matches


def _write_contest(folder: Path, options: argparse.Namespace) -> Path:
    (folder / "bot.py").write_text(BOT, "utf-8")
    names = [f"bot{number}" for number in range(BOTS)]
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = ["python", "bot.py"]\nfiles = ["bot.py"]\n' for name in names)
    file = folder / "contest.toml"
    file.write_text(
        f'[contest]\nname = "short"\nseed = 1\n[table]\nseats = {BOTS}\ndeals = {options.deals}\n{options.table}\n'
        f'[isolation]\nlevel = "{options.level}"\n'
        f'[schedule]\nkind = "line-ups"\nline_ups = [{names}]\nrepeats = {options.repeats}\n{bots}',
        "utf-8",
    )
    return file


def _processor_seconds() -> float:
    """What this process and all that have ended below it used."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main()
