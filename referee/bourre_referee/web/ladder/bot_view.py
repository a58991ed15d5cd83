"""The data of a bot's page on a ladder: all its versions, their games, and its present place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from bourre_referee.contest.stages import match_id
from bourre_referee.ladder.board.board_rows import BoardRow
from bourre_referee.ladder.board.live_ratings import CurvePoint
from bourre_referee.ladder.host.board_file import BoardFile, ClassBoard
from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.matchmaking.waiting_reasons import QueueStatus, explain
from bourre_referee.web.data.charts import Chart, Point, chart
from bourre_referee.web.ladder.ladder_history import HeadToHead
from bourre_referee.web.ladder.ladder_reader import LadderNow

MOST_GAMES = 20
"""The most games of a version on the page."""


@dataclass(frozen=True, slots=True)
class GameDocument:
    """A rated game of an entrant."""

    room: int
    epoch: int
    match: str
    rank: int
    chips: float
    entrants: tuple[str, ...]
    void: str | None
    """The reason why the host annulled it."""


@dataclass(frozen=True, slots=True)
class VersionDocument:
    """One version of a bot."""

    entrant: str
    version: str
    row: BoardRow | None
    """Its row on the board. None before its first game there."""
    ties: tuple[tuple[str, ...], ...]
    """The brackets of the board that it is in."""
    games: tuple[GameDocument, ...]
    """Its last ones, newest first."""
    head_to_head: tuple[HeadToHead, ...]


@dataclass(frozen=True, slots=True)
class BotDocument:
    """A bot with all its versions, newest first."""

    bot: str
    owner: str
    kind: str
    """`staff`, `hosted` or `remote`."""
    waiting: QueueStatus
    versions: tuple[VersionDocument, ...]


@dataclass(frozen=True, slots=True)
class VersionView(VersionDocument):
    """One version of a bot, as on its page."""

    logged: LadderEntrant
    """The version's part of the log."""
    rating: Chart | None


@dataclass(frozen=True, slots=True)
class BotView(BotDocument):
    """A bot, as on its page."""

    versions: tuple[VersionView, ...]


def bot_view(now: LadderNow, board: BoardFile | None, name: str) -> BotView:
    """Returns the data of a bot's page. Raises KeyError if the bot never joined."""
    latest = now.state.bots[name]
    versions = [entrant for entrant in reversed(now.state.entrants) if entrant.bot == name]
    return BotView(
        bot=name,
        owner=latest.joined.owner,
        kind="staff" if latest.joined.staff else "hosted" if latest.joined.hosted else "remote",
        waiting=explain(now.state, name),
        versions=tuple(_version(now, board, entrant) for entrant in versions),
    )


def _version(now: LadderNow, board: BoardFile | None, entrant: LadderEntrant) -> VersionView:
    boards = board.boards if board else ()
    row = next((row for each in boards for row in _rows(each) if row.entrant == entrant.name), None)
    curve = next((each.curves[entrant.name] for each in boards if entrant.name in each.curves), ())
    return VersionView(
        entrant=entrant.name,
        version=entrant.joined.version,
        row=row,
        ties=tuple(tie for each in boards for tie in each.rows.ties or () if entrant.name in tie),
        games=tuple(islice(_games(now, entrant.name), MOST_GAMES)),
        head_to_head=tuple(now.history.head_to_head(entrant.name, now.state.seasons.voided)),
        logged=entrant,
        rating=chart([_point(point) for point in curve]) if curve else None,
    )


def _rows(board: ClassBoard) -> Iterator[BoardRow]:
    yield from board.rows.ranked
    yield from board.rows.new
    yield from board.rows.unseen
    yield from board.old_versions


def _point(point: CurvePoint) -> Point:
    return Point(point.game, point.mu, (point.mu - 3 * point.sigma, point.mu + 3 * point.sigma))


def _games(now: LadderNow, entrant: str) -> Iterator[GameDocument]:
    for game in now.history.games_of(entrant):
        seat = game.entrants.index(entrant)
        void = now.state.seasons.voided.get(game.room)
        epoch, match = game.place.epoch, match_id(game.place.match)
        yield GameDocument(game.room, epoch, match, game.ranks[seat], game.chips[seat], game.entrants, void)
