"""The runs of the epochs that are not closed: usually those of one, and for a while those of two."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bourre.rules.actions import Fault
from bourre_referee.ladder.board.benching import RatedGame
from bourre_referee.ladder.host.epoch_run import EpochRun
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import EpochClosed, EpochOpened, RoomFinished, RoomVoided
from bourre_referee.ladder.log.seasons import Epoch, Place, epoch_name
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import SeatFault
from bourre_referee.storage.database.match_reader import ReadMatch
from bourre_referee.storage.files.waiting import Waiting
from bourre_referee.storage.run.manifest import Terms
from bourre_referee.storage.run.run import Run


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


_Series = tuple[int, bool]
"""An epoch's number, and whether its rated rooms are meant."""


class OpenEpochs:
    """Makes, opens and closes the runs of a ladder, as its log says."""

    def __init__(self, folder: LadderFolder, name: str, terms: Terms, patience: Waiting | None = None) -> None:
        """`patience` waits for a database that is gone, and for a host that led before."""
        self._folder = folder
        self._name = name
        self._terms = terms
        self._patience = patience
        self._runs: dict[_Series, EpochRun] = {}

    def opened(self, epoch: int) -> EpochOpened:
        """Draws the seeds of a new epoch, and returns what the log must say before its first room."""
        rated, unrated = (self._make(epoch, rated) for rated in (True, False))
        return EpochOpened(epoch, rated.commitment, unrated.commitment)

    def resume(self, epoch: Epoch) -> None:
        """Opens the runs of an epoch of the log that is not closed, and lists the rooms that it called.

        Raises ContestError if they are not those that the log commits to.
        """
        for rated, known in ((True, epoch.opened.commitment), (False, epoch.opened.unrated_commitment)):
            place = self._folder.epoch(epoch.number, rated=rated)
            run = self._runs[epoch.number, rated] = EpochRun.open(place, self._patience)
            if run.commitment != known:
                raise ContestError(f"{place}: its seed is not the one that the log commits to: restore a copy")
        self.list_rooms(epoch)

    def list_rooms(self, epoch: Epoch) -> None:
        """Lists in the runs all rooms that the log called in this epoch."""
        for rated, line_ups in ((True, epoch.rated), (False, epoch.unrated)):
            run = self._runs[epoch.number, rated]
            if not run.is_closed:
                run.call(line_ups)

    def at(self, place: Place) -> EpochRun:
        """Returns the run of a room."""
        return self._runs[place.epoch, place.rated]

    def end_of(self, number: int, place: Place, reason: str) -> RoomFinished | RoomVoided | None:
        """Returns the end of a room that was stored before the log could tell it; `reason` is that of a void room."""
        run = self.at(place)
        if place.match in run.finished():
            return RoomFinished(number, games=1)
        return RoomVoided(number, reason) if place.match in run.given_up() else None

    def is_over(self, epoch: Epoch) -> bool:
        """Whether all rooms that the log called in an epoch are over, and its seed is revealed.

        So a host that was killed before it could log the end opens the next one, unless the runs have other rooms than
        the log, or the next one has rooms: then the log is an old copy.
        """
        rated, unrated = self._runs[epoch.number, True], self._runs[epoch.number, False]
        if not (rated.is_closed and rated.has_called(epoch.rated) and unrated.has_called(epoch.unrated)):
            return False
        later = self._folder.epoch(epoch.number + 1, rated=True)
        return not (later.has_manifest() and later.read_manifest().added)

    def seed(self, epoch: int) -> bytes:
        """Returns the seed by which the rooms of an open epoch are paired; raises ContestError if it is revealed."""
        run = self._runs[epoch, True]
        if run.is_closed:
            place = self._folder.epoch(epoch, rated=True)
            raise ContestError(f"{place}: its seed is revealed, but by the log it goes on: bourre ladder restore")
        return run.seed

    def close(self, epoch: Epoch) -> EpochClosed:
        """Closes an epoch whose rooms are all over, which reveals its seeds; returns what the log must say."""
        had_unrated = bool(epoch.unrated)
        rated, unrated = (self._close(epoch.number, rated) for rated in (True, False))
        return EpochClosed(epoch.number, rated, unrated if had_unrated else "")

    def settle(self) -> None:
        """Returns once everything that was taken is stored, however long a database is gone."""
        for run in self._runs.values():
            run.settle()

    def release(self) -> None:
        """Lets go of all runs."""
        for run in self._runs.values():
            run.close()
        self._runs.clear()

    def _make(self, epoch: int, rated: bool) -> EpochRun:
        place = self._folder.epoch(epoch, rated=rated)
        contest = self._folder.storage.contest_of(self._name, epoch_name(epoch, rated=rated))
        run = EpochRun.create(place, contest, self._terms, self._patience)
        self._runs[epoch, rated] = run
        return run

    def _close(self, epoch: int, rated: bool) -> str:
        run = self._runs.pop((epoch, rated))
        try:
            run.close_epoch()
            return run.manifest.digest or ""
        finally:
            run.close()


@contextmanager
def open_epochs(folder: LadderFolder, name: str, terms: Terms, patience: Waiting | None = None) -> Iterator[OpenEpochs]:
    """Yields the epochs of a ladder, and lets go of their runs at the end."""
    epochs = OpenEpochs(folder, name, terms, patience)
    try:
        yield epochs
    finally:
        epochs.release()
