"""Keeps the sums and ratings behind the standings of a large run.

A digest binds them to the run's facts. A file for other facts, of another version, or a damaged one is ignored, and
everything is computed again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version

from pydantic import BaseModel, ConfigDict

from bourre_referee.derived.result_cache import ResultCache, database_hash, key_of
from bourre_referee.derived.run_standings import rate_matches
from bourre_referee.ratings import Rating
from bourre_referee.ratings.batch import METHOD
from bourre_referee.statistics.estimates import BlockSums
from bourre_referee.statistics.field_rows import FieldRows
from bourre_referee.statistics.match_sums import BotSums, Pairs, Tally
from bourre_referee.storage.database.match_reader import ReadMatch, Span, spans_of
from bourre_referee.storage.run.run import Run

KIND = "ratings-2"
"""The kind of these results, with the version of the sums. Raise it when their meaning changes."""


@dataclass(frozen=True, slots=True)
class RatedRun:
    """The sums over the matches of a run, and ratings by all or some of these matches, in schedule order."""

    facts: Mapping[int, bytes]
    """The hash of the facts of each match, by its number. Empty if the hash of the whole database was enough."""
    tally: Tally
    ratings: Mapping[str, Rating]
    rated: int
    """How many of the matches the ratings include."""


class _File(BaseModel):
    """The content of a file after its first line, which is the SHA-256 of the rest."""

    model_config = ConfigDict(strict=True, extra="forbid")

    made_by: str
    database: str
    """SHA-256 of the whole database of a finished run, which is quicker to check than its facts. Empty if unknown."""
    facts: str
    numbers: list[tuple[int, int]]
    """Spans of match numbers."""
    rated: int
    ratings: dict[str, tuple[float, float]]
    unit: int
    bots: dict[str, BotSums]
    pairs: list[tuple[str, str, BlockSums]]
    adjusted_pairs: list[tuple[str, str, BlockSums]] | None
    rows: FieldRows


def load_rated(cache: ResultCache, run: Run, whole: bool = False) -> RatedRun | None:
    """Returns the kept sums and ratings of this run, if they still agree with the facts.

    Newer matches may be missing in them, and the ratings may include even fewer. `whole` refuses such results.
    """
    file = _read(cache, run)
    if file is None or file.made_by != _maker(run) or file.ratings.keys() != {*run.bots}:
        return None
    ratings = {bot: Rating(*rating) for bot, rating in file.ratings.items()}
    if whole and file.database and file.database == database_hash(run):
        return RatedRun({}, _tally(file, file.rated), ratings, file.rated)
    found = run.fact_hashes()
    facts = _select(found, file.numbers)
    if facts is None or (whole and not file.rated == len(facts) == len(found)):
        return None
    if file.facts != digest_of(facts) or file.rated > len(facts):
        return None
    return RatedRun(facts, _tally(file, len(facts)), ratings, file.rated)


def store_rated(cache: ResultCache, run: Run, rated: RatedRun, database: str = "") -> None:
    """Keeps these sums and ratings. `database` is the hash of the whole database, if it is known."""
    kept, tally = cache.of_run(run), rated.tally
    if kept.folder is None:
        return
    file = _File(
        made_by=_maker(run),
        database=database,
        facts=digest_of(rated.facts),
        numbers=spans_of(sorted(rated.facts)),
        rated=rated.rated,
        ratings={bot: (rating.mu, rating.sigma) for bot, rating in rated.ratings.items()},
        unit=tally.unit,
        bots=tally.bots,
        pairs=_list_pairs(tally.pairs),
        adjusted_pairs=None if tally.adjusted_pairs is None else _list_pairs(tally.adjusted_pairs),
        rows=tally.rows,
    )
    with suppress(ValueError):  # numbers of thousands of digits are not kept
        kept.write(KIND, key_of(run), file.model_dump_json().encode())


def _read(cache: ResultCache, run: Run) -> _File | None:
    kept = cache.of_run(run).read(KIND, key_of(run))
    try:
        return None if kept is None else _File.model_validate_json(kept)
    except ValueError:
        return None


def rated_run(run: Run, cache: ResultCache) -> RatedRun:
    """Returns the sums and ratings of all finished matches: the kept ones, or new ones, which it keeps."""
    kept = load_rated(cache, run, whole=True)
    if kept is not None:
        return kept
    database = database_hash(run)
    return rate_again(run, cache, run.new_matches(()) or [], database)


def rate_again(run: Run, cache: ResultCache, matches: Sequence[ReadMatch], database: str) -> RatedRun:
    """Rates these matches, all that are finished, and keeps their sums and ratings.

    `database` is the hash of the whole database before they were read, if it is known.
    """
    tally = Tally()
    for match in matches:
        tally.add(match.result, match.stored.number)
    ratings = rate_matches(run.manifest, (match.result for match in matches))
    made = RatedRun({match.stored.number: match.facts for match in matches}, tally, ratings, len(matches))
    # The database may have changed since, so its hash may belong to another state than the one that was read.
    store_rated(cache, run, made, database if database and database == database_hash(run) else "")
    return made


def _tally(file: _File, matches: int) -> Tally:
    adjusted = None if file.adjusted_pairs is None else _by_pair(file.adjusted_pairs)
    return Tally(matches, file.unit, file.bots, _by_pair(file.pairs), adjusted, file.rows)


def _select(found: Mapping[int, bytes], spans: Sequence[Span]) -> dict[int, bytes] | None:
    """Returns the facts of the matches in these spans. None if any is missing."""
    numbers, size = list(found), sum(last - first + 1 for first, last in spans)
    if size > len(numbers) or any(last < first for first, last in spans):
        return None
    places = (range(bisect_left(numbers, first), bisect_right(numbers, last)) for first, last in spans)
    facts = {numbers[place]: found[numbers[place]] for span in places for place in span}
    return facts if len(facts) == size else None


def _maker(run: Run) -> str:
    """Describes the inputs of the ratings besides the facts. Only --fresh may change the ratings of anchors."""
    anchors = "".join(f", {bot} {rating.mu} {rating.sigma}" for bot, rating in run.manifest.anchors.items())
    return f"bourre {version('bourre')}, {METHOD} {run.manifest.rating_version}{anchors}"


def digest_of(facts: Mapping[int, bytes]) -> str:
    """Returns the SHA-256 of these match numbers and hashes of facts."""
    whole = sha256()
    for number in sorted(facts):
        whole.update(b"%d " % number + facts[number])
    return whole.hexdigest()


def _list_pairs(pairs: Pairs) -> list[tuple[str, str, BlockSums]]:
    return [(one, other, sums) for (one, other), sums in pairs.items()]


def _by_pair(listed: Sequence[tuple[str, str, BlockSums]]) -> Pairs:
    return {(one, other): sums for one, other, sums in listed}
