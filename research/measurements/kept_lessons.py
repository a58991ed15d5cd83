"""Measures what the luck correction gains if it keeps its lessons about bots, and does not forget after each match.

    .venv/bin/python research/measurements/kept_lessons.py [--deals 480] [--bias 1000] [--csv FILE] [--only-bias]

Lessons are forgotten after each match of 60 deals (`bot styles 1`), kept from match to match, or kept from the first
240 deals only (`bot styles 2`). Gains count from the middle on. The summary is Markdown on stdout; `--csv` adds every
pair to a file such as research/results/kept_lessons.csv. research/calibration.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import fmean, median, stdev, variance
from time import process_time

from fields import FIELDS, Field
from playings import LIMIT, MATCH, Block, PlayedOnce, block_of, play_boards
from rows import add_to_csv, head, line

from bourre.bot import Bot
from bourre.practice.session import BotMaker
from bourre.rules.cards import Card
from bourre.rules.pot import UNIT
from bourre.rules.visibility import View
from bourre_referee.luck import COEFFICIENT
from bourre_referee.luck.bot_style import BotLessons
from bourre_referee.luck.style_luck import luck_after
from examples.loose import Loose
from examples.tight import Tight

SCHOOL = 240
"""The deals after which the third way keeps no more lessons."""

FIVE = FIELDS[4]

Teach = Callable[[list[BotLessons], int], list[BotLessons]]
"""Returns the lessons with which a match begins, given those so far, and the number of deals before it."""


def forget(lessons: list[BotLessons], _deals: int) -> list[BotLessons]:
    """Begins every match without lessons."""
    return [BotLessons() for _ in lessons]


def keep(lessons: list[BotLessons], _deals: int) -> list[BotLessons]:
    """Begins every match with all earlier lessons."""
    return lessons


class School:
    """Begins every match with the lessons of the first deals."""

    def __init__(self) -> None:
        self._taught: list[BotLessons] = []

    def __call__(self, lessons: list[BotLessons], deals: int) -> list[BotLessons]:
        """Keeps the lessons until there were SCHOOL deals."""
        if not self._taught and deals >= SCHOOL:
            self._taught = deepcopy(lessons)
        return deepcopy(self._taught) or lessons


WAYS: dict[str, Callable[[], Teach]] = {"forgotten": lambda: forget, "kept": lambda: keep, "first 240": School}
"""What becomes of the lessons of a match."""


def blocks_of(
    played: Sequence[PlayedOnce], seats: int, seed: bytes, teach: Teach, match: int = MATCH
) -> Iterator[Block]:
    """Yields the deals of a contest of one table, in matches of `match` deals."""
    lessons = [BotLessons() for _ in range(seats)]
    for first in range(0, len(played), match * seats):
        of_match = played[first : first + match * seats]
        lessons = teach(lessons, first // seats)
        lucks = luck_after(lessons, [each.board for each in of_match], LIMIT, seed)
        for at in range(0, len(of_match), seats):
            yield block_of(of_match[at : at + seats], lucks[at : at + seats])


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots at one table, with the gain of each way over settled deals."""

    field: Field
    match: int
    names: tuple[str, str]
    raw: float
    gains: dict[str, float]


