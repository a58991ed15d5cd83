"""Measures what one player wins more than another in its seat, among copies of the other, on common cards.

    OPENBLAS_NUM_THREADS=1 .venv/bin/python research/measurements/champion_gains.py NEW [OLD] [--among NAME,...]

A player is `champion` or other frozen networks (`champion_1`), `club`, `novice`, `monte_carlo`, its `imitator`, an
example such as `drawer`, a file of networks, `pass` and a number (the champion, to which a pass is worth that share of
the pot more), or `search` with tricks and samples (`search123x64`). Tables in Markdown on stdout; research/champion.md.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from time import process_time

import numpy as np
from rows import head, line

sys.path.insert(0, str(Path(__file__).parents[2]))

from bourre.rules.house import PRESETS, HouseRules
from bourre_lab.batch_deals.table import BatchPlayer
from bourre_lab.champion.batch_actions import BatchChampion
from bourre_lab.champion.bots.club import Club
from bourre_lab.champion.bots.novice import Novice
from bourre_lab.champion.entered_hands import EnteredHands
from bourre_lab.champion.weights import CHAMPION, SHA256, NeuralNetwork, frozen_networks, read_network
from bourre_lab.policy_gains import FirstDifference, Gain, PolicyGains, SettledTable, measure_gains
from research.champion import imitation
from research.champion.examples import EXAMPLES
from research.champion.monte_carlo import MonteCarlo
from research.champion.network_players import Judge
from research.champion.searching_player import SearchingPlayer

BOTS = {"club": Club, "novice": Novice}
PARTS = {
    "passing": (FirstDifference.PASSES,),
    "coming in": (FirstDifference.COMES_IN,),
    "discards": (FirstDifference.DISCARDS,),
    "cards of trick 1": (FirstDifference.TRICK_1,),
    "later cards": (FirstDifference.TRICK_2, FirstDifference.TRICK_3, FirstDifference.TRICK_4),
}


def player(name: str, house: HouseRules, seats: int) -> BatchPlayer:
    """Returns the player of this name for tables of this kind."""
    networks = frozen_networks(CHAMPION)
    champion = Judge(networks.entry, networks.cards, takes_turned=True)
    if name in SHA256:
        return BatchChampion(name)
    if name in BOTS:
        return BatchChampion(blur=BOTS[name].blur)
    if name == "monte_carlo":
        return MonteCarlo()
    if name in EXAMPLES:
        return EXAMPLES[name]
    if name == "imitator":
        return imitation.load()
    if found := re.fullmatch(r"pass(-?[\d.]+)", name):
        return replace(champion, entry=valuing_passes(networks.entry, float(found[1])))
    if found := re.fullmatch(r"search(\d+)x(\d+)", name):
        entered = EnteredHands(champion, house, seats, np.random.default_rng(seats), decks=40_000)
        return SearchingPlayer(champion, entered, {int(trick) - 1 for trick in found[1]}, int(found[2]))
    with np.load(name) as saved:
        return replace(champion, entry=read_network(saved, "entry"), cards=read_network(saved, "cards"))


def valuing_passes(entry: NeuralNetwork, worth: float) -> NeuralNetwork:
    """Returns networks to which a pass, their first choice, is worth this share of the pot more."""
    last = entry.biases[-1] + np.float32(worth) * (np.arange(len(entry.biases[-1])) == 0)
    return replace(entry, biases=(*entry.biases[:-1], last.astype(np.float32)))


def written(gain: Gain) -> str:
    """Writes chips per 100 deals with half of the 95 % interval."""
    return f"{gain.mean:+.2f} ± {gain.half_width:.2f}"


def cells(found: PolicyGains) -> list[str]:
    """Returns the gain in all, and by what the players do otherwise first."""
    return [written(found.total), *(written(found.of(kinds)) for kinds in PARTS.values())]


def main() -> None:
    """Prints a row for each number of seats."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new")
    parser.add_argument("old", nargs="?", default="champion")
    parser.add_argument("--among", help="who else sits there, in turn, separated by commas; otherwise copies of OLD")
    parser.add_argument("--preset", choices=PRESETS, default="limit")
    parser.add_argument("--decks", type=int, default=50_000)
    parser.add_argument("--seats", default="3,5,7", help="numbers of seats, separated by commas")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--samples", type=int, default=4, help="deals of the hidden cards for each branch")
    arguments = parser.parse_args()
    among = arguments.among.split(",") if arguments.among else []
    company = f" beside {', '.join(among)}" if among else ""
    facts = f"{arguments.preset}, {arguments.decks} decks, seed {arguments.seed}"
    print(f"One {arguments.new} instead of {arguments.old}{company}, {facts}\n")
    print(head(("seats", "gain", *PARTS, "processor seconds", "parted per 100 decks")))
    house = HouseRules.preset(arguments.preset)
    for seats in map(int, arguments.seats.split(",")):
        new, old, *others = (
            player(name, house, seats) for name in (arguments.new, arguments.old, *islice(cycle(among), seats - 1))
        )
        begun = process_time()
        table = SettledTable(house, seats, tuple(others))
        found = measure_gains(table, new, old, arguments.decks, arguments.seed, arguments.samples)
        cost = f"{process_time() - begun:.0f}", f"{found.counts.sum() * 100 / arguments.decks:.1f}"
        print(line([f"{seats}", *cells(found), *cost]), flush=True)
    print("\nIn chips per 100 deals; ± is half of a 95 % interval.")


if __name__ == "__main__":
    main()
