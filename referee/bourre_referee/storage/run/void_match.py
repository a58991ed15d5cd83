"""Voids a finished match: it is stored as void, and the next run plays it again with the same seed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.model.stored import HOST, ORGANISER, DiscardedMatch
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.storage.run.run_writer import RunWriter
from bourre_referee.text.names import printable

LONGEST_REASON = 500


def void(place: Path | RunLocation, match: str, reason: str, now: datetime) -> DiscardedMatch:
    """Voids a finished match at the time `now`, in UTC.

    Raises ContestError if the match is not finished, the reason is not printable, or the folder is in use.
    """
    check_reason(reason)
    run = Run.open(place)
    run.record(match)
    _check_bots(run, match)
    with run.place.hold() as held, held.open_to_write(run.manifest.seed.commitment) as store:
        writer = RunWriter(held, store, held.read_manifest())
        if match not in writer.finished:
            raise ContestError(f"{run.place}: {match} was annulled a moment ago")
        discarded = writer.void(match, reason, now)
        store.seal()
    return discarded


def is_reason(text: str) -> bool:
    """Whether a match can be voided for this reason, which must be one printable line that is not blank."""
    return bool(text.strip()) and text.isprintable() and len(text) <= LONGEST_REASON


def check_reason(reason: str) -> None:
    """Raises ContestError for a reason that cannot be printed on one line."""
    if not is_reason(reason):
        raise ContestError(f"the reason must be one line of printable text of at most {LONGEST_REASON} characters")


def _check_bots(run: Run, match: str) -> None:
    now = {*run.manifest.bots_now}
    played = {seat.bot for result in run.results() if result.match == match for seat in result.seats}
    if gone := sorted(played - now):
        raise ContestError(f"{run.place}: {match} cannot be played again: {', '.join(gone)} left the contest")


def void_lines(voids: Iterable[DiscardedMatch]) -> Iterator[str]:
    """Yields a line for each discarded match."""
    for void in voids:
        by = "lost without a bot's fault" if void.by == HOST else "voided by the organiser"
        known = ", when the seed was public" if void.revealed else ""
        yield f"void       {void.match}, attempt {void.attempt}: {by}{known} ({printable(void.reason)})"


def replayed_lines(voids: Iterable[DiscardedMatch], finished: Collection[str]) -> Iterator[str]:
    """Yields the lines below the standings: one for voided matches, one for lost ones."""
    known = tuple(voids)
    voided = organiser_voids(known)
    lost = tuple(void for void in known if void.by == HOST)
    for some, how in ((voided, "voided"), (lost, "lost without a bot's fault")):
        matches = {void.match for void in some}
        if matches:
            again = "replayed" if matches <= {*finished} else "not all replayed yet"
            verb = "match was" if len(matches) == 1 else "matches were"
            yield f"{len(matches)} {verb} {how} and {again}: {'; '.join(_whys(some))}"
    if any(void.revealed for void in voided):
        yield "the seed was public by then: whoever replayed them could know the cards"


def organiser_voids(voids: Iterable[DiscardedMatch]) -> tuple[DiscardedMatch, ...]:
    """Returns the matches that the organiser voided."""
    return tuple(void for void in voids if void.by == ORGANISER)


def _whys(voids: Iterable[DiscardedMatch]) -> Iterator[str]:
    """Yields matches with their reason, which those that follow each other share."""
    for reason, some in groupby(voids, key=lambda void: void.reason):
        yield f"{', '.join(dict.fromkeys(void.match for void in some))} ({printable(reason)})"
