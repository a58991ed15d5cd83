"""The boards of one season, by clock class, and their games for refits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from datetime import datetime

from bourre_referee.ladder.board.benching import GameOutcome, RatedGame
from bourre_referee.ladder.board.board import Board
from bourre_referee.ladder.board.live_ratings import LiveRatings, Refit, refit
from bourre_referee.ladder.log.events import Event
from bourre_referee.ladder.log.state import LadderState

REFIT_SHARE = 0.1
"""The share of new games after which a class is refitted."""
REFIT_GAMES = 20
"""The fewest new games before a refit."""


class SeasonBoards:
    """Boards that grow with the games of a season."""

    def __init__(self, boards: Mapping[str, Board]) -> None:
        """Begins with these boards, without games."""
        self.boards = dict(boards)
        """The boards by clock class."""
        self._games: defaultdict[str, list[GameOutcome]] = defaultdict(list)
        """The outcomes for the ratings, by clock class."""
        self._void: set[int] = set()
        """The rooms whose games were taken back."""
        self._refits: dict[str, Future[Refit]] = {}

    @property
    def is_fitted(self) -> bool:
        """Whether the ratings of all classes are fitted to all games at once, void ones left out."""
        return all(_games_since_refit(board) == 0 and not board.ratings.is_stale for board in self.boards.values())

    def outcomes(self, clock_class: str) -> Sequence[GameOutcome]:
        """Returns the outcomes of a class for the ratings, in order."""
        return self._games[clock_class]

    @property
    def void_rooms(self) -> frozenset[int]:
        """The rooms whose games were taken back."""
        return frozenset(self._void)

    def note(self, event: Event, at: datetime, state: LadderState) -> None:
        """Applies an event of the log, with its time and the state after it."""
        for board in self.boards.values():
            board.note(event, at, state)

    def take(self, clock_class: str, game: RatedGame, *, is_past: bool) -> None:
        """Adds a finished rated game. If it is past, the next refit rates it."""
        self._games[clock_class].append(game.outcome)
        self.boards[clock_class].take(game, is_past=is_past)

    def take_back(self, game: RatedGame) -> None:
        """Takes back a game, if it is one of these."""
        for clock_class, games in self._games.items():
            if any(each.room == game.room for each in games):
                self._void.add(game.room)
                self.boards[clock_class].take_back(game)

    def restart(self, clock_class: str, ratings: LiveRatings, *, is_past: bool) -> None:
        """Rates all games of a class again, from these ratings. If they are past, the next refit rates them."""
        self._refits.pop(clock_class, None)
        self.boards[clock_class].ratings = ratings
        for game in self._games[clock_class]:
            if is_past:
                ratings.count(game)
            else:
                ratings.take(game)

    def fit(self, refitting: Executor) -> None:
        """Fits the ratings of all classes to all their games, and waits for the result."""
        begun = {clock_class: self._begin(clock_class, refitting) for clock_class in self.boards}
        for clock_class, task in begun.items():
            self.boards[clock_class].ratings.adopt(task.result())

    def refit(self, refitting: Executor, *, is_over: bool) -> int:
        """Adopts finished refits, starts those that are due, and returns how many were adopted.

        After the season, every new game makes a refit due.
        """
        done = {clock_class: task for clock_class, task in self._refits.items() if task.done()}
        for clock_class, task in done.items():
            self.boards[clock_class].ratings.adopt(task.result())
            del self._refits[clock_class]
        for clock_class, board in self.boards.items():
            if clock_class not in self._refits and _is_due(board, is_over):
                self._refits[clock_class] = self._begin(clock_class, refitting)
        return len(done)

    def _begin(self, clock_class: str, refitting: Executor) -> Future[Refit]:
        games, void = tuple(self._games[clock_class]), self.void_rooms
        return refitting.submit(refit, games, dict(self.boards[clock_class].ratings.anchors), void)


def begin_boards(
    boards: Mapping[str, Board], events: Iterable[Event], at: datetime, state: LadderState
) -> SeasonBoards:
    """Begins a season with these boards, and applies these events."""
    season = SeasonBoards(boards)
    for event in events:
        season.note(event, at, state)
    return season


def _games_since_refit(board: Board) -> int:
    return board.ratings.games - board.ratings.refit.games


def _is_due(board: Board, is_over: bool) -> bool:
    enough = 1 if is_over else max(REFIT_GAMES, REFIT_SHARE * board.ratings.games)
    return board.ratings.is_stale or _games_since_refit(board) >= enough
