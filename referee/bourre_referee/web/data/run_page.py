"""The data of a run that all pages share, for the matches finished so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import DiscardedMatch, StoredMatch, StoredSeat
from bourre_referee.ratings import Rating
from bourre_referee.ratings.in_order import rate_by_match
from bourre_referee.statistics.neighbours import undecided_lines
from bourre_referee.statistics.ranking import standings
from bourre_referee.statistics.standing import Standings
from bourre_referee.statistics.tally import tally_of
from bourre_referee.storage.manifest import Manifest
from bourre_referee.storage.run_folder import RunFolder, seed_in_words, trusted_lines
from bourre_referee.storage.run_layout import Layout
from bourre_referee.storage.void_match import replayed_lines
from bourre_referee.text.amounts import in_chips


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A finished match as one line of a list, without its deals."""

    match: str
    attempt: int
    isolation: str
    sha256: str
    """The hash of its record, in hexadecimal."""
    seats: tuple[StoredSeat, ...]
    timings: tuple[SeatTiming, ...]
    """How each seat used its time."""
    voids: tuple[DiscardedMatch, ...]
    """Its discarded attempts, without their records."""
    unit: int
    """The parts per chip in which its seats' chips are counted."""

    @property
    def reneges(self) -> int:
        """Return the reneges of all its seats."""
        return sum(seat.reneges for seat in self.seats)

    @property
    def faults(self) -> int:
        """Return the faults of all its seats."""
        return sum(seat.faults for seat in self.seats)

    def chips(self, seat: StoredSeat) -> float:
        """Return the chips that one of its seats won or lost."""
        return in_chips(seat.chips, self.unit)

    @property
    def seats_by_rank(self) -> list[StoredSeat]:
        """Return its seats, best first."""
        return sorted(self.seats, key=lambda seat: seat.rank)


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A bot's rating after one of its matches."""

    match: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class RunData:
    """A run, finished or not."""

    standings: Standings
    """The standings, as in `bourre standings`."""
    bots: tuple[str, ...]
    numbers: Mapping[str, int]
    """The numbers of the bots, starting at 1, used in the addresses of their pages."""
    matches: tuple[MatchLine, ...]
    """The finished matches, in schedule order."""
    results: tuple[MatchResult, ...]
    """The results of the same matches."""
    rating_histories: Mapping[str, tuple[RatingPoint, ...]]
    """Each bot's rating after each of its matches."""
    total: int
    """The number of matches in the whole contest."""
    deals: int
    """The number of deals in each match."""
    complete: bool
    """Whether all matches have been played, so that there is a digest."""
    seed: str
    """What is public about the seed, in words; never a seed that is still secret."""
    undecided: tuple[str, ...]
    """How much more play would separate neighbours in the ranking: a sentence, then lines."""
    voids: tuple[DiscardedMatch, ...]
    """The discarded matches, without their records."""
    void_lines: tuple[str, ...]
    """Sentences about the discarded matches."""
    trusted_lines: tuple[str, ...]
    """A sentence about bots whose authors could see every hand of a deal."""

    @property
    def contest(self) -> str:
        """Return the name of the contest."""
        return self.standings.contest

    @property
    def duplicate(self) -> bool:
        """Return whether every deal is played in all seatings."""
        return self.standings.format == "duplicate"


def read_run(run: RunFolder) -> RunData:
    """Read the run as it is now; raises ContestError if it is damaged. Reopen the folder for a newer state."""
    try:
        return _read(run)
    except ValueError as error:
        raise ContestError(f"{run.path}: {error}; `bourre verify` says more") from error


def _read(run: RunFolder) -> RunData:
    stored = {match.match: replace(match, record=None) for match in _stored_matches(run)}
    # Between two reads of an unfinished run, a match may be added or voided.
    results = [result for result in (run.results() if stored else []) if result.match in stored]
    voids = tuple(replace(void, record=None) for void in run.voids())
    manifest = run.manifest
    table = standings(manifest.contest, manifest.terms.format, manifest.digest or "", results, run.bots)
    return RunData(
        standings=table,
        bots=run.bots,
        numbers={bot: number for number, bot in enumerate(run.bots, start=1)},
        matches=tuple(_line(stored[result.match], voids) for result in results),
        results=tuple(results),
        rating_histories=rating_histories(results, run.bots),
        total=manifest.matches,
        deals=manifest.terms.deals,
        complete=manifest.complete,
        seed=_seed(manifest),
        undecided=tuple(_undecided(results, table)),
        voids=voids,
        void_lines=tuple(replayed_lines(voids, [result.match for result in results])),
        trusted_lines=tuple(trusted_lines(manifest.trusted)),
    )


def _stored_matches(run: RunFolder) -> Iterable[StoredMatch]:
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
    return undecided_lines(tally_of(results), table.rows)


def rating_histories(results: Sequence[MatchResult], bots: Sequence[str]) -> Mapping[str, tuple[RatingPoint, ...]]:
    """Return each bot's ratings after each of its own matches, in schedule order: the `one_pass` rows of an export.

    The standings rate all matches at once, so their ratings may differ from the last of these. Raises ValueError for a
    bot that is not in `bots`.
    """
    histories: dict[str, list[RatingPoint]] = {bot: [] for bot in bots}
    for match, ratings in rate_by_match(results, bots):
        for bot, rating in ratings.items():
            histories[bot].append(RatingPoint(match.match, rating))
    return {bot: tuple(points) for bot, points in histories.items()}
