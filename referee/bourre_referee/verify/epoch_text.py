"""Writes the result of verifying a ladder's epoch, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bourre_referee.text.names import printable
from bourre_referee.verify import verify_text
from bourre_referee.verify.epoch_check import VerifiedEpoch
from bourre_referee.verify.verify_text import Unchecked, unchecked


def lines(verified: VerifiedEpoch) -> Iterator[str]:
    """Yields a line for each check, done or not possible. The last line is the verdict."""
    left_out = tuple(unchecked_in_epoch(verified))
    yield f"epoch {verified.number}: {'checked' if left_out else 'no difference'}"
    yield log_in_words(verified.lines, verified.head)
    yield from _follows_from_log(verified)
    for run in (verified.rated, verified.unrated):
        yield ""
        yield from verify_text.run_lines(run, tuple(unchecked(run)))
    yield ""
    yield from (f"unchecked  {each.what}: {each.why}" for each in _unchecked_of_log(verified))
    yield verify_text.verdict(f"epoch {verified.number}", left_out)


def log_in_words(count: int, head: str) -> str:
    """Describes the log: the number of its lines, and the hash of the last one."""
    return f"log        {count} lines, each with the hash of the line before. The last hash is {head}"


def _follows_from_log(verified: VerifiedEpoch) -> Iterator[str]:
    if verified.terms:
        yield f"terms      {printable(', '.join(f'{key} = {value}' for key, value in verified.terms.items()))}"
    yield f"rooms      {verified.rooms} called by the log, and no other was played"
    if verified.challenges:
        yield f"challenges {verified.challenges} of these rooms had the line-ups that owners asked for"
    if verified.paired_again:
        paired = verified.rooms - verified.challenges
        yield f"pairings   {paired} rooms paired again: line-ups and seats follow from log and seed"
    if verified.abandoned:
        yield "abandoned  the host restored a backup: rooms that were in play are void, and no other was called since"
    for match, reason in verified.taken_back.items():
        yield f"void       {match} was annulled by the host ({printable(reason)}): the board does not count it"


def unchecked_in_epoch(verified: VerifiedEpoch) -> Iterator[Unchecked]:
    """Yields every check that was not possible."""
    yield from _unchecked_of_log(verified)
    for run in (verified.rated, verified.unrated):
        yield from unchecked(run)


def _unchecked_of_log(verified: VerifiedEpoch) -> Iterator[Unchecked]:
    if not verified.paired_again:
        why = "they follow from a seed that is secret until the epoch is closed"
        yield Unchecked("pairings", why)
    if not verified.terms:
        yield Unchecked("terms", "missing in the log, because an older version wrote it")


def document(verified: VerifiedEpoch) -> str:
    """Writes the same as a JSON document."""
    log = {"lines": verified.lines, "head": verified.head}
    return json.dumps({"verified": True, "log": log, **values_of_epoch(verified), "difference": None}, indent=2)


def values_of_epoch(verified: VerifiedEpoch) -> dict[str, object]:
    """Returns the values of that document for the epoch alone."""
    return {
        "epoch": verified.number,
        "terms": dict(verified.terms),
        "rooms": verified.rooms,
        "challenges": verified.challenges,
        "taken_back": dict(verified.taken_back),
        "paired_again": verified.paired_again,
        "abandoned": verified.abandoned,
        "rated": verify_text.values_of(verified.rated, tuple(unchecked(verified.rated))),
        "unrated": verify_text.values_of(verified.unrated, tuple(unchecked(verified.unrated))),
        "unchecked": [f"{each.what}: {each.why}" for each in unchecked_in_epoch(verified)],
    }
