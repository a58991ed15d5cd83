"""Measures how often a ladder's board ever tells equal bots apart, in games that TrueSkill's own model draws.

    .venv/bin/python research/measurements/ladder_ties.py [--ladders 20]

Each ladder has ten equal bots and 1,500 games at tables of five, with live drift and a refit every 200 games. The board
is looked at after every tenth game.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from random import Random

from bourre_referee.ladder.board.benching import RatedGame
from bourre_referee.ladder.board.live_ratings import LiveRatings, refit
from bourre_referee.model.results import MatchResult, SeatResult
from bourre_referee.statistics.games_needed import RatedBot, told_apart
from bourre_referee.statistics.stopping_boundary import LEVEL

BOTS = [f"b{number}.1" for number in range(10)]
SEATS, GAMES, REFIT, LOOK = 5, 1_500, 200, 10
PAIRS = len(BOTS) * (len(BOTS) - 1) // 2


def make_games(rng: Random) -> Iterator[RatedGame]:
    """Yields games of equal bots, which end in any order."""
    for room in range(1, GAMES + 1):
        seats = tuple(
            SeatResult(bot, SEATS - 1 - 2 * place, place + 1, wins=0, bourres=0, reneges=0, faults=0, house_deals=0)
            for place, bot in enumerate(rng.sample(BOTS, SEATS))
        )
        yield RatedGame(room, MatchResult(f"m{room:05}", deals=20, seats=seats))


def parted(rng: Random) -> tuple[bool, bool]:
    """Returns whether any pair was ever told apart: at a pair's share of the level, as boards do, and at all of it."""
    live, games, played = LiveRatings(), list(make_games(rng)), Counter[str]()
    found = {LEVEL / PAIRS: False, LEVEL: False}
    for number, game in enumerate(games, start=1):
        live.take(game.outcome)
        played.update(seat.bot for seat in game.result.seats)
        if number % REFIT == 0:
            live.adopt(refit(each.outcome for each in games[:number]))
        if number % LOOK == 0:
            bots = [RatedBot(live.rating(bot), played[bot]) for bot in BOTS]
            found = {level: known or any(map(any, told_apart(bots, level))) for level, known in found.items()}
    shared, whole = found.values()
    return shared, whole


def main() -> None:
    """Prints how many ladders told equal bots apart."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ladders", type=int, default=20)
    ladders = parser.parse_args().ladders
    shared, whole = zip(*(parted(Random(seed)) for seed in range(ladders)), strict=True)
    print(f"of {ladders} ladders, {sum(shared)} told a pair apart; {sum(whole)} if the level were not divided")


if __name__ == "__main__":
    main()
