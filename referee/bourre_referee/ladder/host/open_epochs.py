"""The runs of the open epochs: usually one epoch, sometimes two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from bourre.rules.actions import Fault
from bourre_referee.ladder.board.benching import RatedGame
from bourre_referee.ladder.host.epoch_run import EpochRun
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import EpochClosed, EpochOpened, RoomFinished, RoomVoided
from bourre_referee.ladder.log.seasons import Epoch, Place, epoch_name
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import SeatFault
from bourre_referee.ratings.batch import FIELD_MODEL_SINCE
from bourre_referee.storage.database.match_reader import ReadMatch
from bourre_referee.storage.files.waiting import AT_ONCE, Waiting, until_back
from bourre_referee.storage.run.manifest import Terms
from bourre_referee.storage.run.run import Run

T = TypeVar("T")


class GameReader:
    """Reads new games of an epoch in one go, and drops each game after returning it."""

    def __init__(self, ladder: LadderFolder, patience: Waiting = AT_ONCE) -> None:
        """`patience` waits for a database that is gone."""
        self._ladder = ladder
        self._patience = patience
        self._read: dict[int, set[int]] = {}
        """The numbers of the matches read, by epoch."""
        self._found: dict[Place, ReadMatch] = {}
        """The matches read but not returned yet."""
        self._with_stand_ins: dict[int, bool] = {}
        """Whether the play of stand-ins rates bots, by epoch."""

    def read(self, room: int, place: Place) -> RatedGame:
        """Returns the game of a rated room. Raises ContestError if it is not stored, or if its folder is damaged."""
        if place not in self._found:
            self._look(place)
        if place not in self._found:
            run = self._ladder.epoch(place.epoch, rated=True)
            raise ContestError(
                f"{run}: room {room} is finished, but its match is missing.\nhint: restore the folder from a backup"
            )
        found = self._found.pop(place)
        return RatedGame(room, found.result, _faults(found), self._with_stand_ins[place.epoch])

    def _look(self, wanted: Place) -> None:
        """Reads the new games of the wanted game's epoch, and the wanted game even if it was returned before."""
        epoch = wanted.epoch
        known = self._read.setdefault(epoch, set())
        known.discard(wanted.match)
        place = self._ladder.epoch(epoch, rated=True)

        def look() -> tuple[bool, list[ReadMatch] | None]:
            run = Run.open(place)
            return run.manifest.rating_version < FIELD_MODEL_SINCE, run.new_matches(sorted(known))

        self._with_stand_ins[epoch], found = until_back(self._patience, look)
        for match in found or ():
            known.add(match.stored.number)
            self._found[Place(epoch, rated=True, match=match.stored.number)] = match


def _faults(match: ReadMatch) -> tuple[SeatFault, ...]:
    return tuple(
        SeatFault(seat, Fault(kind), times)
        for seat, row in enumerate(match.stored.seats)
        for kind, times in row.faults_by_kind
    )


_Series = tuple[int, bool]
"""An epoch's number, and whether this is its rated series."""


