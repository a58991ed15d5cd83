"""Updates the boards of a ladder's seasons from its log. A separate process refits them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from datetime import datetime, timedelta
from types import MappingProxyType

from bourre_referee.ladder.board.benching import RatedGame
from bourre_referee.ladder.board.board import Board
from bourre_referee.ladder.board.live_ratings import LiveRatings, RatingCurve, Refit
from bourre_referee.ladder.host.board_file import BoardFile
from bourre_referee.ladder.host.ladder_entries import anchors_of
from bourre_referee.ladder.host.ladder_file import BoardSettings
from bourre_referee.ladder.host.season_boards import SeasonBoards, begin_boards
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
from bourre_referee.ladder.log.seasons import OpenRoom, Place
from bourre_referee.ladder.log.state import LadderState

NO_REFITS: Mapping[tuple[int, str], Refit] = MappingProxyType({})

LOOK_EVERY = timedelta(minutes=1)
"""The interval of checks without news, because a bot may have been absent for too long."""

ReadGame = Callable[[int, Place], RatedGame]
"""Reads the game of a room from its run folder, even if it was read before."""


class BoardKeeper:
    """One board for each clock class and season. It follows the log with its own state.

    A game belongs to the season of its epoch. The boards of a finished season stay until its last room is over.
    """

    def __init__(
        self,
        settings: BoardSettings,
        read_game: ReadGame,
        refitting: Executor,
        refits: Mapping[tuple[int, str], Refit] = NO_REFITS,
    ) -> None:
        """Boards start from these `refits`, by season and clock class. Games that they cover are only counted."""
        self.state = LadderState()
        """The state after all applied events."""
        self.changes = 0
        """The number of changes of the boards."""
        self._settings = settings
        self._read_game = read_game
        self._refitting = refitting
        self._refits = refits
        self._seasons: dict[int, SeasonBoards] = {0: SeasonBoards({})}
        """The current season, and earlier seasons whose last boards were not yielded yet."""
        self._told: dict[str, tuple[tuple[str, str], ...]] = {}
        """The undecided neighbours in the log, by clock class."""
        self._looked: tuple[int, datetime] | None = None
        """The number of changes, and the time, when the boards were last asked for events."""

    @property
    def boards(self) -> Mapping[str, Board]:
        """The boards of the current season, by clock class."""
        return self._season.boards

    @property
    def seasons(self) -> Mapping[int, SeasonBoards]:
        """The boards of seasons that were not yielded yet, by number."""
        return self._seasons

    @property
    def _season(self) -> SeasonBoards:
        return self._seasons[self.state.seasons.last]

    def hear_past(self, past: Iterable[Logged], kept: BoardFile | None) -> None:
        """Applies the log up to now, and fits the season's ratings to all its games at once.

        Curves would need one rating after the other, so they come from the board that the last process stored.
        """
        self.hear(past, is_past=True)
        self._season.fit(self._refitting)
        for clock_class, board in self.boards.items():
            curves, before = _kept_of(clock_class, kept, self.state)
            board.go_on(curves, before)

    def hear(self, news: Iterable[Logged], *, is_past: bool = False) -> None:
        """Applies new events and finished games. If they are past, the next fit rates the games."""
        for logged in news:
            self.changes += 1
            event, at = logged.event, datetime.fromisoformat(logged.at)
            room = self.state.rooms.get(event.room) if isinstance(event, RoomFinished) else None
            before = self._season
            self.state.apply(event)
            if isinstance(event, SeasonOpened):
                self._begin_season(event.season, before, at)
            if isinstance(event, BotJoined):
                self._join(event, is_past=is_past)
            for season in self._seasons.values():
                season.note(event, at, self.state)
            if room and isinstance(event, RoomFinished):
                self._take(event.room, room, is_past=is_past)
            elif isinstance(event, MatchVoided):
                self._take_back(event.room)

    def events(self, now: datetime) -> Iterator[Event]:
        """Yields the boards' events for the ladder: undecided neighbours, and bots to suspend."""
        if not self.is_news_since(self._looked, now):
            return
        self._looked = self.changes, now
        for clock_class, board in self.boards.items():
            undecided = board.undecided(self.state, now)
            if undecided != self._told.get(clock_class, ()):
                self._told[clock_class] = undecided
                yield BoardUpdated(clock_class, undecided)
            for due in board.bench_due(self.state, self._settings.benching):
                yield BotBenched(due.entrant.partition(".")[0], due.reason, by="ladder")

    def is_news_since(self, look: tuple[int, datetime] | None, now: datetime) -> bool:
        """Whether the boards may have changed since a look, given by its number of changes and its time."""
        return look is None or self.changes != look[0] or abs(now - look[1]) >= LOOK_EVERY

    def refit(self) -> None:
        """Adopts finished refits, and starts those that are due."""
        for number, season in self._seasons.items():
            self.changes += season.refit(self._refitting, is_over=self._is_over(number))

    def last_boards(self, is_kept: Callable[[int], bool]) -> Iterator[tuple[int, Mapping[str, Board]]]:
        """Yields and removes the boards of finished seasons, fitted to all their games, with the seasons' numbers.

        It removes seasons that are stored already (`is_kept`) at once, unless one of their games was taken back.
        """
        for number, season in list(self._seasons.items()):
            if self._is_over(number):
                if is_kept(number) and not season.void_rooms:
                    del self._seasons[number]
                elif season.is_fitted:
                    del self._seasons[number]
                    yield number, season.boards

    def _is_over(self, number: int) -> bool:
        """Whether a later season has begun, and no room of this season is in play."""
        seasons = self.state.seasons
        return number < seasons.last and all(epoch.closed for epoch in seasons.epochs if epoch.season == number)

    def _begin_season(self, number: int, before: SeasonBoards, at: datetime) -> None:
        self._told.clear()
        joined = [entrant.joined for entrant in self.state.bots.values()]
        boards = {clock_class: self._new_board(number, clock_class) for clock_class in before.boards}
        self._seasons[number] = begin_boards(boards, joined, at, self.state)
        if number == 1:
            del self._seasons[0]  # no room belongs to it

    def _join(self, joined: BotJoined, *, is_past: bool) -> None:
        """Makes the board of a new class, and refits a class with a new anchor."""
        clock_class = joined.clock_class
        if clock_class not in self.boards:
            self._season.boards[clock_class] = self._new_board(self.state.seasons.last, clock_class)
        elif joined.staff and joined.bot in self._settings.anchors:
            ratings = self._new_ratings(self.state.seasons.last, clock_class)
            self._season.restart(clock_class, ratings, is_past=is_past)

    def _new_board(self, season: int, clock_class: str) -> Board:
        ratings = self._new_ratings(season, clock_class)
        return Board(clock_class, ratings, timedelta(days=self._settings.board.unseen_days))

    def _new_ratings(self, season: int, clock_class: str) -> LiveRatings:
        anchors, refit = anchors_of(self.state, self._settings.anchors), self._refits.get((season, clock_class))
        ratings = LiveRatings(anchors, self._settings.board.tau, refit)
        ratings.freeze(self.state.frozen)
        return ratings

    def _take(self, number: int, room: OpenRoom, *, is_past: bool) -> None:
        if room.rated:
            season, game = self._season_of(room.place), self._read_game(number, room.place)
            season.take(room.clock_class, game, is_past=is_past)

    def _take_back(self, number: int) -> None:
        place = self.state.seasons.place_of(number)
        if place and place.rated and self.state.seasons.epochs[place.epoch - 1].season in self._seasons:
            self._season_of(place).take_back(self._read_game(number, place))

    def _season_of(self, place: Place) -> SeasonBoards:
        return self._seasons[self.state.seasons.epochs[place.epoch - 1].season]


def _kept_of(
    clock_class: str, kept: BoardFile | None, state: LadderState
) -> tuple[dict[str, RatingCurve], dict[str, float]]:
    """Returns the curves, and the scores at the beginning of the epoch, if the board is of this season and epoch."""
    boards = kept.boards if kept and kept.season == state.seasons.last else ()
    board = next((board for board in boards if board.clock_class == clock_class), None)
    if kept is None or board is None:
        return {}, {}
    curves = {entrant: RatingCurve(points) for entrant, points in board.curves.items()}
    rows = (*board.rows.ranked, *board.rows.new, *board.rows.unseen, *board.old_versions)
    before = {row.entrant: row.rating.score - row.change for row in rows if row.change is not None}
    return curves, before if kept.epoch == state.epoch else {}
