"""Keeps the boards of a ladder's seasons up to date with its log, and has them refitted by a process of its own."""

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
"""How often a board is looked at although nothing happened, because a bot may have been unseen for too long."""

ReadGame = Callable[[int, Place], RatedGame]
"""Reads the game of a room from its run folder, again if it was read before."""


class BoardKeeper:
    """One board for each clock class and season. It follows the log by itself, with a state of its own.

    A game belongs to the season of its epoch. The boards of a season that is over are kept until its last room is.
    """

    def __init__(
        self,
        settings: BoardSettings,
        read_game: ReadGame,
        refitting: Executor,
        refits: Mapping[tuple[int, str], Refit] = NO_REFITS,
    ) -> None:
        """Boards start from these `refits`, by season and clock class; games that they cover are only counted."""
        self.state = LadderState()
        """What the events that were heard come to."""
        self.changes = 0
        """How often the boards have changed."""
        self._settings = settings
        self._read_game = read_game
        self._refitting = refitting
        self._refits = refits
        self._seasons: dict[int, SeasonBoards] = {0: SeasonBoards({})}
        """The current season, and those before it whose last boards were not given out."""
        self._told: dict[str, tuple[tuple[str, str], ...]] = {}
        """The undecided neighbours that matchmaking knows, by clock class."""
        self._looked: tuple[int, datetime] | None = None
        """After how many changes, and when, the boards were asked for events."""

    @property
    def boards(self) -> Mapping[str, Board]:
        """The boards of the current season, by clock class."""
        return self._season.boards

    @property
    def seasons(self) -> Mapping[int, SeasonBoards]:
        """The boards of the seasons that were not given out, by number."""
        return self._seasons

    @property
    def _season(self) -> SeasonBoards:
        return self._seasons[self.state.seasons.last]

    def hear_past(self, past: Iterable[Logged], kept: BoardFile | None) -> None:
        """Takes in the log up to now, and fits the season's ratings to all its games at once.

        What cannot be computed without rating one game after the other, such as curves, comes from the board that the
        last process has kept.
        """
        self.hear(past, is_past=True)
        self._season.fit(self._refitting)
        for clock_class, board in self.boards.items():
            curves, before = _kept_of(clock_class, kept, self.state)
            board.go_on(curves, before)

    def hear(self, news: Iterable[Logged], *, is_past: bool = False) -> None:
        """Takes in what was logged, with the games that were finished; the next fit rates them if they are past."""
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
                yield BotBenched(due.entrant.partition(".")[0], due.reason, by="ladder")

    def is_news_since(self, look: tuple[int, datetime] | None, now: datetime) -> bool:
        """Whether the boards may differ from those at an earlier look, made after so many changes at that time."""
        return look is None or self.changes != look[0] or abs(now - look[1]) >= LOOK_EVERY

    def refit(self) -> None:
        """Adopts the refits that are done, and starts those that are due."""
        for number, season in self._seasons.items():
            self.changes += season.refit(self._refitting, is_over=self._is_over(number))

    def last_boards(self, is_kept: Callable[[int], bool]) -> Iterator[tuple[int, Mapping[str, Board]]]:
        """Yields the numbers and the boards of the seasons that are over, fitted to all their games, and forgets them.

        Those that are kept already (`is_kept`) are forgotten at once, unless one of their games was taken back.
        """
        for number, season in list(self._seasons.items()):
            if self._is_over(number):
                if is_kept(number) and not season.void_rooms:
                    del self._seasons[number]
                elif season.is_fitted:
                    del self._seasons[number]
                    yield number, season.boards

    def _is_over(self, number: int) -> bool:
        """Whether a later season is played, and no room of this one."""
        seasons = self.state.seasons
        return number < seasons.last and all(epoch.closed for epoch in seasons.epochs if epoch.season == number)

    def _begin_season(self, number: int, before: SeasonBoards, at: datetime) -> None:
        self._told.clear()
        joined = [entrant.joined for entrant in self.state.bots.values()]
        boards = {clock_class: self._new_board(number, clock_class) for clock_class in before.boards}
        self._seasons[number] = begin_boards(boards, joined, at, self.state)
        if number == 1:
            del self._seasons[0]  # nothing is played before the first season

    def _join(self, joined: BotJoined, *, is_past: bool) -> None:
        """Makes the board of a new class, and fits the ratings of a class to a new anchor."""
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
