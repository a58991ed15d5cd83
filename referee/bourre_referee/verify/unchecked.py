"""Lists the checks that a verification could not do, with reasons. All such texts are here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bourre_referee.storage.run.manifest import rating_method
from bourre_referee.text.names import printable
from bourre_referee.verify.verify import VerifiedRun


class Unchecked(NamedTuple):
    """A check that was not done."""

    what: str
    why: str


def unchecked(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields every check of a complete run that is not possible for this one."""
    if not verified.seed_known:
        yield Unchecked("schedule and cards", "they follow from the committed seed, which is secret until the end")
    if not verified.digest:
        yield Unchecked("standings", "digest and standings are written when all matches are finished")
    if not verified.log.terms:
        yield Unchecked("terms", "an older version began the run, without a commitment to its terms")
    if verified.manifest.terms.archive and not verified.archived:
        yield Unchecked("archive", "the run kept the bots' files, but they are not here")
    yield from _ratings(verified)
    yield from _adaptive_rounds(verified)


def line_ups_of_epoch(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields the line-ups in the run folder of a ladder's epoch that was checked alone."""
    if verified.manifest.is_epoch:
        yield Unchecked("line-ups", "they follow from the ladder's log (bourre ladder verify checks both)")


def _ratings(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields the figures that an older rating method decided."""
    manifest = verified.manifest
    if manifest.rated_as_now:
        return
    then, now = manifest.ratings, rating_method(manifest.anchors)
    method = f"version {then.version}" if then else "from before methods had names"
    if verified.rated_again:
        yield Unchecked("ratings", f"an older method computed them ({method}), not the current one ({now.version})")
    if rounds := 0 if manifest.is_epoch else len(manifest.added):
        yield Unchecked("adaptive rounds", f"the ratings of an older method ({method}) decided all {rounds}")


def _adaptive_rounds(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields the rounds whose earlier results may have changed."""
    number, void = verified.rounds.number, verified.rounds.void
    if void:
        after = f"those after round {number}" if number else "all of them"
        why = f"{after}: {printable(void)} was voided and may have had another result before"
        yield Unchecked("adaptive rounds", why)
