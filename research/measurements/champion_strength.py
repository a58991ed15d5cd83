"""Measures the champion against `monte_carlo` on fixed deals: `python research/measurements/champion_strength.py`.

How much more the champion wins than `monte_carlo` at its table, or than `drawer` where all others are that. In mixed
fields both exchange seats for a second deal with the same cards. Where all others play alike, the same cards are dealt
to a table without a champion, where each seat wins 0 in the mean; what the champion's seat wins there is taken off. All
are played in step; `monte_carlo` by `research/champion/monte_carlo.py`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from champion_gains import player

sys.path.insert(0, str(Path(__file__).parents[2]))

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.table import BatchPlayer, play_deals, settled_chips
from bourre_lab.champion.weights import CHAMPION, SHA256, Floats
from research.champion import imitation
from research.champion.examples import EXAMPLES
from research.champion.league import FIELD
from research.champion.monte_carlo import MonteCarlo

HOUSE: Final = HouseRules.preset("limit")
SEED: Final = 2026
AT_ONCE: Final = 1000
QUANTILE: Final = 1.96


@dataclass(frozen=True, slots=True)
class Field:
    """The others of a table. The champion is compared with the first of them, and with all that play as that one."""

    name: str
    others: tuple[BatchPlayer, ...]
    bar: float
    """The chips per 100 deals that the lower end is to reach."""
    control: BatchPlayer | None
    """In a field of one bot, who plays the same cards in all seats; it plays about as that bot does, and fast."""


def fields(samples: int) -> tuple[Field, ...]:
    """Returns all fields; `samples` are those of `monte_carlo`."""
    rival, imitator, drawer = MonteCarlo(samples), imitation.load(), EXAMPLES["drawer"]
    mixed = {seats: (rival, *(EXAMPLES[name] for name in FIELD[: seats - 2])) for seats in (3, 5, 7)}
    bars = {"mixed3": 10, "mixed5": 20, "mixed7": 35, "alone3": 10, "alone5": 40, "alone7": 55}
    found = [Field(f"mixed{seats}", others, bars[f"mixed{seats}"], None) for seats, others in mixed.items()]
    found += [Field(f"alone{seats}", (rival,) * (seats - 1), bars[f"alone{seats}"], imitator) for seats in (3, 5, 7)]
    return (*found, *(Field(f"drawer{seats}", (drawer,) * (seats - 1), 20, drawer) for seats in (3, 5)))


def measure(field: Field, champion: BatchPlayer, decks: int, seed: Sequence[int]) -> Floats:
    """Plays decks; returns for each how many chips the champion wins more than the bot it is compared with."""
    rng = np.random.default_rng(seed)
    seats = len(field.others) + 1
    dealt, seating = random_decks(decks, rng), rng.random((decks, seats)).argsort(axis=1)
    company = [champion, *field.others]
    chips = play(company, dealt, seating, seed)
    if field.control:
        luck = play([field.control] * seats, dealt, seating, seed)
        gains: Floats = np.where(seating == 0, chips - luck, 0).sum(axis=1) * seats / (seats - 1)
        return gains
    exchanged = np.choose(np.minimum(seating, 2), [np.ones_like(seating), np.zeros_like(seating), seating])
    apart = beyond_first_other(chips, seating) + beyond_first_other(play(company, dealt, exchanged, seed), exchanged)
    return (apart / 2).astype(np.float32)


def play(players: Sequence[BatchPlayer], decks: Ints, seating: Ints, seed: Sequence[int]) -> Floats:
    """Plays the decks with these players at the places of `seating`; returns the chips by seat."""
    deals = LockstepDeals(HOUSE, seating.shape[1])
    deals.reset(decks, seating.shape[1])
    play_deals(deals, seating, players, np.random.default_rng([*seed, 1]))
    return settled_chips(deals)


def beyond_first_other(chips: Floats, seating: Ints) -> Floats:
    """Returns how much more player 0 wins than player 1, in each deal."""
    gains: Floats = np.where(seating == 0, chips, np.where(seating == 1, -chips, 0)).sum(axis=1)
    return gains


def per_100(chips: Floats) -> str:
    """Writes the mean per 100 deals with half of its 95 % interval."""
    return f"{chips.mean() * 100:+.1f} ± {chips.std() * 100 * QUANTILE / np.sqrt(len(chips)):.1f}"


def main() -> None:
    """Prints one line for each field."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20_000, help="decks in each field")
    parser.add_argument("--samples", type=int, default=24, help="samples of monte_carlo")
    parser.add_argument("--fields", default="", help="only these, separated by commas")
    parser.add_argument("--bot", default=CHAMPION, help="another player instead, as in champion_gains.py")
    arguments = parser.parse_args()
    facts = f"{arguments.deals} decks, monte_carlo with {arguments.samples} samples"
    print(f"{arguments.bot}, champion {SHA256[CHAMPION][:12]}, {facts}")
    for number, field in enumerate(fields(arguments.samples)):
        if arguments.fields and field.name not in arguments.fields.split(","):
            continue
        bot = player(arguments.bot, HOUSE, len(field.others) + 1)
        parts = range(max(1, arguments.deals // AT_ONCE))
        gains = np.concatenate([measure(field, bot, AT_ONCE, [SEED, number, part]) for part in parts])
        print(f"{field.name}: {per_100(gains)}, bar {field.bar:+.0f}", flush=True)


if __name__ == "__main__":
    main()
