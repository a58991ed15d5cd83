"""Measures the gain of the baseline `card styles` on the deals of the evaluation, in matches of 60.

.venv/bin/python research/measurements/card_styles.py [--deals 120]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import combinations
from statistics import median, variance

from fields import FIELDS, Field
from playings import LIMIT, play_out
from rows import head, line

from bourre.rules.deck import DuplicateChance
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle_in_units
from bourre_referee.model.luck import BASELINE, COEFFICIENT, ORDERS, Baseline, DrawObserver, PlayedBoard, luck_of_match
from bourre_referee.schedule.duplicate_seatings import seatings

MATCH = 60
"""Deals of a match: styles are forgotten after it."""
BASELINES: tuple[Baseline | None, ...] = (None, BASELINE)

Chips = list[float]
"""Chips by bot."""


def play_board(field: Field, line_up: Sequence[int], seed: bytes, deal: int) -> tuple[PlayedBoard, Chips]:
    """Play a deal in one seating."""
    seats = len(field.bots)
    observer = DrawObserver(seats)
    match = Match(seats, deal, LIMIT, DuplicateChance(seed), only=deal)
    units = settle_in_units(*play_out(match, [field.bots[bot] for bot in line_up], observer.hear))
    board = PlayedBoard(deal, tuple(line_up), observer.drawing(), observer.played())
    return board, by_bot(board, [unit / UNIT for unit in units])


def by_bot(board: PlayedBoard, by_seat: Sequence[float]) -> Chips:
    """Order values by seat by the bots' numbers."""
    return [by_seat[board.line_up.index(bot)] for bot in range(len(board.line_up))]


def gains(field: Field, deals: int) -> list[list[float]]:
    """Return for each pair how many times fewer deals than settled ones: raw, then by each baseline."""
    seed, seats = field.seed("evaluation"), len(field.bots)
    played = [
        play_board(field, line_up, seed, deal) for deal in range(1, deals + 1) for line_up in seatings(seats, deal)
    ]
    kinds = [[chips for _, chips in played]]
    for baseline in BASELINES:
        lucks: list[tuple[int, ...]] = []
        for first in range(0, len(played), MATCH * seats):
            boards = [board for board, _ in played[first : first + MATCH * seats]]
            lucks += luck_of_match(boards, LIMIT, seed, baseline)
        kinds.append([less_luck(board, chips, luck) for (board, chips), luck in zip(played, lucks, strict=True)])
    return [pair_gains(kinds, one, other, seats) for one, other in combinations(range(seats), 2)]


def less_luck(board: PlayedBoard, chips: Chips, luck: Sequence[int]) -> Chips:
    """Subtract the share of the luck that standings subtract."""
    lucky = by_bot(board, [COEFFICIENT * units / ORDERS / UNIT for units in luck])
    return [won - units for won, units in zip(chips, lucky, strict=True)]


def pair_gains(kinds: Sequence[Sequence[Chips]], one: int, other: int, seats: int) -> list[float]:
    """Compare the variance of a deal's sum over its seatings with that of as many settled deals."""
    apart = [[chips[one] - chips[other] for chips in kind] for kind in kinds]
    settled = variance(apart[0]) * seats
    return [settled / variance([sum(of[at : at + seats]) for at in range(0, len(of), seats)]) for of in apart]


def main(arguments: Sequence[str]) -> None:
    """Print the median gains of each table, and median and least of all pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=120, help="deals of each table; half of them if a bot is slow")
    deals = parser.parse_args(arguments).deals
    print(head(("table", "raw", "fixed policy", "card styles")))
    found: list[list[float]] = []
    for field in FIELDS:
        of_field = gains(field, field.share(deals, slowly=2))
        found += of_field
        print(line([str(field), *(f"{median(kind):.2f}" for kind in zip(*of_field, strict=True))]), flush=True)
    print(line(["all", *(f"{median(kind):.2f} (least {min(kind):.2f})" for kind in zip(*found, strict=True))]))


if __name__ == "__main__":
    main(sys.argv[1:])
