"""The file `board.json` for a ladder's pages, which the serving process writes every few seconds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from bourre_referee.ladder.board.board import Board
from bourre_referee.ladder.board.board_rows import BoardRow, BoardRows
from bourre_referee.ladder.board.live_ratings import CurvePoint
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.waiting_reasons import QueueStatus, explain
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.untrusted_files import read


@dataclass(frozen=True, slots=True)
class ClassBoard:
    """The board of one clock class."""

    clock_class: str
    games: int
    """The number of rated games of the season."""
    refit_games: int
    """The number of games in the last fit. Later games updated the ratings one by one."""
    is_stale: bool
    """Whether the ratings still contain a game that was taken back."""
    rows: BoardRows
    old_versions: tuple[BoardRow, ...]
    curves: Mapping[str, tuple[CurvePoint, ...]]
    """Each entrant's ratings after its games."""


@dataclass(frozen=True, slots=True)
class RoomNow:
    """A room that is being played."""

    room: int
    rated: bool
    line_up: tuple[str, ...]
    """The entrants by seat."""


@dataclass(frozen=True, slots=True)
class BoardFile:
    """The content of `board.json`, and of the last board of a season."""

    ladder: str
    at: AwareDatetime
    season: int
    epoch: int
    frozen: bool
    boards: tuple[ClassBoard, ...]
    rooms: tuple[RoomNow, ...]
    waiting: Mapping[str, QueueStatus]
    """Each bot's place in the queue, and why it does not play."""
    events: int = 0
    """The number of log lines that it reflects; 0 if an older version wrote it."""


_JSON = TypeAdapter(BoardFile)


def board_file(ladder: str, at: datetime, boards: Mapping[str, Board], state: LadderState) -> BoardFile:
    """Returns the file for this state."""
    return BoardFile(
        ladder=ladder,
        at=at,
        season=state.seasons.last,
        epoch=state.epoch,
        frozen=state.frozen,
        boards=tuple(_class_board(clock_class, board, state, at) for clock_class, board in boards.items()),
        rooms=tuple(_rooms(state)),
        waiting={bot: explain(state, bot) for bot, entrant in state.bots.items() if not entrant.retired},
        events=state.events,
    )


def last_board_file(
    ladder: str, at: datetime, season: int, boards: Mapping[str, Board], state: LadderState
) -> BoardFile:
    """Returns the file for a finished season, in which no bot plays or waits."""
    return BoardFile(
        ladder=ladder,
        at=at,
        season=season,
        epoch=max((epoch.number for epoch in state.seasons.epochs if epoch.season == season), default=0),
        frozen=False,
        boards=tuple(_class_board(clock_class, board, state, at) for clock_class, board in boards.items()),
        rooms=(),
        waiting={},
        events=state.events,
    )


def _class_board(clock_class: str, board: Board, state: LadderState, at: datetime) -> ClassBoard:
    ratings = board.ratings
    curves = {entrant: tuple(curve) for entrant, curve in ratings.curves.items()}
    rows, old = board.rows(state, at), board.old_versions(state)
    return ClassBoard(clock_class, ratings.games, ratings.refit.games, ratings.is_stale, rows, old, curves)


def _rooms(state: LadderState) -> Iterator[RoomNow]:
    for number, room in state.rooms.items():
        yield RoomNow(number, room.rated, tuple(entrant.name for entrant in room.line_up))


def write_board(path: Path, board: BoardFile) -> None:
    """Replaces the file. Raises ContestError if it cannot be written."""
    atomic.write_bytes(path, _JSON.dump_json(board))


def read_board(path: Path) -> BoardFile:
    """Reads the file. Raises ContestError if it is missing or damaged."""
    try:
        return parse_board(read(path), path)
    except OSError as error:
        raise ContestError(f"Cannot read {path}: {error.strerror}.\nhint: run bourre ladder start first") from error


def parse_board(text: bytes, path: Path) -> BoardFile:
    """Parses the content of such a file. Raises ContestError if it is damaged."""
    try:
        return _JSON.validate_json(text)
    except ValidationError as error:
        raise ContestError(
            f"{path}: {error.errors()[0]['msg']}.\nhint: remove it, and run bourre ladder start again"
        ) from error


def lacks_ties(board: BoardFile) -> bool:
    """Returns whether an older version, which tested ties by ratings, wrote the board."""
    return any(each.rows.ties is None for each in board.boards)


def without_ties(board: BoardFile) -> BoardFile:
    """Returns the board without ties, letters and predictions."""
    boards = tuple(replace(each, rows=_without_ties(each.rows)) for each in board.boards)
    return replace(board, boards=boards)


def _without_ties(rows: BoardRows) -> BoardRows:
    places = [row.place and replace(row.place, tied="", games_to_part=None) for row in rows.ranked]
    ranked = tuple(replace(row, place=place) for row, place in zip(rows.ranked, places, strict=True))
    return replace(rows, ranked=ranked, ties=None, too_few=())


def provable_values(board: BoardFile) -> object:
    """Returns the values, as JSON, that follow from the log and the games alone.

    Curves and changes depend on the times of the fits. The reasons of waiting bots depend on the version.
    """
    boards = tuple(
        replace(
            each,
            rows=_without_changes_in(each.rows),
            old_versions=_without_changes(each.old_versions),
            curves={},
        )
        for each in board.boards
    )
    return _JSON.dump_python(replace(board, boards=boards, waiting={}), mode="json")


def _without_changes_in(rows: BoardRows) -> BoardRows:
    ranked, new, unseen = map(_without_changes, (rows.ranked, rows.new, rows.unseen))
    return replace(rows, ranked=ranked, new=new, unseen=unseen)


def _without_changes(rows: Iterable[BoardRow]) -> tuple[BoardRow, ...]:
    return tuple(replace(row, change=None) for row in rows)
