"""A playing that does not count: what can be checked of it."""

from __future__ import annotations

from datetime import datetime, timedelta

from bourre_referee.model.stored import HOST, ORGANISER, KeptVoid
from bourre_referee.storage.void_match import is_reason
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.expected_matches import Place
from bourre_referee.verify.record_check import proved


def check_void(void: KeptVoid, attempt: int, place: Place) -> None:
    """A playing that was taken back must have had the same cards; raises Difference at what is not so."""
    check("the attempt of a void playing", void.attempt, attempt, place.match)
    if void.by not in (HOST, ORGANISER):
        raise Difference(f"attempt {attempt} is void by {void.by!r}, not by {HOST} or {ORGANISER}", place.match)
    if void.by == HOST:
        check(f"the record of attempt {attempt}, which the host failed,", void.record, None, place.match)
    elif void.record is None:
        raise Difference(f"the record of attempt {attempt}, which was taken back, is missing or damaged", place.match)
    else:
        proved(void.record, place)
    _check_words(void, place)


def _check_words(void: KeptVoid, place: Place) -> None:
    """What follows from nothing must at least be something that we could have written."""
    attempt = f"attempt {void.attempt}, which is void,"
    if void.by == ORGANISER and not is_reason(str(void.reason)):  # in a strange database it may be no text
        raise Difference(f"{attempt} has the reason {void.reason!r}, which `bourre void` refuses", place.match)
    if not _is_moment(void.at):
        raise Difference(f"{attempt} was so at {void.at!r}, which is no second in UTC, in ISO 8601", place.match)
    if place.public:
        what = f"whether a secret seed was revealed before attempt {void.attempt} was void"
        check(what, void.revealed, False, place.match)


def _is_moment(text: str) -> bool:
    try:
        moment = datetime.fromisoformat(text)
    except (ValueError, TypeError):  # TypeError: in a strange database it may be no text
        return False
    return moment.utcoffset() == timedelta(0) and moment.isoformat(timespec="seconds") == text