class OpenEpochs:
    """Makes, opens and closes the runs of a ladder, following its log."""

    def __init__(self, folder: LadderFolder, name: str, terms: Terms, patience: Waiting | None = None) -> None:
        """`patience` waits for a database that is gone, and for a host that led before."""
        self._folder = folder
        self._name = name
        self._terms = terms
        self._patience = patience
        self._runs: dict[_Series, EpochRun] = {}

    def opened(self, epoch: int) -> EpochOpened:
        """Draws the seeds of a new epoch, and returns the log event for its opening."""
        rated, unrated = (self._make(epoch, rated) for rated in (True, False))
        return EpochOpened(epoch, rated.commitment, unrated.commitment)

    def resume(self, epoch: Epoch) -> None:
        """Opens the runs of an open epoch of the log, and lists its rooms in them.

        Raises ContestError if their seeds differ from the log's commitments.
        """
        for rated, known in ((True, epoch.opened.commitment), (False, epoch.opened.unrated_commitment)):
            place = self._folder.epoch(epoch.number, rated=rated)
            run = self._again(partial(EpochRun.open, place, self._patience))
            self._runs[epoch.number, rated] = run
            if run.commitment != known:
                raise ContestError(
                    f"{place}: its seed differs from the log's commitment.\nhint: restore the folder from a backup"
                )
        self.list_rooms(epoch)

    def list_rooms(self, epoch: Epoch) -> None:
        """Lists the log's rooms of this epoch in the runs."""
        for rated, line_ups in ((True, epoch.rated), (False, epoch.unrated)):
            run = self._runs[epoch.number, rated]
            if not run.is_closed:
                run.call(line_ups)

    def at(self, place: Place) -> EpochRun:
        """Returns the run of a room."""
        return self._runs[place.epoch, place.rated]

    def end_of(self, number: int, place: Place, reason: str) -> RoomFinished | RoomVoided | None:
        """Returns the stored end of a room that the log lacks. `reason` is for a void room."""
        run = self.at(place)
        if place.match in run.finished():
            return RoomFinished(number, games=1)
        return RoomVoided(number, reason) if place.match in run.given_up() else None

    def is_over(self, epoch: Epoch) -> bool:
        """Whether all rooms of an epoch are over, and its seed is revealed.

        Then its host was killed before it logged the end, and the next epoch can open. If the runs and the log have
        different rooms, or if the next epoch has rooms, the log is an old copy.
        """
        rated, unrated = self._runs[epoch.number, True], self._runs[epoch.number, False]
        if not (rated.is_closed and rated.has_called(epoch.rated) and unrated.has_called(epoch.unrated)):
            return False
        later = self._folder.epoch(epoch.number + 1, rated=True)
        return not self._again(lambda: later.has_manifest() and later.read_manifest().added)

    def seed(self, epoch: int) -> bytes:
        """Returns the seed for the pairings of an open epoch. Raises ContestError if it is revealed."""
        run = self._runs[epoch, True]
        if run.is_closed:
            place = self._folder.epoch(epoch, rated=True)
            raise ContestError(
                f"{place}: its seed is revealed, but the epoch goes on in the log.\nhint: run bourre ladder restore"
            )
        return run.seed

    def close(self, epoch: Epoch) -> EpochClosed:
        """Closes an epoch whose rooms are all over, which reveals its seeds. Returns the log event."""
        had_unrated = bool(epoch.unrated)
        rated, unrated = (self._close(epoch.number, rated) for rated in (True, False))
        return EpochClosed(epoch.number, rated, unrated if had_unrated else "")

    def settle(self) -> None:
        """Returns once everything is stored, even if a database is gone for a long time."""
        for run in self._runs.values():
            run.settle()

    def release(self) -> None:
        """Closes all runs."""
        for run in self._runs.values():
            run.close()
        self._runs.clear()

    def _make(self, epoch: int, rated: bool) -> EpochRun:
        place = self._folder.epoch(epoch, rated=rated)
        contest = self._folder.storage.contest_of(self._name, epoch_name(epoch, rated=rated))
        run = self._again(lambda: EpochRun.create(place, contest, self._terms, self._patience))
        self._runs[epoch, rated] = run
        return run

    def _again(self, work: Callable[[], T]) -> T:
        """Does the work, again if a database was gone meanwhile: each work here completes what a try before began."""
        return until_back(self._patience or AT_ONCE, work)

    def _close(self, epoch: int, rated: bool) -> str:
        run = self._runs.pop((epoch, rated))
        try:
            self._again(run.close_epoch)
            return run.manifest.digest or ""
        finally:
            run.close()


@contextmanager
def open_epochs(folder: LadderFolder, name: str, terms: Terms, patience: Waiting | None = None) -> Iterator[OpenEpochs]:
    """Yields the epochs of a ladder, and closes their runs at the end."""
    epochs = OpenEpochs(folder, name, terms, patience)
    try:
        yield epochs
    finally:
        epochs.release()
