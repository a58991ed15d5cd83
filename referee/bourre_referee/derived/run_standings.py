"""The standings of a run, with the facts that are shown next to them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from bourre_referee.model.results import MatchResult
from bourre_referee.model.stored import ORGANISER, DiscardedMatch
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.batch import FIELD_MODEL_SINCE
from bourre_referee.statistics.match_sums import Tally, tally_of
from bourre_referee.statistics.ranking import level_of_looks, rank_bots
from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.start_failures import find_start_failure


def standings_of(run: Run, results: Sequence[MatchResult] | None = None) -> Standings:
    """Computes the standings from the finished matches. The digest is empty until all are finished.

    A caller that has already read the results passes them.
    """
    return _standings(run.manifest, run.results() if results is None else results)


def standings_file(manifest: Manifest, results: Sequence[MatchResult]) -> str:
    """Returns the text of `standings.json` for the run with this manifest."""
    return f"{_standings(manifest, results).to_json()}\n"


def _standings(manifest: Manifest, results: Sequence[MatchResult]) -> Standings:
    return rank_matches(manifest, manifest.digest or "", tally_of(results), rate_matches(manifest, results))


def rate_matches(manifest: Manifest, results: Iterable[MatchResult]) -> dict[str, Rating]:
    """Returns the ratings of a run's bots by these matches, by the method with which the run began."""
    return rate(results, manifest.bots, anchors=manifest.anchors, version=manifest.rating_version)


def rank(run: Run, tally: Tally, ratings: Mapping[str, Rating]) -> Standings:
    """Returns the standings by these sums over the finished matches and by these ratings."""
    return rank_matches(run.manifest, run.manifest.digest or "", tally, ratings)


def rank_matches(
    manifest: Manifest, digest: str, tally: Tally, ratings: Mapping[str, Rating], rank_all: bool = False
) -> Standings:
    """Returns the standings of a run with this digest, by the method with which it began.

    `rank_all` ranks no-shows too, as the oldest versions did.
    """
    by_field, level = manifest.rating_version >= FIELD_MODEL_SINCE, level_of_looks(manifest.terms.schedule.adaptive)
    form = manifest.terms.format
    return rank_bots(manifest.contest, form, digest, tally, ratings, level if by_field else None, rank_all)


def standings_json(
    manifest: Manifest, table: Standings, voids: Iterable[DiscardedMatch], no_shows: Mapping[str, str]
) -> str:
    """Returns the standings as JSON, with keys for facts that do not follow from the records, if there are any."""
    commitment = {"commitment": manifest.seed.commitment} if manifest.terms.seed is None else {}
    back = [
        {"match": void.match, "attempt": void.attempt, "reason": void.reason} for void in voids if void.by == ORGANISER
    ]
    besides = {
        "anchors": {bot: [rating.mu, rating.sigma] for bot, rating in manifest.anchors.items()},
        "voids": back,
        "no_shows": no_shows,
        "trusted": manifest.trusted,
        "network": manifest.networks,
        "isolation": manifest.own_levels,
    }
    found = {key: value for key, value in besides.items() if value}
    return json.dumps(json.loads(table.to_json()) | commitment | found, indent=2)


def no_shows(run: Run, table: Standings) -> dict[str, str]:
    """Returns the reason why each bot without a rank in these standings has none, by its logs if they are here."""
    folder = run.place.folder
    absent = [row for row in table.rows if row.rank is None]
    causes = {row.bot: find_start_failure(FolderLocation(folder).logs, row.bot) if folder else "" for row in absent}
    caps = run.manifest.capped
    return {row.bot: _why_absent(row, causes[row.bot], caps.get(row.bot)) for row in absent}


def _why_absent(row: Standing, cause: str, cap: str | None) -> str:
    played = row.deals - row.house_deals
    told = [f"it played {played} of its {row.deals} deals"] if played else []
    told += [f"it never started{' in a room' if played else ''}: {cause}"] if cause else []
    told += [f"its model reached {cap}"] if cap else []
    return ", and ".join(told) or "it did not play"
