"""Duplicate practice in one process: every deal is played in all its seatings, and settled alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bourre.practice.loop_thread import LoopThread
from bourre.practice.practice_table import PracticeTable
from bourre.practice.seat import PracticeSeat, borrowed_random
from bourre.practice.session import LIMIT, BotSource, check_method_names, make_bot, name_bots
from bourre.record import DealRecord, Header, duplicate_text
from bourre.rules.deck import master_seed, start_seed
from bourre.rules.house import HouseRules

Seatings = Callable[[int, int], Sequence[Sequence[int]]]
"""A function of the numbers of seats and deal. For each seating it returns the number of the bot at each seat."""


def practice_duplicate(
    bots: Sequence[BotSource] | Mapping[str, BotSource],
    deals: int,
    seatings: Seatings,
    seed: int | bytes = 0,
    house: HouseRules = LIMIT,
    stakes: tuple[int, ...] = (0,),
    match: str = "m0001",
    strict: bool = True,
) -> str:
    """Plays one duplicate match and returns its record. Every seating gets new instances of the bots.

    `seed` belongs to this match; an integer stands for the SHA-256 of its digits. `strict` works as in `practice`.
    """
    key, seed_text = (master_seed(seed), str(seed)) if isinstance(seed, int) else (seed, seed.hex())
    records: list[DealRecord] = []
    with borrowed_random(start_seed(key, match)), LoopThread() as wait:
        named = name_bots(bots)
        header = Header(match, tuple(named), deals, key, house, "duplicate", stakes)
        makers = list(named.values())
        for deal in range(1, deals + 1):
            for seating, line_up in enumerate(seatings(len(makers), deal), start=1):
                seats = [
                    PracticeSeat(at, header.bots[bot], make_bot(makers[bot]), wait) for at, bot in enumerate(line_up)
                ]
                if deal == seating == 1:
                    check_method_names(seats, strict)
                table = PracticeTable(header, seats, seed_text, strict, only=deal)
                table.play()
                records.append(replace(table.last_deal, seating=seating, line_up=tuple(line_up)))
    return duplicate_text(header, records)
