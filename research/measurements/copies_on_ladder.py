"""How long does `bourre ladder copies` take for 100 hosted bots: at first, and once what each answered is kept?

Run: .venv/bin/python research/measurements/copies_on_ladder.py [--bots N]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from copies_in_class import hidden_deals, submissions

from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_folder import LadderFolder

FILE = """\
[ladder]
name = "class"
[table]
seats = 3
deals = 5
[isolation]
level = "none"
"""


def fill(place: Path, number: int) -> LadderFolder:
    """Makes a ladder with so many hosted bots, such as a class hands them in."""
    (place / "ladder.toml").write_text(FILE)
    ladder = new_ladder(place / "ladder", place / "ladder.toml")
    working = (text for text in submissions(3 * number) if hidden_deals(text, place, 1))
    for count, text in enumerate(islice(working, number), 1):
        folder = place / f"author{count}"
        folder.mkdir()
        (folder / "bot.py").write_text(text)
        add_hosted(ladder, Newcomer(f"bot{count}"), ["python", "bot.py"], [], folder)
    return ladder


def processor_seconds() -> float:
    """Returns what the ended child processes have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(argv: Sequence[str] | None = None) -> None:
    """Asks all bots twice, and prints what each time took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=100, help="hosted bots (100)")
    wanted = parser.parse_args(argv)
    with TemporaryDirectory() as name:
        place = Path(name)
        ladder = fill(place, wanted.bots)
        environment = os.environ | {"XDG_CACHE_HOME": str(place / "cache")}
        for time in ("at first", "once kept"):
            began, used = perf_counter(), processor_seconds()
            command = [sys.executable, "-m", "bourre_referee", "ladder", "copies", str(ladder.path)]
            ended = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
            took = f"{perf_counter() - began:.1f} s, {processor_seconds() - used:.1f} s of the processor"
            print(f"{time}: {took}; {ended.stdout.count('alike')} groups", flush=True)
        kept = [file.stat().st_size for file in (place / "cache").rglob("*.json")]
        print(f"{len(kept)} files of {sum(kept) / len(kept) / 1024:.0f} KiB in the mean")


if __name__ == "__main__":
    main()