def pairs_of(field: Field, deals: int, match: int = MATCH) -> Iterator[Pair]:
    """Measures every two bots of a table, over the second half of its deals."""
    seed, seats = field.seed("evaluation"), len(field.bots)
    played = play_boards(field.bots, LIMIT, seed, range(1, deals + 1))
    late = {way: [*blocks_of(played, seats, seed, make(), match)][deals // 2 :] for way, make in WAYS.items()}
    for one, other in combinations(range(seats), 2):
        settled = settled_variance(late["kept"], one, other)
        variances = {
            way: variance([block.adjusted(one, other, COEFFICIENT) for block in of_way]) for way, of_way in late.items()
        }
        raw = variance([block.adjusted(one, other, 0.0) for block in late["kept"]])
        names = field.bots[one].__name__, field.bots[other].__name__
        yield Pair(field, match, names, settled / raw, {way: settled / found for way, found in variances.items()})


def settled_variance(blocks: Sequence[Block], one: int, other: int) -> float:
    """Returns the variance of as many settled deals as a block has seatings, each of which is one."""
    playings = [playing.units for block in blocks for playing in block.playings]
    return variance([(units[one] - units[other]) / UNIT for units in playings]) * len(blocks[0].playings)


class Turncoat(Bot):
    """Plays like Tight, and from deal 241 on like Loose."""

    def __init__(self) -> None:
        self._ways = Tight(), Loose()

    def _way(self, view: View) -> Tight | Loose:
        return self._ways[view.deal > SCHOOL]

    def declare(self, view: View) -> bool:
        """Plays or passes."""
        return self._way(view).declare(view)

    def draw(self, view: View) -> list[Card]:
        """Discards."""
        return self._way(view).draw(view)

    def play(self, view: View) -> Card:
        """Plays a card."""
        return self._way(view).play(view)


class Sulker(Turncoat):
    """Plays like Loose whenever its last first hand had two trumps or more, and like Tight otherwise."""

    def __init__(self, memory: list[bool]) -> None:
        super().__init__()
        self._memory = memory
        self._loosely = memory[-1]

    def _way(self, view: View) -> Tight | Loose:
        return self._ways[self._loosely]

    def declare(self, view: View) -> bool:
        """Plays or passes, and remembers the hand."""
        self._memory.append(sum(card.suit == view.trump for card in view.hand) >= 2)
        return super().declare(view)


def sulkers() -> BotMaker:
    """Returns a maker of one sulker after the other: each remembers the hand of the one before."""
    memory = [False]
    return lambda: Sulker(memory)


LAST_BOTS: dict[str, Sequence[BotMaker]] = {
    "follower": FIVE.bots,
    "turns after 240 deals": (*FIVE.bots[:4], Turncoat),
    "turns by its last hand": (*FIVE.bots[:4], sulkers()),
}
"""The five-bot table, as it is and with a last bot that changes its ways."""


def scores_of(bots: Sequence[BotMaker], deals: int) -> Iterator[tuple[float, float]]:
    """Yields for each pair the luck's mean in standard errors, and the gain over raw duplicate, after a school."""
    seed = FIVE.seed("bias")
    blocks = [*blocks_of(play_boards(bots, LIMIT, seed, range(1, deals + 1)), len(bots), seed, School())]
    for one, other in combinations(range(len(bots)), 2):
        raw, adjusted = ([block.adjusted(one, other, share) for block in blocks] for share in (0.0, COEFFICIENT))
        lucky = [with_luck - without for with_luck, without in zip(raw, adjusted, strict=True)]
        yield fmean(lucky) / stdev(lucky) * sqrt(len(lucky)), variance(raw) / variance(adjusted)


def print_gains(pairs: Sequence[Pair]) -> None:
    """Prints the median gains of each table, and of all pairs in matches of MATCH deals."""
    print(head(("table, deals of a match", "raw", *WAYS)))
    tables = dict.fromkeys((pair.field, pair.match) for pair in pairs)
    for table in tables:
        print_medians(f"{table[0]}, {table[1]}", [pair for pair in pairs if (pair.field, pair.match) == table])
    print_medians("all pairs: median", [pair for pair in pairs if pair.match == MATCH])
    least = [min(pair.gains[way] for pair in pairs) for way in WAYS]
    print(line(["all pairs: least", f"{min(pair.raw for pair in pairs):.2f}", *(f"{gain:.2f}" for gain in least)]))


def print_medians(name: str, pairs: Sequence[Pair]) -> None:
    """Prints the median gains of these pairs."""
    medians = [median(pair.gains[way] for pair in pairs) for way in WAYS]
    print(line([name, f"{median(pair.raw for pair in pairs):.2f}", *(f"{gain:.2f}" for gain in medians)]))


def print_scores(deals: int) -> None:
    """Prints the largest score of any pair, with the bots of the five-bot table and with bots that change."""
    print()
    print(head(("last bot", "largest mean luck, standard errors", "least gain over raw", "median")))
    for name, bots in LAST_BOTS.items():
        scores, gains = zip(*scores_of(bots, deals), strict=True)
        print(line([name, f"{max(map(abs, scores)):.2f}", f"{min(gains):.2f}", f"{median(gains):.2f}"]), flush=True)


def rows_of(pairs: Sequence[Pair]) -> Iterator[list[str]]:
    """Yields a row for each pair."""
    for pair in pairs:
        gains = [f"{pair.gains[way]:.2f}" for way in WAYS]
        yield [str(pair.field), " - ".join(pair.names), str(pair.match), f"{pair.raw:.2f}", *gains]


def main(arguments: Sequence[str]) -> None:
    """Prints gains and scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=480, help="deals of each table; half of them if a bot is slow")
    parser.add_argument("--bias", type=int, default=1000, help="deals for each mean of the luck")
    parser.add_argument("--csv", type=Path, help="a file to which every pair is added")
    parser.add_argument("--only-bias", action="store_true", help="only the means of the luck")
    options = parser.parse_args(arguments)
    if not options.only_bias:
        print_pairs(options.deals, options.csv)
    print_scores(options.bias)


def print_pairs(deals: int, csv: Path | None) -> None:
    """Prints the gains of all pairs, and the processor time on stderr."""
    pairs: list[Pair] = []
    for field in FIELDS:
        pairs += pairs_of(field, field.share(deals, slowly=2))
        print(field, f"{process_time():.0f} s", file=sys.stderr, flush=True)
    pairs += pairs_of(FIVE, deals, match=200)
    print_gains(pairs)
    if csv:
        add_to_csv(csv, ("table", "pair", "deals of a match", "raw", *WAYS), rows_of(pairs))


if __name__ == "__main__":
    main(sys.argv[1:])
