"""Whom the champion plays against in training, and at which tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bourre.rules.house import PRESET_SEATS, HouseRules
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.champion.training_tables import PRESET_SHARES, SEAT_SHARES

SELF: Final = 0
ANCESTOR: Final = 1
MONTE_CARLO: Final = 2
FIRST_EXAMPLE: Final = 3
FIELD: Final = ("drawer", "tight", "counter", "pot_aware", "follower")
"""The examples of the mixed fields, in the order in which they join as the table grows."""
OTHERS: Final = ("loose", "lowest")
NAMES: Final = ("self", "ancestor", "monte_carlo", *FIELD, *OTHERS, "random", "rival")
RIVAL: Final = NAMES.index("rival")
"""Frozen networks: the first champion, or those to which a response is learnt."""
KINDS: Final = (0.30, 0.22, 0.41, 0.07)
"""How often a deal has the mixed field, only `monte_carlo`, only champions, or anybody."""
CHAMPIONS: Final = (0.6, 0.2, 0.2)
"""How often a seat among champions is the learner's, an ancestor's, or the rival's."""
_OTHER_SHARES: Final = {name: share for name, share in PRESET_SHARES.items() if name != "limit"}
LIMIT: Final = 20
SETTLED: Final = 0.6
"""How often deals are settled one by one, so that an exemption is worth nothing."""
POT: Final = 840
"""The pot of every training deal: what matters is only the share of it that a choice brings."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables for one iteration."""

    house: HouseRules
    seats: int
    seating: Ints
    """Who sits where, as places in NAMES, of shape (deals, seats)."""
    exempt: np.ndarray[tuple[int], np.dtype[np.float32]]
    """What an exemption is worth, as a share of the pot."""


def draw_tables(total: int, rng: np.random.Generator, *, other: bool, alone: bool = False) -> Tables:
    """Returns tables for about this many seats in all, by `limit` or another preset.

    `alone` seats one learner among the rival at each.
    """
    preset = str(rng.choice([*_OTHER_SHARES], p=_chances([*_OTHER_SHARES.values()]))) if other else "limit"
    seats = min(int(rng.choice([*SEAT_SHARES], p=[*SEAT_SHARES.values()])), PRESET_SEATS.get(preset, 8))
    deals = total // seats
    house = _training_house(preset)
    kinds = np.full(deals, 2) if other else rng.choice(len(KINDS), deals, p=KINDS)
    seating = np.stack([_fields(kind, deals, seats, rng) for kind in range(len(KINDS))])[kinds, np.arange(deals)]
    if alone:
        seating[:] = RIVAL
    seating[np.arange(deals), rng.integers(0, seats, deals)] = SELF
    pots = rng.integers(seats, 2 * LIMIT, deals)
    worth = 1 / np.minimum(np.maximum(pots, seats), LIMIT)
    exempt = np.where(rng.random(deals) < SETTLED, 0, worth).astype(np.float32)
    return Tables(house, seats, seating, exempt)


def _training_house(preset: str) -> HouseRules:
    house = HouseRules.preset(preset, pot_limit=None, ante=0)
    if house.second_ante == 0:
        return house
    return HouseRules.preset(preset, pot_limit=None, ante=0, second_ante=POT // 5)


def _fields(kind: int, deals: int, seats: int, rng: np.random.Generator) -> Ints:
    """Returns who sits where in deals of one kind; the champion takes one of the seats afterwards."""
    if kind == 1:
        return np.full((deals, seats), MONTE_CARLO)
    if kind == 2:
        return rng.choice((SELF, ANCESTOR, RIVAL), (deals, seats), p=CHAMPIONS)
    if kind == 3:
        return rng.choice(len(NAMES), (deals, seats), p=_chances((3, 1, 4, 2, 1, 1, 1, 1, 1, 0.5, 0.5, 0)))
    wider = [MONTE_CARLO, *range(FIRST_EXAMPLE, FIRST_EXAMPLE + len(FIELD)), MONTE_CARLO]
    company = np.array([SELF, *wider][:seats])
    return company[rng.random((deals, seats)).argsort(axis=1)]


def _chances(weights: Sequence[float]) -> Sequence[float]:
    return [weight / sum(weights) for weight in weights]
