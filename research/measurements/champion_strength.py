"""Measures the champion against `monte_carlo` on fixed deals: `python research/measurements/champion_strength.py`.

Each deck is played with the same others in the same seats by the champion, by the bot that it is compared with
(`monte_carlo`, or `drawer` where all others are that), and in mixed fields by the champion again, which has exchanged
seats with that bot. All are played in step; `monte_carlo` by `research/champion/monte_carlo.py`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from bourre.champion.networks import Floats
from bourre.champion.weights import SHA256, frozen_networks
from bourre.lockstep import LockstepDeals, random_decks
from bourre.lockstep.card_sets import Ints
from bourre.rules.house import HouseRules
from research.champion.evaluation import settled_chips
from research.champion.examples import EXAMPLES
from research.champion.league import FIELD
from research.champion.monte_carlo import MonteCarlo
from research.champion.network_players import Judge
from research.champion.players import Player
from research.champion.table import play_deals

SEED: Final = 2026
AT_ONCE: Final = 1000
LEAST_DEALS: Final = 2000
QUANTILE: Final = 1.96


@dataclass(frozen=True, slots=True)
class Field:
    """The others of a table, and whom the champion is compared with."""

    name: str
    others: tuple[Player, ...]
    baseline: Player
    bar: float
    """The chips per 100 deals that the lower end is to reach."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Chips per 100 deals beyond the baseline, with half of the 95 % interval."""

    seat: float
    seat_error: float
    """In the same seats, against the same others."""
    table: float
    table_error: float
    """Beyond the first of the others, at one table; both exchange their seats for a second deal with the same cards."""


def fields(samples: int) -> tuple[Field, ...]:
    """Returns all fields; `samples` are those of `monte_carlo`."""
    rival, drawer = MonteCarlo(samples), EXAMPLES["drawer"]
    mixed = {seats: (rival, *(EXAMPLES[name] for name in FIELD[: seats - 2])) for seats in (3, 5, 7)}
    bars = {"mixed3": 10, "mixed5": 20, "mixed7": 35, "alone3": 10, "alone5": 40, "alone7": 55}
    found = [Field(f"mixed{seats}", others, rival, bars[f"mixed{seats}"]) for seats, others in mixed.items()]
    found += [Field(f"alone{seats}", (rival,) * (seats - 1), rival, bars[f"alone{seats}"]) for seats in (3, 5, 7)]
    return (*found, *(Field(f"drawer{seats}", (drawer,) * (seats - 1), drawer, 20) for seats in (3, 5)))


def measure(field: Field, champion: Judge, deals: int, seed: Sequence[int]) -> Gain:
    """Plays that many decks."""
    parts = [measure_part(field, champion, [*seed, part]) for part in range(deals // AT_ONCE)]
    seat, table = (np.concatenate(kind) for kind in zip(*parts, strict=True))
    return Gain(*per_100(seat), *per_100(table))


def measure_part(field: Field, champion: Judge, seed: Sequence[int]) -> tuple[Floats, Floats]:
    """Returns for each of some decks both gains of `Gain`, in chips."""
    rng = np.random.default_rng(seed)
    seats = len(field.others) + 1
    decks, seating = random_decks(AT_ONCE, rng), rng.random((AT_ONCE, seats)).argsort(axis=1)
    company = [champion, *field.others]
    chips = play(company, decks, seating, seed)
    own = np.where(seating == 0, chips, 0).sum(axis=1)
    baseline = play([field.baseline, *field.others], decks, seating, seed)
    gains = own - np.where(seating == 0, baseline, 0).sum(axis=1)
    if all(other is field.baseline for other in field.others):
        return gains, gains * seats / (seats - 1)
    exchanged = np.choose(np.minimum(seating, 2), [np.ones_like(seating), np.zeros_like(seating), seating])
    apart = beyond_first_other(chips, seating) + beyond_first_other(play(company, decks, exchanged, seed), exchanged)
    return gains, (apart / 2).astype(np.float32)


def play(players: Sequence[Player], decks: Ints, seating: Ints, seed: Sequence[int]) -> Floats:
    """Plays the decks with these players at the places of `seating`; returns the chips by seat."""
    deals = LockstepDeals(HouseRules.preset("limit"), seating.shape[1])
    deals.reset(decks, seating.shape[1])
    play_deals(deals, seating, players, np.random.default_rng([*seed, 1]))
    return settled_chips(deals)


def beyond_first_other(chips: Floats, seating: Ints) -> Floats:
    """Returns how much more player 0 wins than player 1, in each deal."""
    gains: Floats = np.where(seating == 0, chips, np.where(seating == 1, -chips, 0)).sum(axis=1)
    return gains


def per_100(chips: Floats) -> tuple[float, float]:
    """Returns the mean per 100 deals, and half of its 95 % interval."""
    return float(chips.mean() * 100), float(chips.std() * 100 * QUANTILE / np.sqrt(len(chips)))


def main() -> None:
    """Prints one line for each field."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20_000, help="decks in each field")
    parser.add_argument("--samples", type=int, default=24, help="samples of monte_carlo")
    parser.add_argument("--fields", default="", help="only these, separated by commas")
    parser.add_argument("--blur", type=float, default=0, help="error of judgement: 0.05 is club, 0.15 is novice")
    arguments = parser.parse_args()
    networks = frozen_networks()
    champion = Judge(networks.entry, networks.cards, np.zeros(AT_ONCE, dtype=np.float32), blur=arguments.blur)
    facts = f"{arguments.deals} decks, monte_carlo with {arguments.samples} samples, blur {arguments.blur}"
    print(f"champion {SHA256[:12]}, {facts}")
    for number, field in enumerate(fields(arguments.samples)):
        if arguments.fields and field.name not in arguments.fields.split(","):
            continue
        gain = measure(field, champion, max(LEAST_DEALS, arguments.deals), [SEED, number])
        print(
            f"{field.name}: in the same seat {gain.seat:+.1f} ± {gain.seat_error:.1f}, "
            f"at the table {gain.table:+.1f} ± {gain.table_error:.1f}, bar {field.bar:+.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
