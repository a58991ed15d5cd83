"""Checks one epoch of a ladder: its two runs, and that they agree with the rooms in the log."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from bourre_referee.contest.stages import match_id, match_number
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.seasons import epoch_name
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.ladder_log import LoggedEpoch, LoggedRooms
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import Advance, VerifiedRun, verify


@dataclass(frozen=True, slots=True)
class VerifiedEpoch:
    """An epoch without differences, as far as it can be checked."""

    number: int
    rated: VerifiedRun
    unrated: VerifiedRun
    rooms: int
    """How many rooms the log called in this epoch."""
    challenges: int
    """How many of these rooms an owner requested, so that they were not paired."""
    taken_back: Mapping[str, str]
    """By match, the reason why the host annulled it. The board does not count it."""
    terms: Mapping[str, str]
    """The ladder's terms at the start of the epoch, by key. Empty for a log that does not have them."""
    lines: int
    """How many lines of the log were read."""
    head: str
    """The hash of the last line."""
    abandoned: bool
    """Whether the host abandoned it after restoring a backup, so that its later rooms are void."""

    @property
    def paired_again(self) -> bool:
        """Whether its rooms were paired again, which needs its seed."""
        return self.rated.seed_known


@dataclass(frozen=True, slots=True)
class EpochRuns:
    """Both runs of an epoch, without differences."""

    rated: VerifiedRun
    unrated: VerifiedRun

    @classmethod
    def verified(cls, ladder: LadderFolder, number: int, jobs: int | None, advance: Advance) -> EpochRuns:
        """Verifies both runs. Raises Difference if one is missing, although the log opened the epoch."""
        found = []
        for is_rated in (True, False):
            name, place = epoch_name(number, rated=is_rated), ladder.epoch(number, rated=is_rated)
            if not place.has_manifest():
                raise Difference(f"epoch {name} is missing, but the log opened it")
            with naming(f"epoch {name}"):
                found.append(verify(source_of(place), jobs, advance))
        return cls(*found)

    @property
    def seed(self) -> bytes | None:
        """The epoch's seed, once it is revealed."""
        revealed = self.rated.manifest.seed.revealed
        return bytes.fromhex(revealed) if revealed else None

    def check(self, before: LoggedEpoch, after: LoggedEpoch, seats: int) -> None:
        """Compares the runs with the log of the epoch, read before and after them."""
        _check_terms(self.rated, self.unrated, after, seats)
        _RoomCheck("rated", self.rated, before.rated, after.rated).check(after.closed is not None)
        _RoomCheck("unrated", self.unrated, before.unrated, after.unrated).check(after.closed is not None)
        _check_end(self.rated, self.unrated, before, after)

    def followed(self, number: int, logged: LoggedEpoch, lines: int, head: str) -> VerifiedEpoch:
        """Returns the verified epoch with its log, which has this many lines and this head."""
        rooms = len(logged.rated.line_ups) + len(logged.unrated.line_ups)
        taken_back = {match_id(match): reason for match, reason in sorted(logged.rated.taken_back.items())}
        terms = dict(logged.terms.others) if logged.terms else {}
        return VerifiedEpoch(
            number,
            self.rated,
            self.unrated,
            rooms,
            logged.challenges,
            taken_back,
            terms,
            lines,
            head,
            logged.abandoned,
        )


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Puts the name of the place before a difference."""
    try:
        yield
    except Difference as error:
        raise Difference(f"{place}: {error.text}", error.match, error.deal) from error


def _check_terms(rated: VerifiedRun, unrated: VerifiedRun, logged: LoggedEpoch, seats: int) -> None:
    """Checks that both seeds match the log's commitments, and that the tables are those of the ladder."""
    seed, other = rated.manifest.seed, unrated.manifest.seed
    check("the commitment of the rated rooms, compared with the log,", seed.commitment, logged.opened.commitment)
    true = logged.opened.unrated_commitment
    check("the commitment of the unrated rooms, compared with the log,", other.commitment, true)
    if logged.terms:
        for run in (rated, unrated):
            check("the hash of a table's terms, compared with the log,", run.manifest.terms.hash, logged.terms.tables)
    check("the seats at a rated table, compared with the log,", rated.manifest.terms.seats, seats)


@dataclass(frozen=True, slots=True)
class _RoomCheck:
    """Compares the matches of an epoch with the rooms in its log, read before and after them."""

    kind: str
    verified: VerifiedRun
    before: LoggedRooms
    after: LoggedRooms

    def check(self, closed: bool) -> None:
        """Raises the first Difference. `closed` is whether the log, read afterwards, has closed the epoch."""
        self._check_line_ups()
        stored = {match_number(match) for match in self.verified.matches}
        given_up = set(self.verified.manifest.given_up)
        self._check_none(self.before.finished - stored, "the log finished it, but it is not stored")
        self._check_none(given_up - self.after.voided, "it was given up, but it is not void in the log")
        if self.verified.manifest.complete:
            self._check_none(self.after.voided - given_up, "it is void in the log, but it was not given up")
        if closed:
            self._check_none(stored - self.after.finished, "it is stored, but the log never finished it")

    def _check_line_ups(self) -> None:
        manifest, called = self.verified.manifest, self.after.line_ups
        listed = [room for pairing in manifest.added for room in pairing.line_ups or ()]
        for number, (found, true) in enumerate(zip(listed, called, strict=False), start=1):
            check(f"the line-up of this {self.kind} match, compared with the log,", found, true, match_id(number))
        if len(listed) > len(called) or (manifest.complete and len(listed) < len(called)):
            check(f"the number of {self.kind} rooms, compared with the log,", len(listed), len(called))

    def _check_none(self, numbers: Collection[int], text: str) -> None:
        if numbers:
            raise Difference(f"in the {self.kind} rooms: {text}", match_id(min(numbers)))


def _check_end(rated: VerifiedRun, unrated: VerifiedRun, before: LoggedEpoch, after: LoggedEpoch) -> None:
    """Checks that an epoch that the log closed is complete, with the digests in the log."""
    if before.closed and not (rated.manifest.complete and unrated.manifest.complete):
        raise Difference("the log closed the epoch, but it is not complete")
    if after.closed and rated.digest and unrated.digest:
        check("the digest of the rated matches, compared with the log,", rated.digest, after.closed.digest)
        found = unrated.digest if unrated.matches else ""
        check("the digest of the unrated matches, compared with the log,", found, after.closed.unrated_digest)
