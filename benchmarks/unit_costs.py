"""What a match costs a host besides its bots: `python benchmarks/unit_costs.py [--matches 2000] [--db URL]`.

Matches of ten deals and five seats are played by the rules, without bots, and stored as `bourre run` stores them; with
`--db` in a PostgreSQL database, too. Times are of the processor, but for those of storing, which wait for the disk.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from large_run import make_run, play_room

from bourre_referee.contest.contest_file import load
from bourre_referee.runner.contest_run import run
from bourre_referee.storage.run.run_location import RunLocation, place_in_database

BOTS = 40
COMMANDS = (("standings",), ("verify", "--jobs", "1"))


def main() -> None:
    """Prints the cost of one match, and what it comes to for ten million."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=2_000)
    parser.add_argument("--db", metavar="URL")
    told = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        made = make_run(folder, told.matches, BOTS)
        size = (made / "run.db").stat().st_size
        print(f"{told.matches} matches: {size / told.matches:.0f} bytes each")
        for words in COMMANDS:
            cost = processor_s(*words, str(made)) - processor_s(words[0], "--help")
            print(f"  {words[0]:10} {1000 * cost / told.matches:6.2f} ms of processor time a match")
        print(f"  a folder   {stored_ms(folder, folder / 'again', told.matches):6.2f} ms a match, played and stored")
        if told.db:
            place = place_in_database(told.db, f"unit-costs-{os.getpid()}", folder / "logs")
            print(f"  database   {stored_ms(folder, place, told.matches):6.2f} ms a match, played and stored")
            with place.hold() as led:
                led.clear()


def processor_s(*words: str) -> float:
    """Returns the processor time of a command, in seconds."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "bourre_referee", *words], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def stored_ms(folder: Path, place: Path | RunLocation, matches: int) -> float:
    """Returns how long it takes to play and store a match, in milliseconds."""
    began = perf_counter()
    run(load(folder / "contest.toml"), place, jobs=1, play_room=play_room)
    return 1000 * (perf_counter() - began) / matches


if __name__ == "__main__":
    main()
