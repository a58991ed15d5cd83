"""Measures how often a ladder's board ever tells equal bots apart.

    .venv/bin/python research/measurements/ladder_ties.py [--ladders 25] [--games 400]

Rooms are paired as a ladder pairs them, with the undecided neighbours of each board. A board is looked at after each
refit. *Shown* counts ladders whose board ever told two bots apart. *Possible* counts those where it would have in the
order of the effects, which is the worst order of scores.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from ladder_simulation import Setting, Simulation

from bourre_referee.ladder.board.benching import GameOutcome
from bourre_referee.ladder.board.board_places import BoardPlaces, RankedEntrants
from bourre_referee.ladder.board.live_ratings import TAU, LiveRatings, refit
from bourre_referee.ladder.host.season_boards import REFIT_GAMES, REFIT_SHARE
from bourre_referee.ladder.log.events import BoardUpdated, Event, RoomFinished, RoomPaired
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.next_room import RoomChoice, pair
from bourre_referee.ratings.belief import Outcome

Play = Callable[[str, Random], float]
"""Draws the result of a bot in a game: the highest is first."""


def alike(bot: str, rng: Random) -> float:
    """Draws from one distribution for all."""
    return rng.random()


def of_two_kinds(bot: str, rng: Random) -> float:
    """Draws large wins for every other bot and large losses for the rest. Each beats each in half of all games."""
    spread = rng.expovariate(1) - 0.839
    return spread if int(bot.rpartition("-")[2]) % 2 else -spread


@dataclass(slots=True)
class Board:
    """The board of a ladder in simulated time."""

    rng: Random
    play: Play
    tau: float
    rooms: dict[int, tuple[str, ...]] = field(default_factory=dict)
    games: list[GameOutcome] = field(default_factory=list)
    shown: bool = False
    possible: bool = False
    _live: LiveRatings = field(init=False)
    _undecided: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        self._live = LiveRatings(tau=self.tau)

    def hear(self, event: Event) -> None:
        """Plays the rated rooms of the log."""
        if isinstance(event, RoomPaired) and event.rated:
            self.rooms[event.room] = event.line_up
        elif isinstance(event, RoomFinished) and event.room in self.rooms:
            order = sorted(self.rooms[event.room], key=lambda bot: -self.play(bot, self.rng))
            ranks = tuple(range(1, len(order) + 1))
            self.games.append(GameOutcome(event.room, Outcome(f"m{event.room}", tuple(order), ranks)))
            self._live.take(self.games[-1])

    def pair(self, state: LadderState, seed: bytes, clock_class: str) -> RoomChoice | None:
        """Pairs a room, after a refit if one is due."""
        covered = self._live.refit.games
        if len(self.games) - covered >= max(REFIT_GAMES, REFIT_SHARE * len(self.games)):
            self._live.adopt(refit(self.games))
            self._look(state, clock_class)
        return pair(state, seed, clock_class)

    def _look(self, state: LadderState, clock_class: str) -> None:
        model = self._live.refit.places
        scores = {bot: rating.score for bot, rating in self._live.ratings().items()}
        ranking = BoardPlaces().of(scores, model)
        effects = dict(zip(model.entrants, model.effects.tolist(), strict=True))
        self.shown |= parts(ranking)
        self.possible |= parts(BoardPlaces().of(effects, model))
        order = pairwise(ranking.places)
        undecided = tuple(each for each in order if ranking.places[each[0]].games_to_part != 0)
        if undecided != self._undecided:
            self._undecided = undecided
            state.apply(BoardUpdated(clock_class, undecided))


def parts(ranking: RankedEntrants) -> bool:
    """Returns whether any two bots are told apart."""
    tested = ranking.places.keys() - {*ranking.too_few}
    return len(tested) > 1 and not any(len(tie) == len(tested) for tie in ranking.ties)


STAYING = Setting(always=10, workers=2)
PASSING = Setting(always=7, passing=4, stay=40.0, workers=2)
LADDERS: dict[str, tuple[Setting, Play, float]] = {
    "10 bots, tables of 5": (STAYING, alike, TAU),
    "the same without drift": (STAYING, alike, 0.0),
    "7 bots, and 4 that come and go": (PASSING, alike, TAU),
    "the same without drift ": (PASSING, alike, 0.0),
    "10 bots of two kinds": (STAYING, of_two_kinds, TAU),
    "6 bots, tables of 2": (Setting(seats=2, always=6, workers=2), alike, TAU),
}


def play(seed: int, games: int, setting: Setting, play: Play, tau: float) -> Board:
    """Returns the board of one ladder after this many games."""
    board = Board(Random(seed), play, tau)
    simulation = Simulation(setting, Random(seed + 1_000_000), board.hear, board.pair)
    until = 0.0
    while len(board.games) < games:
        until += 10
        simulation.run(until)
    return board


def main() -> None:
    """Prints how many ladders told equal bots apart."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ladders", type=int, default=25)
    parser.add_argument("--games", type=int, default=400)
    told = parser.parse_args()
    print(f"of {told.ladders} ladders of {told.games} games: shown, possible")
    for name, terms in LADDERS.items():
        boards = [play(seed, told.games, *terms) for seed in range(told.ladders)]
        print(f"{name:32} {sum(each.shown for each in boards):3} {sum(each.possible for each in boards):3}", flush=True)


if __name__ == "__main__":
    main()
