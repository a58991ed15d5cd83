"""The data of a bot's page on a ladder: all its versions, their games, and where it is now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from bourre_referee.contest.stages import match_id
from bourre_referee.ladder.board.board_rows import BoardRow
from bourre_referee.ladder.board.live_ratings import CurvePoint
from bourre_referee.ladder.host.board_file import BoardFile, ClassBoard
from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.ladder.log.seasons import Place
from bourre_referee.ladder.matchmaking.waiting_reasons import Waiting, explain
from bourre_referee.web.data.charts import Chart, Point, chart
from bourre_referee.web.ladder.ladder_history import GameLine, HeadToHead
from bourre_referee.web.ladder.ladder_reader import LadderNow

MOST_GAMES = 20
"""The most games that the page lists of a version."""


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as one of its entrants sees it."""

    game: GameLine
    rank: int
    chips: float
    address: str
    void: str | None
    """Why the host took it back."""


@dataclass(frozen=True, slots=True)
class VersionView:
    """One version of a bot."""

    entrant: Entrant
    row: BoardRow | None
    """Its row on the board; None before its first game there."""
    rating: Chart | None
    games: tuple[GameView, ...]
    """Its last ones, newest first."""
    head_to_head: tuple[HeadToHead, ...]


@dataclass(frozen=True, slots=True)
class BotView:
    """A bot."""

    name: str
    owner: str
    kind: str
    """`staff`, `hosted` or `remote`."""
    waiting: Waiting
    versions: tuple[VersionView, ...]
    """Newest first."""


def bot_view(now: LadderNow, board: BoardFile | None, name: str) -> BotView:
    """Returns what the page of a bot shows; raises KeyError if it never joined."""
    latest = now.state.bots[name]
    versions = [entrant for entrant in reversed(now.state.entrants) if entrant.bot == name]
    return BotView(
        name=name,
        owner=latest.joined.owner,
        kind="staff" if latest.joined.staff else "hosted" if latest.joined.hosted else "remote",
        waiting=explain(now.state, name),
        versions=tuple(_version(now, board, entrant) for entrant in versions),
    )


def _version(now: LadderNow, board: BoardFile | None, entrant: Entrant) -> VersionView:
    boards = board.boards if board else ()
    row = next((row for each in boards for row in _rows(each) if row.entrant == entrant.name), None)
    curve = next((each.curves[entrant.name] for each in boards if entrant.name in each.curves), ())
    return VersionView(
        entrant=entrant,
        row=row,
        rating=chart([_point(point) for point in curve]) if curve else None,
        games=tuple(islice(_games(now, entrant.name), MOST_GAMES)),
        head_to_head=tuple(now.history.head_to_head(entrant.name, now.state.seasons.voided)),
    )


def _rows(board: ClassBoard) -> Iterator[BoardRow]:
    yield from board.rows.ranked
    yield from board.rows.new
    yield from board.rows.unseen
    yield from board.old_versions


def _point(point: CurvePoint) -> Point:
    return Point(point.game, point.mu, (point.mu - 3 * point.sigma, point.mu + 3 * point.sigma))


def _games(now: LadderNow, entrant: str) -> Iterator[GameView]:
    for game in now.history.games_of(entrant):
        seat = game.entrants.index(entrant)
        void = now.state.seasons.voided.get(game.room)
        yield GameView(game, game.ranks[seat], game.chips[seat], match_address(game.place), void)


def match_address(place: Place) -> str:
    """Returns the address of the page of a room's match."""
    return f"/epochs/{place.epoch}{'' if place.rated else '-unrated'}/matches/{match_id(place.match)}"
