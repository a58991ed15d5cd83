"""The documents of a ladder's API, and how they are made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bourre_referee.contest.stages import match_id
from bourre_referee.ladder.board.board_rows import BoardRow, BoardRows
from bourre_referee.ladder.host.board_file import BoardFile, RoomNow
from bourre_referee.ladder.log.event_log import event_name
from bourre_referee.ladder.matchmaking.waiting_reasons import Waiting
from bourre_referee.web.ladder.bot_view import BotView
from bourre_referee.web.ladder.epoch_views import EpochView
from bourre_referee.web.ladder.ladder_history import HeadToHead
from bourre_referee.web.ladder.ladder_reader import LadderNow
from bourre_referee.web.ladder.log_pages import LogPage, in_words


@dataclass(frozen=True, slots=True)
class ClassDocument:
    """The board of one clock class."""

    clock_class: str
    games: int
    refit_games: int
    rows: BoardRows
    old_versions: tuple[BoardRow, ...]


@dataclass(frozen=True, slots=True)
class BoardDocument:
    """The board."""

    ladder: str
    at: datetime
    season: int
    epoch: int
    frozen: bool
    boards: tuple[ClassDocument, ...]
    rooms: tuple[RoomNow, ...]


def board_document(board: BoardFile) -> BoardDocument:
    """Returns the board without the curves."""
    boards = tuple(
        ClassDocument(each.clock_class, each.games, each.refit_games, each.rows, each.old_versions)
        for each in board.boards
    )
    return BoardDocument(board.ladder, board.at, board.season, board.epoch, board.frozen, boards, board.rooms)


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
    """Why the host took it back."""


@dataclass(frozen=True, slots=True)
class VersionDocument:
    """One version of a bot."""

    entrant: str
    version: str
    row: BoardRow | None
    games: tuple[GameDocument, ...]
    head_to_head: tuple[HeadToHead, ...]


@dataclass(frozen=True, slots=True)
class BotDocument:
    """A bot with all its versions, newest first."""

    bot: str
    owner: str
    kind: str
    waiting: Waiting
    versions: tuple[VersionDocument, ...]


def bot_document(bot: BotView) -> BotDocument:
    """Returns what the page of a bot shows, without its chart."""
    versions = tuple(
        VersionDocument(
            each.entrant.name,
            each.entrant.joined.version,
            each.row,
            tuple(
                GameDocument(
                    game.game.room,
                    game.game.place.epoch,
                    match_id(game.game.place.match),
                    game.rank,
                    game.chips,
                    game.game.entrants,
                    game.void,
                )
                for game in each.games
            ),
            each.head_to_head,
        )
        for each in bot.versions
    )
    return BotDocument(bot.name, bot.owner, bot.kind, bot.waiting, versions)


@dataclass(frozen=True, slots=True)
class EpochsDocument:
    """All epochs, newest first."""

    epochs: tuple[EpochView, ...]


@dataclass(frozen=True, slots=True)
class ActDocument:
    """An act in the log."""

    at: str
    event: str
    text: str


@dataclass(frozen=True, slots=True)
class LogDocument:
    """A page of the acts in the log, newest first."""

    page: int
    pages: int
    events: int
    head: str
    acts: tuple[ActDocument, ...]


def log_document(now: LadderNow, page: LogPage, shown: int) -> LogDocument:
    """Returns a page of acts with as many as `shown` on each."""
    acts = now.history.acts
    end = len(acts) - (page.page - 1) * shown
    listed = reversed(acts[max(0, end - shown) : end])
    found = tuple(ActDocument(each.at, event_name(type(each.event)), in_words(each)) for each in listed)
    return LogDocument(page.page, page.pages, page.events, page.head, found)


@dataclass(frozen=True, slots=True)
class WaitingDocument:
    """By bot, its place in turn and why it does not play now."""

    waiting: dict[str, Waiting]


@dataclass(frozen=True, slots=True)
class Done:
    """What was done."""

    done: str
