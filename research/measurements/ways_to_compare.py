"""Compares one table, mirrored, and in turn: which method tells two bots apart sooner?

`python research/measurements/ways_to_compare.py`

For each way the playings that a test of fixed size takes (5 %, power 80 %), less luck.
The outcome is in research/comparing.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import inf
from pathlib import Path
from statistics import NormalDist, fmean, pvariance

from playings import LIMIT, Block, play_block

from bourre.bot import Bot
from bourre.bot_code.bot_file import load
from bourre.rules.deck import master_seed
from bourre_referee.luck import COEFFICIENT

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("tight", "counter", "loose", "follower", "pot_aware", "drawer", "lowest", "random_bot")
PAIRS = (
    *(("tight", "counter"), ("tight", "loose"), ("counter", "pot_aware"), ("loose", "lowest")),
    *(("follower", "drawer"), ("drawer", "pot_aware"), ("counter", "drawer"), ("lowest", "random_bot")),
)
BOTS = {name: load(str(EXAMPLES / f"{name}.py")) for name in NAMES}
SEED = master_seed(21)
SEATS = 5
REACH = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)


def blocks_of(names: Sequence[str], deals: int) -> list[Block]:
    """Plays the deals in all their seatings."""
    bots: list[type[Bot]] = [BOTS[name] for name in names]
    return [play_block(bots, LIMIT, SEED, deal) for deal in range(1, deals + 1)]


def first_result(block: Block) -> float:
    """Returns the first bot's chips, less luck."""
    return block.chips[0] - COEFFICIENT * block.luck[0]


def deals_needed(differences: Sequence[float], playings: int) -> float:
    """Returns how many deals played a test needs if each difference takes `playings`."""
    mean = fmean(differences)
    return playings * REACH**2 * pvariance(differences) / mean**2 if mean else inf


def compare(first: str, second: str, deals: int) -> tuple[float, float, float]:
    """Returns the deals played that each method needs."""
    field = [name for name in NAMES if name not in (first, second)]
    together = blocks_of([first, second, *field[: SEATS - 2]], deals)
    mirrored = blocks_of([second, first, *field[: SEATS - 2]], deals)
    alone = [blocks_of([bot, *field[: SEATS - 1]], deals) for bot in (first, second)]
    here = [block.adjusted(0, 1, COEFFICIENT) for block in together]
    there = [block.adjusted(1, 0, COEFFICIENT) for block in mirrored]
    both = [one + other for one, other in zip(here, there, strict=True)]
    turns = [first_result(one) - first_result(other) for one, other in zip(*alone, strict=True)]
    return deals_needed(here, SEATS), deals_needed(both, 2 * SEATS), deals_needed(turns, 2 * SEATS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=400)
    asked = parser.parse_args()
    for pair in PAIRS:
        found = " | ".join(f"{number:,.0f}" for number in compare(*pair, asked.deals))
        print(f"| {', '.join(pair)} | {found} |", flush=True)


if __name__ == "__main__":
    main()
