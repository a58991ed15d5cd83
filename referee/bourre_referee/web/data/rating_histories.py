"""Each bot's rating after each of its matches, in little memory. For large runs, a separate process computes them."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from bourre.rules.errors import BourreError
from bourre_referee.derived.ratings_cache import digest_of
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating
from bourre_referee.ratings.batch import FIELD_MODEL_SINCE, VERSION
from bourre_referee.ratings.belief import NO_ANCHORS, Anchors, choose_draw_probability
from bourre_referee.ratings.in_order import SequentialRatings
from bourre_referee.storage.database.match_reader import Span
from bourre_referee.storage.files.process_pool import compute_in_process
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import RunLocation


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A bot's rating after one of its matches."""

    match: str
    rating: Rating


@dataclass(slots=True)
class _Points:
    """The points of one bot, stored compactly, because objects of all points would take far more memory."""

    matches: list[str] = field(default_factory=list)
    mu: array[float] = field(default_factory=lambda: array("d"))
    sigma: array[float] = field(default_factory=lambda: array("d"))

    def append(self, match: str, rating: Rating) -> None:
        self.matches.append(match)
        self.mu.append(rating.mu)
        self.sigma.append(rating.sigma)


class RatingHistory(Sequence[RatingPoint]):
    """The points of a bot up to its creation, without later ones."""

    def __init__(self, points: _Points) -> None:
        self._points = points
        self._length = len(points.matches)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> RatingPoint: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[RatingPoint, ...]: ...
    def __getitem__(self, place: int | slice) -> RatingPoint | tuple[RatingPoint, ...]:
        places = range(self._length)[place]
        return self._point(places) if isinstance(places, int) else tuple(map(self._point, places))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RatingHistory) and self[:] == other[:]

    __hash__ = None  # type: ignore[assignment]

    def _point(self, place: int) -> RatingPoint:
        points = self._points
        return RatingPoint(points.matches[place], Rating(points.mu[place], points.sigma[place]))


class RatingHistories:
    """Each bot's rating after each of its matches: the `one_pass` rows of an export.

    The probability of ties comes from the matches at the start, and later matches do not change it. The standings rate
    all matches at once, so their ratings may differ from the last of these.
    """

    def __init__(
        self,
        results: Sequence[MatchResult],
        bots: Sequence[str],
        anchors: Anchors = NO_ANCHORS,
        version: int = VERSION,
    ) -> None:
        """Rates these matches in this order, by this version of the method.

        Raises ValueError for a bot or an anchor that is not in `bots`.
        """
        self.began_with = len(results)
        """The number of matches at the start."""
        self.rated = 0
        """The number of rated matches."""
        probability = choose_draw_probability(results, None, version < FIELD_MODEL_SINCE)
        self._ratings = SequentialRatings(bots, probability, anchors=anchors, version=version)
        self._points = {bot: _Points() for bot in bots}
        for match in results:
            self.add(match)

    def add(self, match: MatchResult) -> None:
        """Rates one more match."""
        self.rated += 1
        for bot, rating in self._ratings.add(match).items():
            self._points[bot].append(match.match, rating)

    def points(self) -> Mapping[str, RatingHistory]:
        """The histories so far."""
        return {bot: RatingHistory(points) for bot, points in self._points.items()}


@dataclass(frozen=True, slots=True)
class RatedMatches:
    """The matches of a run to rate."""

    place: RunLocation
    bots: Sequence[str]
    anchors: Anchors
    version: int
    """The version of the rating method with which the run began."""
    spans: Sequence[Span]
    """Their numbers."""
    digest: str
    """The digest of their facts."""


def rate_in_process(matches: RatedMatches) -> RatingHistories | None:
    """Rates them in a separate process, which reads the run itself, while the threads of this one go on.

    None if the matches have changed, or if the process cannot read them or dies.
    """
    try:
        return compute_in_process(_rate, matches)
    except ContestError:
        return None


def _rate(matches: RatedMatches) -> RatingHistories | None:
    try:
        found = Run.open(matches.place).new_matches(()) or []
    except BourreError:
        return None  # the caller reads the run too, and reports the error
    wanted = {number for first, last in matches.spans for number in range(first, last + 1)}
    known = [match for match in found if match.stored.number in wanted]
    if digest_of({match.stored.number: match.facts for match in known}) != matches.digest:
        return None
    return RatingHistories([match.result for match in known], matches.bots, matches.anchors, matches.version)
