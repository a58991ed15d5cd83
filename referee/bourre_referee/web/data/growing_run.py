"""A run as it grows: it adds new matches, and does not read old ones again."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bourre_referee.derived.ratings_cache import RatedRun, digest_of
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import DiscardedMatch, StoredMatch, StoredSeat
from bourre_referee.ratings import Rating
from bourre_referee.ratings.belief import NO_ANCHORS, Anchors
from bourre_referee.statistics.match_sums import Tally
from bourre_referee.storage.database.match_reader import ReadMatch, spans_of
from bourre_referee.storage.run.run import Run
from bourre_referee.text.amounts import in_chips
from bourre_referee.web.data.chip_curve import ChipCurve
from bourre_referee.web.data.rating_histories import RatedMatches, RatingHistories

Voids = Mapping[str, tuple[DiscardedMatch, ...]]
"""The discarded attempts by match, without their records."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A finished match as one line of a list, without its deals."""

    match: str
    attempt: int
    isolation: str
    sha256: str
    """The hash of its record, in hexadecimal."""
    seats: tuple[StoredSeat, ...]
    timings: tuple[SeatTiming, ...]
    """The times of each seat."""
    voids: tuple[DiscardedMatch, ...]
    """Its discarded attempts, without their records."""
    unit: int
    """The parts of a chip that its seats count."""

    @property
    def reneges(self) -> int:
        """The reneges of all its seats."""
        return sum(seat.reneges for seat in self.seats)

    @property
    def faults(self) -> int:
        """The faults of all its seats."""
        return sum(seat.faults for seat in self.seats)

    def chips(self, seat: StoredSeat) -> float:
        """Returns the chips that one of its seats won or lost."""
        return in_chips(seat.chips, self.unit)

    @property
    def margin(self) -> float:
        """The chips between the first bot and the second."""
        first, second, *_ = self.seats_by_rank
        return self.chips(first) - self.chips(second)

    @property
    def seats_by_rank(self) -> list[StoredSeat]:
        """Returns its seats, best first."""
        return sorted(self.seats, key=lambda seat: seat.rank)


class GrowingRun:
    """The matches of a run so far, in schedule order, with their sums and ratings."""

    def __init__(self, bots: Sequence[str], anchors: Anchors = NO_ANCHORS) -> None:
        self.bots = bots
        self.anchors = anchors
        self.numbers: list[int] = []
        self.lines: list[MatchSummary] = []
        self.results: list[MatchResult] = []
        self.tally = Tally()
        self.course = ChipCurve()
        """The estimates over time, of the matches added since this was begun."""
        self.ratings: Mapping[str, Rating] = dict.fromkeys(bots, Rating()) | dict(anchors)
        self.rated = 0
        """The number of matches in `ratings`."""
        self.histories: RatingHistories | None = None
        """None until they have been made."""
        self.facts: dict[int, bytes] = {}
        """The hash of the facts of each match, by its number."""
        self.whole = True
        """Whether `lines` and `results` have all matches. Otherwise only the sums and ratings have them."""
        self._voids: dict[str, tuple[DiscardedMatch, ...]] = {}

    @classmethod
    def resume(cls, run: Run, rated: RatedRun) -> GrowingRun:
        """Begins with kept sums and ratings, without the matches themselves."""
        growing = cls(run.bots, run.manifest.anchors)
        growing.numbers, growing.facts = sorted(rated.facts), {**rated.facts}
        growing.tally, growing.ratings, growing.rated = rated.tally, rated.ratings, rated.rated
        growing.whole = False
        return growing

    def rated_run(self) -> RatedRun:
        """Returns the sums and ratings, to be kept."""
        return RatedRun(self.facts, self.tally, self.ratings, self.rated)

    def find_new(self, run: Run, voids: Voids) -> list[ReadMatch] | None:
        """Reads the new matches. None if others have changed since they were added."""
        rated_as_before = run.bots == self.bots and run.manifest.anchors == self.anchors
        if not rated_as_before or any(self._voids.get(match, now) != now for match, now in voids.items()):
            return None
        return run.new_matches(self.numbers) if self.numbers or has_begun(run) else []

    def take(self, matches: Iterable[ReadMatch], voids: Voids) -> None:
        """Adds matches, and rates those that come after the histories were made."""
        for match in matches:
            number = match.stored.number
            place = bisect(self.numbers, number)
            discarded = self._voids[match.stored.match] = voids.get(match.stored.match, ())
            self.numbers.insert(place, number)
            self.facts[number] = match.facts
            self.tally.add(match.result, number)
            if self.whole:
                self.course.note(self.tally)
                self.lines.insert(place, _line(match.stored, discarded))
                self.results.insert(place, match.result)
            if self.histories:
                self.histories.add(match.result)

    def to_be_rated(self, run: Run) -> RatedMatches:
        """Returns the matches of this run for the histories: all so far."""
        return RatedMatches(
            run.place,
            self.bots,
            self.anchors,
            run.manifest.rating_version,
            spans_of(self.numbers),
            digest_of(self.facts),
        )

    def adopt(self, histories: RatingHistories, known: Iterable[int]) -> None:
        """Uses histories made of the matches with the `known` numbers, and rates the others."""
        rated = {*known}
        for number, result in zip(self.numbers, self.results, strict=True):
            if number not in rated:
                histories.add(result)
        self.histories = histories


def read_all(run: Run, voids: Voids) -> GrowingRun:
    """Reads all finished matches of a run, without rating them. Raises ContestError if it is damaged."""
    growing = GrowingRun(run.bots, run.manifest.anchors)
    growing.take(growing.find_new(run, voids) or (), voids)
    return growing


def has_begun(run: Run) -> bool:
    """Returns whether the run has a database. An error from reading it tells an export from a run."""
    folder = run.place.folder
    return run.place.has_store() or (folder is not None and (folder / "matches.jsonl").exists())


def group_voids(voids: Iterable[DiscardedMatch]) -> Voids:
    """Groups discarded attempts by match."""
    grouped: dict[str, tuple[DiscardedMatch, ...]] = {}
    for void in voids:
        grouped[void.match] = (*grouped.get(void.match, ()), void)
    return grouped


def _line(match: StoredMatch, voids: tuple[DiscardedMatch, ...]) -> MatchSummary:
    return MatchSummary(
        match=match.match,
        attempt=match.attempt,
        isolation=match.isolation,
        sha256=match.sha256.hex(),
        seats=match.seats,
        timings=match.timings,
        voids=voids,
        unit=match.unit,
    )
