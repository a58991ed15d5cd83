"""Chooses the share of the luck of the draw to subtract, on training deals that no evaluation uses.

.venv/bin/python research/measurements/coefficient.py [--deals 300]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import combinations
from math import exp, log
from statistics import fmean, median, variance

from fields import FIELDS, Field
from playings import LIMIT, Block, play_block

SHARES = [tenth / 10 for tenth in range(11)]


def blocks_of(field: Field, deals: int) -> list[Block]:
    """Plays the training deals of a table."""
    seed = field.seed("training")
    return [play_block(field.bots, LIMIT, seed, deal) for deal in range(1, field.share(deals) + 1)]


def gains(blocks: Sequence[Block], share: float) -> list[float]:
    """Returns, for every two bots, the factor by which the variance decreases when this share is subtracted."""
    pairs = list(combinations(range(len(blocks[0].chips)), 2))
    raw = [variance([block.adjusted(one, other, 0) for block in blocks]) for one, other in pairs]
    return [
        before / variance([block.adjusted(one, other, share) for block in blocks])
        for before, (one, other) in zip(raw, pairs, strict=True)
    ]


def main(arguments: Sequence[str]) -> None:
    """Prints, for each share, the gain over duplicate without correction, over all pairs of all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=300, help="deals of each table")
    options = parser.parse_args(arguments)
    tables = [blocks_of(field, options.deals) for field in FIELDS]
    print("| share taken off | median gain | geometric mean | least |\n|---:|---:|---:|---:|")
    for share in SHARES:
        found = [gain for blocks in tables for gain in gains(blocks, share)]
        print(f"| {share} | {median(found):.2f} | {exp(fmean(map(log, found))):.2f} | {min(found):.2f} |")


if __name__ == "__main__":
    main(sys.argv[1:])
