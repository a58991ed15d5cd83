"""Tell what a verification could not check, and why: all that it says comes from here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bourre_referee.storage.run.manifest import rating_method
from bourre_referee.text.names import printable
from bourre_referee.verify.verify import VerifiedRun


class Unchecked(NamedTuple):
    """Something that was not checked."""

    what: str
    why: str


def unchecked(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields everything that a full check has and this one has not."""
    if not verified.seed_known:
        yield Unchecked(
            "schedule and cards", "whether they follow from the committed seed, which is secret until the end"
        )
    if not verified.digest:
        yield Unchecked("standings", "digest and standings are written when all matches are finished")
    if not verified.log.terms:
        yield Unchecked("terms", "the run did not commit to them: an older version began it")
    if verified.manifest.terms.archive and not verified.archived:
        yield Unchecked("archive", "the run kept the bots' files, but they are not here")
    yield from _ratings(verified)
    yield from _adaptive_rounds(verified)


def line_ups_of_epoch(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields who sat where in the run folder of a ladder's epoch that was checked by itself."""
    if verified.manifest.is_epoch:
        yield Unchecked("line-ups", "the ladder's log decides who sits where: bourre ladder verify checks both")


def _ratings(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields what another method than today's decided."""
    manifest = verified.manifest
    if manifest.rated_as_now:
        return
    then, now = manifest.ratings, rating_method(manifest.anchors)
    method = f"version {then.version}" if then else "from before methods had names"
    if verified.rated_again:
        yield Unchecked("ratings", f"an older method computed them ({method}), and today's ({now.version}) differ")
    if rounds := 0 if manifest.is_epoch else len(manifest.added):
        yield Unchecked("adaptive rounds", f"the ratings of an older method ({method}) decided all {rounds}")


def _adaptive_rounds(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields the rounds whose results before them may have been different."""
    number, void = verified.rounds.number, verified.rounds.void
    if void:
        after = f"those after round {number}" if number else "all of them"
        why = f"{after}: {printable(void)} was voided, and may have had another result when they were chosen"
        yield Unchecked("adaptive rounds", why)
