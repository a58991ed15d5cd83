"""Makes the documents of a ladder's API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bourre_referee.ladder.board.board_rows import BoardRow, BoardRows
from bourre_referee.ladder.host.board_file import BoardFile, RoomNow
from bourre_referee.ladder.log.event_log import Logged, event_name, log_line
from bourre_referee.ladder.matchmaking.waiting_reasons import QueueStatus
from bourre_referee.web.ladder.epoch_views import EpochView
from bourre_referee.web.ladder.ladder_reader import LadderNow
from bourre_referee.web.page_lookup import RefusedRequest

PER_PAGE = 100
"""The number of acts on a page of the log."""


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
    """The number of events in the whole log."""
    head: str
    """The hash of its last line."""
    acts: tuple[ActDocument, ...]


def log_document(now: LadderNow, page: int) -> LogDocument:
    """Returns a page of the log, from 1. Raises RefusedRequest if there is no such page."""
    acts = now.history.acts
    pages = max(1, -(-len(acts) // PER_PAGE))
    if page > pages:
        raise RefusedRequest(404, f"the log has no page {page}", "its pages are numbered from 1")
    end = len(acts) - (page - 1) * PER_PAGE
    listed = reversed(acts[max(0, end - PER_PAGE) : end])
    shown = tuple(ActDocument(each.at, event_name(type(each.event)), _in_words(each)) for each in listed)
    return LogDocument(page, pages, now.log.events, now.log.head, shown)


def _in_words(logged: Logged) -> str:
    """Returns a sentence about an event, without its time."""
    return log_line(logged).partition(" ")[2]


@dataclass(frozen=True, slots=True)
class WaitingDocument:
    """By bot, its place in turn and the reason why it does not play now."""

    waiting: dict[str, QueueStatus]


@dataclass(frozen=True, slots=True)
class Done:
    """A sentence about a completed action."""

    done: str
