"""The data of a ladder's board for people: who leads, the rows with their course, and the newest rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from bourre_referee.contest.stages import match_id
from bourre_referee.ladder.board.board_rows import BoardRow, BoardRows
from bourre_referee.ladder.host.board_file import BoardFile, ClassBoard
from bourre_referee.web.cached_run import tag_of
from bourre_referee.web.data.charts import spark
from bourre_referee.web.ladder.ladder_history import GameLine
from bourre_referee.web.ladder.ladder_reader import LadderNow, LadderReader

SHOWN = 6
"""The rooms on the board, in play or finished. With many in play, the last three finished ones are shown too."""


@dataclass(frozen=True, slots=True)
class RankedRow:
    """The row of a ranked bot."""

    row: BoardRow
    climbed: int
    """The places that it rose since the epoch began, among the bots that had a score then. Negative if it fell."""
    brackets: tuple[str, ...]
    """The part of each bracket in this row: `first`, `middle`, `last` or empty."""
    spark: str
    """The course of its score as a path, on one scale for all. Empty before its second game."""


@dataclass(frozen=True, slots=True)
class ClassView:
    """The board of one clock class."""

    board: ClassBoard
    headline: str
    explanation: str
    """A sentence below the headline; empty if there is nothing to explain."""
    ranked: tuple[RankedRow, ...]


@dataclass(frozen=True, slots=True)
class FinishedRoom:
    """A rated room that is over."""

    game: GameLine
    seats: tuple[tuple[str, float], ...]
    """Each entrant with the chips that it won or lost, best first."""
    match: str
    revealed: bool
    """Whether its cards are public."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board and the rooms."""

    file: BoardFile
    classes: tuple[ClassView, ...]
    finished: tuple[FinishedRoom, ...]
    """The last rated rooms, newest first."""
    revealed: int
    """The number of epochs whose seeds are public."""


def newest_board(reader: LadderReader) -> tuple[str, Callable[[], BoardView]]:
    """Returns a tag for the board and the rooms as they are, and a function that makes their view."""
    board = reader.board()
    with reader.now() as now:
        seasons = now.state.seasons
        tag = tag_of(f"{board.tag} {len(now.history.games)} {len(seasons.unclosed)} {len(seasons.voided)}")

    def view() -> BoardView:
        with reader.now() as now:
            return board_view(board.board, now)

    return tag, view


def board_view(board: BoardFile, now: LadderNow) -> BoardView:
    """Returns the view of the board and of the ladder's newest rooms."""
    epochs = now.state.seasons.epochs
    closed = {epoch.number for epoch in epochs if epoch.closed}
    voided = now.state.seasons.voided
    games = (game for game in reversed(now.history.games.values()) if game.room not in voided)
    recent = islice(games, max(SHOWN // 2, SHOWN - len(board.rooms)))
    finished = tuple(_finished(game, closed) for game in recent)
    return BoardView(board, tuple(map(class_view, board.boards)), finished, len(closed))


def last_board_view(board: BoardFile) -> BoardView:
    """Returns the view of the last board of a season, without rooms."""
    return BoardView(board, tuple(map(class_view, board.boards)), (), 0)


def class_view(board: ClassBoard) -> ClassView:
    """Returns the view of the board of one clock class."""
    ranked = board.rows.ranked
    climbed = _climbed(ranked)
    scores = {
        row.entrant: [point.mu - 3 * point.sigma for point in board.curves.get(row.entrant, ())] for row in ranked
    }
    every = [score for line in scores.values() for score in line]
    sparks = {entrant: spark(line, every)[0] for entrant, line in scores.items() if len(line) > 1}
    parts = board.rows.bracket_columns()
    return ClassView(
        board,
        _headline(board.rows),
        _explanation(ranked),
        tuple(
            RankedRow(row, climbed.get(row.entrant, 0), part, sparks.get(row.entrant, ""))
            for row, part in zip(ranked, parts, strict=True)
        ),
    )


def _tied(one: BoardRow, other: BoardRow) -> bool:
    return bool(one.place and other.place and {*one.place.tied} & {*other.place.tied})


def _headline(rows: BoardRows) -> str:
    if not rows.ranked:
        return "No bot has a rated game yet"
    first, *others = rows.ranked
    rivals = [row.bot for row in others if _tied(first, row)]
    if not others:
        return f"{first.bot} is the only ranked bot"
    if len(rows.too_few) == len(rows.ranked):
        return "Too few games to tell the bots apart"
    if first.entrant in rows.too_few:
        return f"{first.bot} is ahead, after too few games to be sure"
    if len(rivals) == len(others):
        return f"{first.bot} is ahead, but no bot is sure to be better than another"
    if rivals:
        return f"{first.bot} leads, but {rivals[0] if len(rivals) == 1 else f'{len(rivals)} others'} could be as good"
    return f"{first.bot} leads by {first.rating.score - others[0].rating.score:.1f}"


def _explanation(ranked: Sequence[BoardRow]) -> str:
    """Names the first neighbours that are not told apart, and what would tell them apart."""
    for one, other in pairwise(ranked):
        if _tied(one, other) and one.place:
            games = one.place.games_to_part
            more = f" About {games:,} more games of both would do it." if games else ""
            return f"{one.bot} and {other.bot} are not told apart yet.{more}"
    return ""


def _climbed(ranked: Sequence[BoardRow]) -> Mapping[str, int]:
    known = [(row.entrant, row.rating.score - row.change) for row in ranked if row.change is not None]
    before = sorted(known, key=lambda each: -each[1])
    then = {entrant: place for place, (entrant, _) in enumerate(before)}
    return {entrant: then[entrant] - place for place, (entrant, _) in enumerate(known)}


def _finished(game: GameLine, closed: set[int]) -> FinishedRoom:
    seats = sorted(zip(game.entrants, game.chips, strict=True), key=lambda seat: -seat[1])
    return FinishedRoom(game, tuple(seats), match_id(game.place.match), game.place.epoch in closed)
