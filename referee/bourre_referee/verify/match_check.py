"""Checks one match: its record against seed, terms and rules, and its rows against its record."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from hashlib import sha256

from bourre.record import Record, RecordError, read
from bourre_referee.model.recount import Amounts, Counted, counted
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import Level
from bourre_referee.model.stored import HOST, ORGANISER, DiscardedMatch, StoredMatch, StoredSeat
from bourre_referee.schedule.duplicate_seatings import seatings
from bourre_referee.storage.void_match import is_reason
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.expected_matches import Place
from bourre_referee.verify.forfeit_check import check_forfeits


def prove(text: str, place: Place) -> Counted:
    """Checks a record by replaying it and returns what it proves; raises Difference at the first error."""
    try:
        record = read(text)
        _check_header(record, place)
        _check_seatings(record)
        truth = counted(record)
    except RecordError as error:
        said = str(error).removeprefix(f"match {place.match}").removeprefix(f", deal {error.deal}")
        raise Difference(said.removeprefix(": "), place.match, error.deal) from None
    if truth.amounts.faults or any(seat.house_deals for seat in truth.seats):
        check_forfeits(record, place.max_faults)
    return truth


def _check_header(record: Record, place: Place) -> None:
    header = record.header
    check("the record's match", header.match, place.match, place.match)
    check("its number of deals", header.deals, place.deals, place.match)
    check("its format", header.format, place.format, place.match)
    check("its stakes", header.stakes, place.stakes, place.match)
    for key in (field.name for field in fields(place.house)):
        check(f"its house rule {key}", getattr(header.house, key), getattr(place.house, key), place.match)
    if place.spec:
        check("who sits where, by the seed,", header.bots, place.spec.line_up, place.match)
        check("its seed", header.seed, place.spec.seed, place.match)
    if len(header.bots) != place.seats or len(set(header.bots)) < place.seats or not {*header.bots} <= {*place.bots}:
        raise Difference(f"{', '.join(header.bots)} sit there, not {place.seats} bots of the contest", place.match)


def _check_seatings(record: Record) -> None:
    """Checks who sits where in each seating of a deal, in format `duplicate`."""
    header = record.header
    for deal in record.deals:
        if deal.seating is not None:
            true = seatings(len(header.bots), deal.deal)[deal.seating - 1]
            check(f"who sits where in seating {deal.seating}", deal.line_up, true, header.match, deal.deal)


@dataclass(frozen=True, slots=True)
class Task:
    """A match to check, with its discarded attempts."""

    place: Place
    kept: StoredMatch | None
    """None if the match is not finished."""
    voids: tuple[DiscardedMatch, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A match that was checked without a difference."""

    result: MatchResult
    record_hash: bytes
    amounts: Amounts


def check_match(task: Task) -> Checked | None:
    """Checks a match and returns its result, None if it is not finished; raises Difference at the first one."""
    place, kept = task.place, task.kept
    for attempt, void in enumerate(task.voids, start=1):
        check_void(void, attempt, place)
    if kept is None:
        return None
    if place.missing:
        raise Difference("it is kept, but the manifest says that it was never finished", place.match)
    if kept.record is None:
        raise Difference("its record is missing or damaged: it cannot be read", place.match)
    truth = prove(kept.record, place)
    _check_rows(kept, truth, place)
    check("its attempt, one more than it has void playings,", kept.attempt, len(task.voids) + 1, place.match)
    if kept.isolation not in set(Level):
        raise Difference(f"its isolation is {kept.isolation!r}, which is none of {', '.join(Level)}", place.match)
    if place.level != "best":
        check("its isolation", kept.isolation, place.level, place.match)
    record_hash = sha256(kept.record.encode()).digest()
    check("the SHA-256 of its record, as it is kept,", kept.sha256, record_hash, place.match)
    return Checked(truth.result, record_hash, truth.amounts)


def _check_rows(kept: StoredMatch, truth: Counted, place: Place) -> None:
    check("its number of deals, as it is kept,", kept.deals, place.deals, place.match)
    check("its number of seats, as it is kept,", len(kept.seats), len(truth.seats), place.match)
    check("the unit of its chips, as it is kept,", kept.unit, truth.result.unit, place.match)
    check("the number of results of deals, as it is kept,", len(kept.blocks), len(truth.result.blocks), place.match)
    for deal, (block, own) in enumerate(zip(kept.blocks, truth.result.blocks, strict=True), start=1):
        check("the chips of all its playings, as they are kept,", block.chips, own.chips, place.match, deal)
        check("the luck of the draw, as it is kept,", block.luck, own.luck, place.match, deal)
    for seat, (found, true) in enumerate(zip(kept.seats, truth.seats, strict=True)):
        for field in fields(StoredSeat):
            what = f"the result of seat {seat} ({true.bot}): {field.name}"
            check(what, getattr(found, field.name), getattr(true, field.name), place.match)


def check_void(void: DiscardedMatch, attempt: int, place: Place) -> None:
    """Checks a discarded attempt, which must have had the same cards; raises Difference otherwise."""
    check("the attempt of a void playing", void.attempt, attempt, place.match)
    if void.by not in (HOST, ORGANISER):
        raise Difference(f"attempt {attempt} is void by {void.by!r}, not by {HOST} or {ORGANISER}", place.match)
    if void.by == HOST:
        check(f"the record of attempt {attempt}, which the host failed,", void.record, None, place.match)
    elif void.record is None:
        raise Difference(f"the record of attempt {attempt}, which was taken back, is missing or damaged", place.match)
    else:
        prove(void.record, place)
    _check_words(void, place)


def _check_words(void: DiscardedMatch, place: Place) -> None:
    """Checks that reason and time, which follow from nothing else, are such as `bourre void` writes."""
    attempt = f"attempt {void.attempt}, which is void,"
    if void.by == ORGANISER and not is_reason(str(void.reason)):  # in a corrupt database it may not be text
        raise Difference(f"{attempt} has the reason {void.reason!r}, which `bourre void` refuses", place.match)
    if not _is_moment(void.at):
        raise Difference(f"{attempt} has the time {void.at!r}, which is not ISO 8601 in UTC to the second", place.match)
    if place.public:
        what = f"whether a secret seed was revealed before attempt {void.attempt} was void"
        check(what, void.revealed, False, place.match)


def _is_moment(text: str) -> bool:
    try:
        moment = datetime.fromisoformat(text)
    except (ValueError, TypeError):  # TypeError: in a corrupt database it may not be text
        return False
    return moment.utcoffset() == timedelta(0) and moment.isoformat(timespec="seconds") == text
