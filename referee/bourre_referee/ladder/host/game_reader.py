"""Reads the rated games of a ladder from the runs of its epochs."""

from __future__ import annotations

from bourre.rules.actions import Fault
from bourre_referee.ladder.board.rated_game import RatedGame
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.epoch import Place
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import SeatFault
from bourre_referee.storage.match_reader import ReadMatch
from bourre_referee.storage.run import Run


class GameReader:
    """Reads what is new of an epoch at once, and forgets what it has given out."""

    def __init__(self, ladder: LadderFolder) -> None:
        self._ladder = ladder
        self._read: dict[int, set[int]] = {}
        """The matches that were read, by epoch."""
        self._found: dict[Place, ReadMatch] = {}
        """The matches that were read and not given out."""

    def read(self, room: int, place: Place) -> RatedGame:
        """Returns the game of a rated room; raises ContestError if it is not stored, or its folder is damaged."""
        if place not in self._found:
            self._look(place)
        if place not in self._found:
            run = self._ladder.epoch(place.epoch, rated=True)
            raise ContestError(f"{run}: room {room} is finished, but its match is missing: restore a copy")
        found = self._found.pop(place)
        return RatedGame(room, found.result, _faults(found))

    def _look(self, wanted: Place) -> None:
        """Reads what is new of the epoch of a game, and the game again if it was given out."""
        epoch = wanted.epoch
        known = self._read.setdefault(epoch, set())
        known.discard(wanted.match)
        for match in Run.open(self._ladder.epoch(epoch, rated=True)).new_matches(sorted(known)) or ():
            known.add(match.stored.number)
            self._found[Place(epoch, rated=True, match=match.stored.number)] = match


def _faults(match: ReadMatch) -> tuple[SeatFault, ...]:
    return tuple(
        SeatFault(seat, Fault(kind), times)
        for seat, row in enumerate(match.stored.seats)
        for kind, times in row.faults_by_kind
    )
