"""Checks the rating method that a run names, and compares the figures of an older method with the current ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from bourre_referee.model.errors import ContestError
from bourre_referee.ratings.batch import UNLOGGED_VERSIONS, VERSIONS_BY_RELEASE
from bourre_referee.statistics.standing import EFFECT_KEYS, Standing
from bourre_referee.storage.run.manifest import Manifest, rating_method
from bourre_referee.storage.run.versions import newer_release, numbers_of
from bourre_referee.text.names import printable
from bourre_referee.verify.difference import Difference, check

MOST_SHOWN = 20
"""The most bots whose figures are shown in words."""


class Figures(BaseModel):
    """A bot's figures that follow from ratings, in a row of the standings."""

    model_config = ConfigDict(allow_inf_nan=False, frozen=True, strict=True)

    rank: int | None
    mu: float | None
    sigma: float | None
    score: float | None
    tied: str

    def __str__(self) -> str:
        if self.rank is None:
            return "no place"
        return (
            f"place {self.rank}, mu {self.mu}, sigma {self.sigma}, score {self.score}, letters {printable(self.tied)}"
        )


RATING_KEYS = EFFECT_KEYS.union(Figures.model_fields)
"""The keys of a standings row that follow from ratings."""


@dataclass(frozen=True, slots=True)
class RatedAgain:
    """A bot's figures by an older method, which this version cannot compute, and by the current one."""

    bot: str
    claimed: Figures
    today: Figures


def check_rating_method(manifest: Manifest) -> None:
    """Raises Difference if the run names a rating method that its own release never had.

    Raises ContestError if the run was played by a newer release, whose methods are unknown here.
    """
    for release in (manifest.versions.bourre, *(entry.versions.bourre for entry in manifest.log)):
        if newer := newer_release(release):
            raise ContestError(f"{printable(manifest.contest)}: it cannot be checked here: {newer}")
    claim, release = manifest.ratings, manifest.versions.bourre
    if claim is None and not manifest.log:
        return
    known = VERSIONS_BY_RELEASE.get(numbers_of(release), ()) if manifest.log else UNLOGGED_VERSIONS
    check("manifest.json: the rating method", claim and claim.method, rating_method(manifest.anchors).method)
    if claim and claim.version not in known:
        had = f"its versions are {', '.join(map(str, known))}" if known else "no such release rated a run with a log"
        raise Difference(
            f"manifest.json: version {claim.version} of the rating method does not exist in bourre {printable(release)}"
            f": {had}"
        )


def compare_claims(rows: Iterable[Mapping[str, object]], today: Sequence[Standing]) -> tuple[RatedAgain, ...]:
    """Returns the bots whose claimed figures are not the current ones. `rows` are those of the same bots."""
    claims = {row["bot"]: _read_figures(row) for row in rows}
    ranks = [each.rank for each in claims.values()]
    check(
        "standings.json: the ranks", ranks, [*range(1, len(ranks) + 1 - ranks.count(None)), *ranks.count(None) * [None]]
    )
    pairs = ((row.bot, claims[row.bot], _read_figures(asdict(row))) for row in today)
    return tuple(RatedAgain(bot, claimed, true) for bot, claimed, true in pairs if claimed != true)


def _read_figures(row: Mapping[str, object]) -> Figures:
    try:
        return Figures.model_validate({key: row.get(key) for key in RATING_KEYS})
    except ValidationError as error:
        first = error.errors()[0]
        raise Difference(f"standings.json: {first['loc'][0]} of {row['bot']}: {first['msg']}") from error


def claims_in_words(claims: Sequence[RatedAgain]) -> Iterator[str]:
    """Yields a line for each of the first bots whose figures differ."""
    for claim in claims[:MOST_SHOWN]:
        yield f"{printable(claim.bot)}: {claim.claimed} (now {claim.today})"
    if len(claims) > MOST_SHOWN:
        yield f"and {len(claims) - MOST_SHOWN} other bots (listed with --json)"
