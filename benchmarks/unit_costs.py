"""What a match costs a host besides its bots: `python benchmarks/unit_costs.py [--matches 2000] [--db URL]`.

Matches of ten deals and five seats are played by the rules, without bots, and stored as `bourre run` stores them; with
`--db` in a PostgreSQL database, too. Times are of the processor, but for those of storing, which wait for the disk.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from large_run import SEATS, make_run, play_room

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
        print(f"  a room     {main_ms(folder, told.matches):6.2f} ms of the main process a match, in rooms of 256")
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


def main_ms(folder: Path, matches: int) -> float:
    """Returns the processor time of the main process for a match, in milliseconds, while another process plays."""
    one, names = folder / "room.toml", [f"bot-{number:03}" for number in range(SEATS)]
    head, bots = (folder / "contest.toml").read_text().replace("[table]", "[table]\ntables = 64").split("[schedule]")
    bots = "".join(f"[[bots]]{bot}" for bot in bots.split("[[bots]]")[1 : SEATS + 1])
    rounds = f'[schedule]\nkind = "line-ups"\nrepeats = {matches // SEATS}\nline_ups = [{names}]\n'
    one.write_text(f'{head}{rounds}[isolation]\nlevel = "none"\n{bots}')
    before = time.process_time()
    run(load(one), folder / "room", jobs=1, play_room=play_room)
    return 1000 * (time.process_time() - before) / matches


if __name__ == "__main__":
    main()
