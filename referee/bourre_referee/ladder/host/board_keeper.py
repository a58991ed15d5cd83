"""Keeps the boards of a ladder's season up to date with its log, and has them refitted by a process of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from datetime import datetime, timedelta

from bourre_referee.ladder.board.board import Board
from bourre_referee.ladder.board.live_ratings import LiveRatings
from bourre_referee.ladder.board.rated_game import GameOutcome, RatedGame
from bourre_referee.ladder.board.refit import Refit, refit
from bourre_referee.ladder.host.ladder_entries import anchors_of
from bourre_referee.ladder.host.ladder_file import LadderSettings
from bourre_referee.ladder.log.epoch import Place
from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import (
    BoardUpdated,
    BotBenched,
    BotJoined,
    Event,
    MatchVoided,
    RoomFinished,
    SeasonOpened,
)
from bourre_referee.ladder.log.state import LadderState, OpenRoom

REFIT_SHARE = 0.1
"""A class is refitted after this share of new games,"""
REFIT_GAMES = 20
"""but not before so many."""

LOOK_EVERY = timedelta(minutes=1)
"""How often a board is looked at although nothing happened, because a bot may have been unseen for too long."""

ReadGame = Callable[[int, Place], RatedGame]
"""Reads the game of a room from its run folder, again if it was read before."""


class BoardKeeper:
    """One board for each clock class. It follows the log by itself, with a state of its own."""

    def __init__(self, settings: LadderSettings, read_game: ReadGame, refitting: Executor) -> None:
        self.state = LadderState()
        """What the events that were heard come to."""
        self.boards: dict[str, Board] = {}
        """The boards of the season, by clock class."""
        self.changes = 0
        """How often the boards have changed."""
        self._settings = settings
        self._read_game = read_game
        self._refitting = refitting
        self._games: defaultdict[str, list[GameOutcome]] = defaultdict(list)
        """What ratings take from the rated games of the season, by clock class."""
        self._void: set[int] = set()
        """The rooms whose games were taken back."""
        self._refits: dict[str, Future[Refit]] = {}
        self._told: dict[str, tuple[tuple[str, str], ...]] = {}
        """The undecided neighbours that matchmaking knows, by clock class."""
        self._looked: tuple[int, datetime] | None = None
        """After how many changes, and when, the boards were asked for events."""

    def hear(self, news: Iterable[Logged]) -> None:
        """Takes in what was logged, with the games that were finished."""
        for logged in news:
            self.changes += 1
            event, at = logged.event, datetime.fromisoformat(logged.at)
            room = self.state.rooms.get(event.room) if isinstance(event, RoomFinished) else None
            self.state.apply(event)
            if isinstance(event, SeasonOpened):
                self._begin_season(at)
            if isinstance(event, BotJoined):
                self._join(event)
            for board in self.boards.values():
                board.note(event, at, self.state)
            if room and isinstance(event, RoomFinished):
                self._take(event.room, room)
            elif isinstance(event, MatchVoided):
                self._take_back(event.room)

    def events(self, now: datetime) -> Iterator[Event]:
        """Yields what the boards have to say to the ladder: which neighbours are to meet, and who is benched."""
        if not self.is_news_since(self._looked, now):
            return
        self._looked = self.changes, now
        for clock_class, board in self.boards.items():
            undecided = board.undecided(self.state, now)
            if undecided != self._told.get(clock_class, ()):
                self._told[clock_class] = undecided
                yield BoardUpdated(clock_class, undecided)
            for due in board.bench_due(self.state, self._settings.benching):
                yield BotBenched(due.entrant.partition(".")[0], due.reason)

    def is_news_since(self, look: tuple[int, datetime] | None, now: datetime) -> bool:
        """Whether the boards may differ from those at an earlier look, made after so many changes at that time."""
        return look is None or self.changes != look[0] or abs(now - look[1]) >= LOOK_EVERY

    def refit(self) -> None:
        """Adopts the refits that are done, and starts those that are due."""
        for clock_class, board in self.boards.items():
            task = self._refits.get(clock_class)
            if task and task.done():
                board.ratings.adopt(task.result())
                self.changes += 1
                del self._refits[clock_class]
            if clock_class not in self._refits and _is_due(board.ratings):
                games, void = tuple(self._games[clock_class]), frozenset(self._void)
                anchors = dict(board.ratings.anchors)
                self._refits[clock_class] = self._refitting.submit(refit, games, anchors, void)

    def _begin_season(self, at: datetime) -> None:
        self._games.clear()
        self._void.clear()
        self._refits.clear()
        self._told.clear()
        self.boards = {clock_class: self._new_board(clock_class) for clock_class in self.boards}
        for entrant in self.state.bots.values():
            for board in self.boards.values():
                board.note(entrant.joined, at, self.state)

    def _join(self, joined: BotJoined) -> None:
        """Makes the board of a new class, and fits the ratings of a class to a new anchor."""
        clock_class = joined.clock_class
        if clock_class not in self.boards:
            self.boards[clock_class] = self._new_board(clock_class)
        elif joined.staff and joined.bot in self._settings.anchors:
            self._refits.pop(clock_class, None)
            self.boards[clock_class].ratings = self._new_ratings()
            for game in self._games[clock_class]:
                self.boards[clock_class].ratings.take(game)

    def _new_board(self, clock_class: str) -> Board:
        return Board(clock_class, self._new_ratings(), timedelta(days=self._settings.board.unseen_days))

    def _new_ratings(self) -> LiveRatings:
        ratings = LiveRatings(anchors_of(self.state, self._settings), self._settings.board.tau)
        ratings.freeze(self.state.frozen)
        return ratings

    def _take(self, number: int, room: OpenRoom) -> None:
        if room.rated:
            game = self._read_game(number, room.place)
            clock_class = room.line_up[0].joined.clock_class
            self._games[clock_class].append(game.outcome)
            self.boards[clock_class].take(game)

    def _take_back(self, number: int) -> None:
        self._void.add(number)
        place = self.state.seasons.place_of(number)
        for clock_class, games in self._games.items():
            if place and any(game.room == number for game in games):
                self.boards[clock_class].take_back(self._read_game(number, place))


def _is_due(ratings: LiveRatings) -> bool:
    since = ratings.games - ratings.refit.games
    return ratings.is_stale or since >= max(REFIT_GAMES, REFIT_SHARE * ratings.games)
