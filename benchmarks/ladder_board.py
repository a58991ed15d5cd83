"""What the board of a ladder costs, in processor time: `python benchmarks/ladder_board.py [--bots 200] [--games 5000]`.

Bots of evenly spaced skills play by TrueSkill's own model of luck. Figures of the board are milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from time import process_time

from bourre_referee.ladder.board.benching import RatedGame
from bourre_referee.ladder.board.board import Board
from bourre_referee.ladder.board.live_ratings import LiveRatings, refit
from bourre_referee.ladder.log.events import BotArrived, BotJoined, LadderOpened
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.results import MatchResult, SeatResult, ranks_of
from bourre_referee.ratings.belief import BETA

SEATS = 5
SPREAD = 20.0
"""The best bot's skill less the last one's."""
LATER = 200
"""How many games are taken in after the refit, with the board asked after each."""
NOW = datetime(2026, 11, 23, tzinfo=UTC)


def make_games(bots: int, games: int, rng: Random) -> Iterator[RatedGame]:
    """Yields games between bots of evenly spaced skills."""
    for room in range(1, games + 1):
        table = rng.sample(range(bots), SEATS)
        chips = [round(1000 * rng.gauss(SPREAD * bot / bots, BETA)) for bot in table]
        won = [SEATS * each - sum(chips) for each in chips]
        seats = tuple(
            SeatResult(f"b{bot}.1", parts, rank, wins=0, bourres=0, reneges=0, faults=0, house_deals=0)
            for bot, parts, rank in zip(table, won, ranks_of(won), strict=True)
        )
        yield RatedGame(room, MatchResult(f"m{room:06}", deals=20, seats=seats))


def make_board(bots: int) -> tuple[Board, LadderState]:
    """Returns a board, and the state of a ladder where all bots are present."""
    state, board = LadderState(), Board("default", LiveRatings(), timedelta(days=7))
    state.apply(LadderOpened(SEATS, owners_apart=True))
    for bot in range(bots):
        for event in (BotJoined(f"b{bot}", 1, "1", f"owner {bot}", "default"), BotArrived(f"b{bot}")):
            state.apply(event)
            board.note(event, NOW, state)
    return board, state


def milliseconds(work: Callable[[], object]) -> float:
    """Returns the processor time of this work."""
    began = process_time()
    work()
    return 1000 * (process_time() - began)


def report(name: str, times: list[float]) -> None:
    """Prints the median and the longest."""
    print(f"  {name:36} {statistics.median(times):8.2f} median {max(times):8.2f} longest", flush=True)


def main() -> None:
    """Prints a line for each kind of work."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--games", type=int, default=5_000)
    told = parser.parse_args()
    board, state = make_board(told.bots)
    games = list(make_games(told.bots, told.games, Random(1)))
    print(f"{told.bots} bots, {told.games:,} games of {SEATS}: milliseconds of processor time")
    report("a game is taken in", [milliseconds(lambda game=game: board.take(game)) for game in games])  # type: ignore[misc]
    found = []
    outcomes = [game.outcome for game in games[:-LATER]]
    report("a refit of all games but the last", [milliseconds(lambda: found.append(refit(outcomes)))])
    report(f"it is adopted, with {LATER} later games", [milliseconds(lambda: board.ratings.adopt(found[0]))])
    report("the board, all changed", [milliseconds(lambda: board.rows(state, NOW))])
    report("the board, nothing changed", [milliseconds(lambda: board.rows(state, NOW)) for _ in range(LATER)])
    after = []
    for game in make_games(told.bots, LATER, Random(2)):
        board.take(game)
        after.append(milliseconds(lambda: board.rows(state, NOW)))
    report("the board, after a game", after)


if __name__ == "__main__":
    main()
