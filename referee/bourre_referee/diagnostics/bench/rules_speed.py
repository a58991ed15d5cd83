"""The rules alone: `Match.apply` with all its events, for random legal decisions."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Final

from bourre.rules import match as rules
from bourre.rules.actions import PLAYS, Action, Declare, Draw
from bourre.rules.before_play import DECLARE, DRAW
from bourre.rules.cards import Card, cards_in
from bourre.rules.deal import Deal
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre_referee.diagnostics.bench.bench_matches import SEATS

_PASS: Final = Declare(False)
_PLAYS: Final = {1 << card: play for card, play in PLAYS.items()}
"""The play of each card, made once, by the set that holds nothing else."""


def engine_rate(deals: int) -> float:
    """Decisions made in a second of random play; dealing and settling are part of it."""
    roll = Random(7).random
    began = time.perf_counter()
    match = Match(SEATS, deals, HouseRules.preset("limit"), SeededChance(bytes(32)))
    match.start()
    decisions = 0
    while not match.over:
        deal = match.deal
        match.apply(deal.to_act, random_action(deal, roll))
        decisions += 1
    return decisions / (time.perf_counter() - began)


def random_action(deal: Deal, roll: Callable[[], float]) -> Action:
    """A legal decision of whoever is to act; `roll` gives numbers from 0 up to 1."""
    if deal.tricks is not None:
        legal = deal.tricks.legal
        for _ in range(int(roll() * legal.bit_count())):
            legal &= legal - 1
        return _PLAYS[legal & -legal]
    decision = deal.decision
    if decision is DECLARE:
        if roll() >= 0.5:
            return _PASS
        return Declare(True, _discards(deal, roll) if deal.house.declare_mode == "turn" else ())
    if decision is DRAW:
        return Draw(_discards(deal, roll))
    return deal.default()


def _discards(deal: Deal, roll: Callable[[], float]) -> tuple[Card, ...]:
    """The lowest cards of the hand, from none to as many as may be discarded."""
    return cards_in(deal.hands[deal.to_act])[: int(roll() * (deal.entry.max_discards + 1))]


def is_compiled() -> bool:
    """Whether the rules run as compiled code."""
    return not str(rules.__file__).endswith(".py")
