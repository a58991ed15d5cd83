"""Rooms come one by one; a duplicate match is whole when all of its rooms have come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bourre_referee.model.duplicate import put_together
from bourre_referee.model.spec import Board, MatchOutcome, MatchSpec
from bourre_referee.runner.room_reports import RoomPlayed


class Gathering:
    """The boards of the matches that are not whole yet."""

    def __init__(self) -> None:
        self._boards: defaultdict[str, list[tuple[MatchSpec, MatchOutcome]]] = defaultdict(list)

    def whole(self, report: RoomPlayed) -> Iterator[MatchOutcome]:
        """The matches that are whole with this room."""
        first = report.room.matches[0]
        if first.board is None:
            yield from report.outcomes
            return
        boards = self._boards[first.match]
        boards.extend(zip(report.room.matches, report.outcomes, strict=True))
        if len(boards) == first.deals * len(first.line_up):
            yield put_together(_bots(first, first.board), self._boards.pop(first.match))


def _bots(spec: MatchSpec, board: Board) -> list[str]:
    """The bots of a match by number."""
    return [spec.line_up[board.line_up.index(number)] for number in range(len(spec.line_up))]
