"""How long does it take to find the copies in a class of 100, from the records of its hidden deals?

Run: .venv/bin/python research/measurements/copies_in_class.py [--class N] [--deals N]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import cycle, groupby, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from copies import ROOT, SOURCES, copied, edits

from bourre.bot_code.bot_file import load
from bourre.practice import PracticeError, practice_duplicate
from bourre.record import RecordedAsk, asks, read
from bourre.rules.errors import BourreError
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.evaluation.copies.identical_play import BotPlay, find_alike, known_bots

STAFF = ("tight", "loose")
SEED = 5


def submissions(number: int) -> Iterator[str]:
    """Yields programs as a class hands them in: edited starters, one in five a renamed copy, and unchanged starters."""
    rng = Random(1)
    texts = [file.read_text("utf-8") for file in SOURCES]
    edited = cycle([edit for text in texts for edit in edits(text)])
    for place in range(number):
        yield texts[place % len(texts)] if place % 10 == 9 else next(edited) if place % 5 else copied(next(edited), rng)


def hidden_deals(text: str, folder: Path, deals: int) -> str | None:
    """Returns the record of a submission among the staff's bots; None if it does not work."""
    file = folder / f"bot{sha256(text.encode()).hexdigest()[:12]}.py"
    file.write_text(text)
    bots = {"submission": str(file), **{name: str(ROOT / f"examples/{name}.py") for name in STAFF}}
    try:
        return practice_duplicate({name: load(path) for name, path in bots.items()}, deals, seatings, seed=SEED)
    except (PracticeError, BourreError):
        return None


def playings(text: str) -> Iterator[Iterator[RecordedAsk]]:
    """Yields the asks of each deal in each seating, as `grade` reads them."""
    record = read(text)
    for _, playing in groupby(asks(record, 0), key=lambda ask: (ask.view.deal, ask.seating)):
        yield playing


def main(argv: Sequence[str] | None = None) -> None:
    """Plays the class, and prints what finding the copies took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--class", dest="size", type=int, default=100, help="submissions (100)")
    parser.add_argument("--deals", type=int, default=200, help="hidden deals, each in three seatings (200)")
    wanted = parser.parse_args(argv)
    with TemporaryDirectory() as place:
        played = (hidden_deals(text, Path(place), wanted.deals) for text in submissions(3 * wanted.size))
        records = list(islice((record for record in played if record), wanted.size))
    plays = [
        BotPlay(f"student {number}", sha256(text.encode()).hexdigest(), lambda text=text: playings(text))  # type: ignore[misc]
        for number, text in enumerate(records)
    ]
    began, wall = process_time(), perf_counter()
    alike = find_alike(plays, known_bots())
    known = sum(bool(group.known) for group in alike)
    print(f"{len(plays)} submissions: {len(alike)} groups, {known} of them like a bot that everybody has")
    print(f"most decisions compared: {max(group.decisions for group in alike)}")
    print(f"seconds: {perf_counter() - wall:.1f}, of the processor {process_time() - began:.1f}")


if __name__ == "__main__":
    main()
