"""The run of an epoch, which grows with each room. The log has the pairings, and the run has the matches."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime

from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.contest.stages import match_id, match_number
from bourre_referee.derived.run_standings import standings_file
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.database.store_reader import StoreReader
from bourre_referee.storage.files.waiting import Waiting
from bourre_referee.storage.run.manifest import Manifest, Terms
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.storage.run.run_writer import RunWriter, begin_run
from bourre_referee.storage.run.seed_commitment import commitment


class EpochRun:
    """A run that grows with each room. Until `close`, no other process can write to it.

    Each room needs one write of the manifest at its start, and one transaction at its end. Every method raises
    ContestError if the run is damaged or cannot be written.
    """

    def __init__(self, place: RunLocation, manifest: Manifest, master: bytes, held: ExitStack) -> None:
        """Callers use `create` or `open` instead, which lock the place."""
        self.seed = master
        """The epoch's seed, 32 bytes: secret while it is open."""
        self._place = place
        self._held = held
        self._store: StoreReader = _open_store(place, manifest)
        held.callback(lambda: self._store.close())
        self._writer = RunWriter(place, self._store, manifest)
        self._list_rooms()
        self._check_stored()

    @classmethod
    def create(cls, place: RunLocation, name: str, terms: Terms, patience: Waiting | None = None) -> EpochRun:
        """Begins an epoch in a new place, with a secret seed. `patience` is as in `RunLocation.hold`.

        If the place has an epoch with these terms and without rooms, opens it: its host was stopped before it could log
        the epoch.
        """
        place.make()
        with ExitStack() as held:
            led = held.enter_context(place.hold(patience))
            known = led.read_manifest() if led.has_manifest() else None
            if known and (known.added or known.contest != name or known.terms != terms):
                raise ContestError(f"{place} already contains another epoch.\nhint: rename that folder")
            master = led.draw_seed(None)
            manifest = known or begin_run(name, terms, master, 0, datetime.now(UTC))
            if known is None:
                led.write_manifest(manifest)
            return cls(led, manifest, master, held)._keep(held)

    @classmethod
    def open(cls, place: RunLocation, patience: Waiting | None = None) -> EpochRun:
        """Opens an epoch, closed or not, and completes the writes of a killed process."""
        with ExitStack() as held:
            place.read_manifest()  # first, because the lock would create a file in a folder that is not a run
            led = held.enter_context(place.hold(patience))
            manifest = led.read_manifest()
            if not manifest.is_epoch:
                raise ContestError(
                    f"{place} contains a run that is not an epoch of a ladder.\nhint: use the folder of an epoch"
                )
            epoch = cls(led, manifest, _read_master(led, manifest), held)
            epoch._go_on()
            return epoch._keep(held)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, in hexadecimal."""
        return self.manifest.seed.commitment

    @property
    def is_closed(self) -> bool:
        """Whether its standings are written and its seed is revealed."""
        return self.manifest.complete

    def has_called(self, line_ups: Sequence[tuple[str, ...]]) -> bool:
        """Whether it lists exactly these rooms."""
        return tuple(line_ups) == self._line_ups

    @property
    def manifest(self) -> Manifest:
        """The manifest as last written. The matches may be ahead of it."""
        return self._writer.manifest

    def call(self, line_ups: Sequence[tuple[str, ...]]) -> None:
        """Writes exactly these rooms, with the entrants by seat, into the manifest. They include the listed ones."""
        self._check_open()
        if tuple(line_ups[: len(self._line_ups)]) != self._line_ups:
            raise ContestError(
                f"{self._place.manifest} and the ladder's log list different rooms.\nhint: restore both from one backup"
            )
        if len(line_ups) > len(self._line_ups):
            rooms = ScheduleChoice("called", line_ups=tuple(line_ups))
            self._writer.save(added=(rooms,), matches=len(line_ups) - len(self.given_up()))
            self._list_rooms()

    def spec(self, number: int) -> MatchSpec:
        """Returns the match of the room with this number, starting at 1. Raises IndexError if there is none."""
        terms = self.manifest.terms
        line_up = self._line_up(number)
        return self._stages[0].match(number, line_up, terms.rules, terms.deals, self.seed)

    def attempts(self, number: int) -> int:
        """Counts the failed attempts at a room."""
        return self._writer.lost[match_id(number)]

    def finished(self) -> frozenset[int]:
        """Returns the numbers of the stored rooms."""
        return frozenset(map(match_number, self._writer.finished))

    def given_up(self) -> frozenset[int]:
        """Returns the numbers of the rooms that will never be played."""
        return frozenset(self.manifest.given_up)

    def take(self, outcome: MatchOutcome) -> None:
        """Stores a finished match. It is safe once `settle` returns."""
        self._check_open()
        self._line_up(match_number(outcome.result.match))
        self._writer.add(outcome)

    def settle(self) -> None:
        """Returns once everything is stored. A database that is gone gets it later."""
        self._store.settle()

    def lose(self, number: int, reason: str) -> None:
        """Stores a failed attempt at a room."""
        self._writer.lose([match_id(number)], reason)

    def give_up(self, number: int) -> None:
        """Marks an unfinished room that will never be played."""
        self._check_open()
        if number in self.given_up():
            return
        self._line_up(number)
        if match_id(number) in self._writer.finished:
            raise ContestError(f"{self._place}: {match_id(number)} is finished, so it cannot be given up")
        given_up = tuple(sorted({*self.given_up(), number}))
        self._writer.save(given_up=given_up, matches=len(self._line_ups) - len(given_up))

    def results(self) -> list[MatchResult]:
        """Reads the results of the finished matches, in order."""
        return self._store.results()

    def close_epoch(self) -> None:
        """Writes standings and digest and reveals the seed, once every room is stored or given up."""
        if not self.is_closed:
            if left := self._unfinished():
                raise ContestError(f"{self._place}: {match_id(left[0])} is not finished yet")
            self._writer.finish(standings_file, self.seed)
        self._seal()

    def close(self) -> None:
        """Closes the database, and lets another process open the epoch."""
        self._held.close()

    def _keep(self, held: ExitStack) -> EpochRun:
        """Keeps the place locked beyond the block that opened it."""
        self._held = held.pop_all()
        return self

    def _list_rooms(self) -> None:
        self._stages = self.manifest.stages
        self._line_ups = tuple(room for pairing in self.manifest.added for room in pairing.line_ups or ())

    def _line_up(self, number: int) -> tuple[str, ...]:
        if not 1 <= number <= len(self._line_ups):
            raise IndexError(f"{match_id(number)}: {len(self._line_ups)} rooms were called")
        return self._line_ups[number - 1]

    def _unfinished(self) -> list[int]:
        places = range(1, len(self._line_ups) + 1)
        done = self.finished() | self.given_up()
        return [number for number in places if number not in done]

    def _check_stored(self) -> None:
        for match in self._writer.finished:
            if not 1 <= match_number(match) <= len(self._line_ups):
                text = f"{match!r} is stored, but manifest.json lists {len(self._line_ups)} rooms"
                raise ContestError(f"{self._place.database}: {text}.\nhint: restore both from one backup")
        if self.is_closed and (left := self._unfinished()):
            text = f"{match_id(left[0])} is missing, and manifest.json says that all matches are finished"
            raise ContestError(f"{self._place.database}: {text}.\nhint: restore it from a backup")

    def _check_open(self) -> None:
        if self.is_closed:
            raise ContestError(f"{self._place}: this epoch is closed: rooms belong to a later one")

    def _go_on(self) -> None:
        """Logs that another process continues the run, or finishes closing the epoch."""
        if self.is_closed:
            self._seal()
            return
        self._writer.log("continued")

    def _seal(self) -> None:
        self._writer.seal()
        self._store = self._place.open_store(None)


def _open_store(place: RunLocation, manifest: Manifest) -> Store:
    if place.has_store():
        return place.open_to_write(manifest.seed.commitment)
    if manifest.finished:
        raise ContestError(f"{place.database} is missing, but the manifest lists {manifest.finished} finished matches.")
    return place.create_store(manifest.contest, manifest.seed.commitment)


def _read_master(place: RunLocation, manifest: Manifest) -> bytes:
    revealed = manifest.seed.revealed
    if not revealed and not place.has_seed():
        raise ContestError(f"{place.seed}, the secret seed of this epoch, is missing.\nhint: restore it from a backup")
    master = bytes.fromhex(revealed) if revealed else place.draw_seed(None)
    if commitment(master) != manifest.seed.commitment:
        named = place.manifest if revealed else place.seed
        raise ContestError(f"{named} is not the seed of this epoch.\nhint: restore it from a backup")
    return master
