"""Plays banks of real matches between the eight bots of the demo, from which `field_model.py` draws contests.

    .venv/bin/python research/measurements/play_banks.py FOLDER [--only limit] [--processes 2]

Every line-up of five plays equally often, in random seats: sessions of 50 and of 10 deals with the preset `limit`,
sessions of 50 deals with `pagat`, and duplicate deals. Two more have `follower` for the slow `monte_carlo`: sessions of
50 deals with `limit`, and the same with a stand-in in the place of a fifth bot. Each bank is a file of some 30 kB, the
same from every run. All take 50 minutes of processor time, nearly all of it for `monte_carlo`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from multiprocessing import Pool
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from playings import LIMIT, NO_LIMIT, play_block, play_session
from session_bank import BOTS, LINE_UPS, SEATS, Array, centred

from bourre.practice.session import BotMaker
from bourre.rules.deck import derive, master_seed
from bourre.rules.house import HouseRules
from examples.counter import Counter
from examples.drawer import Drawer
from examples.follower import Follower
from examples.loose import Loose
from examples.lowest import Lowest
from examples.monte_carlo import MonteCarlo
from examples.pot_aware import PotAware
from examples.random_bot import RandomBot
from examples.tight import Tight

MAKERS: tuple[BotMaker, ...] = (RandomBot, Lowest, Tight, Loose, PotAware, Counter, Drawer, MonteCarlo)
QUICK: tuple[BotMaker, ...] = (*MAKERS[:-1], Follower)
SEED = derive(master_seed(2026), "session bank")
STAND_IN = -1
"""The number of the stand-in, in whose seat any bot may sit, because none is asked."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a bank is played."""

    name: str
    house: HouseRules
    deals: int
    """The deals of a session; 0 for one duplicate deal, in all its seatings."""
    matches: int
    """How often each line-up plays."""
    makers: Sequence[BotMaker] = MAKERS
    line_ups: Sequence[tuple[int, ...]] = LINE_UPS
    """A line-up of four has a stand-in as its fifth and last."""

    def play(self, line_up: Sequence[int], match: int) -> list[float]:
        """Returns the chips per 100 deals of a match, in the order of its bots."""
        seed = derive(SEED, f"{self.name} {line_up} {match}")
        entrants = [*line_up, *[STAND_IN] * (SEATS - len(line_up))]
        seating = Random(seed).sample(entrants, SEATS)
        bots = [self.makers[bot] for bot in seating]
        if self.deals:
            absent = [seat for seat, bot in enumerate(seating) if bot == STAND_IN]
            chips = [100 * won / self.deals for won in play_session(bots, self.deals, self.house, seed, absent)]
        else:
            chips = [100 * won / SEATS for won in play_block(bots, self.house, seed, 1).chips]
        return [chips[seating.index(bot)] for bot in entrants]

    def play_all(self, processes: int) -> Array:
        """Plays all matches: by line-up, match and bot, centred."""
        with Pool(processes) as pool:
            played = pool.starmap(self.play, product(self.line_ups, range(self.matches)), chunksize=1)
        return centred(np.array(played)).reshape(len(self.line_ups), self.matches, SEATS)


RECIPES = (
    Recipe("limit", LIMIT, 50, 19),
    Recipe("short", LIMIT, 10, 19),
    Recipe("duplicate", LIMIT, 0, 30),
    Recipe("pagat", NO_LIMIT, 50, 19),
    Recipe("quick", LIMIT, 50, 19, QUICK),
    Recipe("stand-in", LIMIT, 50, 19, QUICK, tuple(combinations(range(BOTS), SEATS - 1))),
)
"""19 sessions of each of 56 line-ups are more than 1,050."""


def main(arguments: Sequence[str]) -> None:
    """Plays and writes the banks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--only", choices=[recipe.name for recipe in RECIPES], help="play this bank alone")
    parser.add_argument("--processes", type=int, default=1, help="how many play at once")
    options = parser.parse_args(arguments)
    options.folder.mkdir(exist_ok=True)
    for recipe in RECIPES:
        if options.only in (None, recipe.name):
            np.savez_compressed(options.folder / f"{recipe.name}.npz", chips=recipe.play_all(options.processes))
            print(recipe.name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
