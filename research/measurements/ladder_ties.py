"""Measures how often a ladder's board ever tells equal bots apart.

    .venv/bin/python research/measurements/ladder_ties.py [--ladders 60] [--games 500]

Rooms are paired as a ladder pairs them, with the undecided neighbours of each board. A board is looked at whenever a
refit is due. Its bots stand in the order of their effects, which contradicts no pair, so it does not matter how scores
drift.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import pairwise
from random import Random

from ladder_simulation import Setting, Simulation

from bourre_referee.ladder.host.season_boards import REFIT_GAMES, REFIT_SHARE
from bourre_referee.ladder.log.events import BoardUpdated, Event, RoomFinished, RoomPaired
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.next_room import RoomChoice, pair
from bourre_referee.ratings.belief import Outcome
from bourre_referee.statistics.place_model import fit_places
from bourre_referee.statistics.sequential_tests import judge_ranking

Play = Callable[[str, Random], float]
"""Draws the result of a bot in a game: the highest is first."""


def alike(bot: str, rng: Random) -> float:
    """Draws from one distribution for all."""
    return rng.random()


def of_two_kinds(bot: str, rng: Random) -> float:
    """Draws rare large wins for every other bot and rare large losses for the rest. Any two win equally often."""
    result = rng.expovariate(1) - 0.839
    return result if int(bot.rpartition("-")[2]) % 2 else -result


class Ladder:
    """The board of a ladder in simulated time."""

    def __init__(self, rng: Random, play: Play) -> None:
        self.games: list[Outcome] = []
        self.has_parted = False
        """Whether it ever told two bots apart."""
        self._rng, self._play = rng, play
        self._rooms: dict[int, tuple[str, ...]] = {}
        self._fitted = 0

    def hear(self, event: Event) -> None:
        """Plays the rated rooms of the log."""
        if isinstance(event, RoomPaired) and event.rated:
            self._rooms[event.room] = event.line_up
        elif isinstance(event, RoomFinished) and event.room in self._rooms:
            results = {bot: self._play(bot, self._rng) for bot in self._rooms[event.room]}
            order = sorted(results, key=lambda bot: -results[bot])
            self.games.append(Outcome(f"m{event.room}", tuple(order), tuple(range(1, len(order) + 1))))

    def pair(self, state: LadderState, seed: bytes, clock_class: str) -> RoomChoice | None:
        """Pairs a room, after a look at the board if a refit is due."""
        if len(self.games) - self._fitted >= max(REFIT_GAMES, REFIT_SHARE * len(self.games)):
            self._fitted = len(self.games)
            self._look(state, clock_class)
        return pair(state, seed, clock_class)

    def _look(self, state: LadderState, clock_class: str) -> None:
        model = fit_places(self.games)
        effects = dict(zip(model.entrants, model.effects.tolist(), strict=True))
        ranking = sorted(effects, key=lambda bot: -effects[bot])
        found = judge_ranking(model, ranking)
        tested = len(ranking) - len(found.too_few)
        self.has_parted |= tested > 1 and not any(len(bracket) == tested for bracket in found.brackets)
        undecided = tuple(each for each in pairwise(ranking) if found.games_to_part.get(each[0]) != 0)
        state.apply(BoardUpdated(clock_class, undecided))


STAYING = Setting(always=10, workers=2)
LADDERS: dict[str, tuple[Setting, Play]] = {
    "10 bots, tables of 5": (STAYING, alike),
    "10 bots of two kinds": (STAYING, of_two_kinds),
    "7 bots, and 4 that come and go": (Setting(always=7, passing=4, stay=40.0, workers=2), alike),
    "6 bots, tables of 2": (Setting(seats=2, always=6, workers=2), alike),
}


def has_parted(seed: int, games: int, setting: Setting, play: Play) -> bool:
    """Returns whether a ladder told two bots apart within this many games."""
    ladder = Ladder(Random(seed), play)
    simulation = Simulation(setting, Random(f"{seed} pairing"), ladder.hear, ladder.pair)
    until = 0.0
    while len(ladder.games) < games:
        until += 10
        simulation.run(until)
    return ladder.has_parted


def main() -> None:
    """Prints how many ladders told equal bots apart."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ladders", type=int, default=60)
    parser.add_argument("--games", type=int, default=500)
    told = parser.parse_args()
    for name, terms in LADDERS.items():
        parted = sum(has_parted(seed, told.games, *terms) for seed in range(told.ladders))
        print(f"{name:32} {parted} of {told.ladders}", flush=True)


if __name__ == "__main__":
    main()
