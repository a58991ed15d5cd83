"""The data of a run that all pages share, as far as the run has come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import DiscardedMatch, StoredMatch, StoredSeat
from bourre_referee.statistics.neighbours import undecided_lines
from bourre_referee.statistics.ranking import standings
from bourre_referee.statistics.standing import Standings
from bourre_referee.storage.manifest import Manifest
from bourre_referee.storage.run_folder import RunFolder, seed_in_words, trusted_lines
from bourre_referee.storage.run_layout import Layout
from bourre_referee.storage.void_match import replayed_lines
from bourre_referee.text.amounts import in_chips
from bourre_referee.web.data.rating_history import RatingPoint, rating_courses


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A finished match, without what happened in it."""

    match: str
    attempt: int
    isolation: str
    sha256: str
    """The hash of its record, in hexadecimal."""
    seats: tuple[StoredSeat, ...]
    timings: tuple[SeatTiming, ...]
    """By seat."""
    voids: tuple[DiscardedMatch, ...]
    """Its discarded attempts, without their records."""
    unit: int
    """How many parts a chip has, in which the chips of its seats are counted."""

    @property
    def reneges(self) -> int:
        """Of all its seats."""
        return sum(seat.reneges for seat in self.seats)

    @property
    def faults(self) -> int:
        """Of all its seats."""
        return sum(seat.faults for seat in self.seats)

    def chips(self, seat: StoredSeat) -> float:
        """Return the chips that one of its seats won or lost."""
        return in_chips(seat.chips, self.unit)

    @property
    def ranked(self) -> list[StoredSeat]:
        """Its seats, best first."""
        return sorted(self.seats, key=lambda seat: seat.rank)


@dataclass(frozen=True, slots=True)
class RunData:
    """A run, finished or not."""

    standings: Standings
    """The standings, as in `bourre standings`."""
    bots: tuple[str, ...]
    numbers: Mapping[str, int]
    """Of the bots, from 1, by which their pages are found."""
    matches: tuple[MatchLine, ...]
    """The finished ones, in schedule order."""
    results: tuple[MatchResult, ...]
    """Of the same."""
    courses: Mapping[str, tuple[RatingPoint, ...]]
    """The rating of every bot after each of its matches."""
    total: int
    """How many matches the whole contest has."""
    deals: int
    """Of each match."""
    complete: bool
    """Whether all matches are played, so that there is a digest."""
    seed: str
    """What is public about the seed, in words; never a seed that is still secret."""
    undecided: tuple[str, ...]
    """How much more play separates neighbours: a sentence, then lines."""
    voids: tuple[DiscardedMatch, ...]
    """The discarded matches, without their records."""
    void_lines: tuple[str, ...]
    """Sentences about them."""
    trusted_lines: tuple[str, ...]
    """A sentence about bots whose authors could see every hand of a deal."""

    @property
    def contest(self) -> str:
        """Its name."""
        return self.standings.contest

    @property
    def duplicate(self) -> bool:
        """Whether every deal is played in all seatings."""
        return self.standings.format == "duplicate"


def read_run(run: RunFolder) -> RunData:
    """Read the run as it is now; raises ContestError if it is damaged. Open the folder again for newer states."""
    try:
        return _read(run)
    except ValueError as error:
        raise ContestError(f"{run.path}: {error}; `bourre verify` says more") from error


def _read(run: RunFolder) -> RunData:
    known = {match.match: replace(match, record=None) for match in _kept(run)}
    # Between two reads of an unfinished run, a match may be added or voided.
    results = [result for result in (run.results() if known else []) if result.match in known]
    voids = tuple(replace(void, record=None) for void in run.voids())
    manifest = run.manifest
    table = standings(manifest.contest, manifest.terms.format, manifest.digest or "", results, run.bots)
    return RunData(
        standings=table,
        bots=run.bots,
        numbers={bot: number for number, bot in enumerate(run.bots, start=1)},
        matches=tuple(_line(known[result.match], voids) for result in results),
        results=tuple(results),
        courses=rating_courses(results, run.bots),
        total=manifest.matches,
        deals=manifest.terms.deals,
        complete=manifest.complete,
        seed=_seed(manifest),
        undecided=tuple(_undecided(results, table)),
        voids=voids,
        void_lines=tuple(replayed_lines(voids, [result.match for result in results])),
        trusted_lines=tuple(trusted_lines(manifest.trusted)),
    )


def _kept(run: RunFolder) -> Iterable[StoredMatch]:
    layout = Layout(run.path)
    begun = layout.database.exists() or (run.path / "matches.jsonl").exists()
    return run.stored_matches() if begun else ()


def _line(match: StoredMatch, voids: Sequence[DiscardedMatch]) -> MatchLine:
    return MatchLine(
        match=match.match,
        attempt=match.attempt,
        isolation=match.isolation,
        sha256=match.sha256.hex(),
        seats=match.seats,
        timings=match.timings,
        voids=tuple(void for void in voids if void.match == match.match),
        unit=match.unit,
    )


def _seed(manifest: Manifest) -> str:
    return seed_in_words(manifest.terms.seed, manifest.seed)


def _undecided(results: Sequence[MatchResult], table: Standings) -> list[str]:
    return undecided_lines(results, table.rows) if results else []
