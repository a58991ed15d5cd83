"""Checks one match: its record against seed, terms and rules, and its rows against its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from hashlib import sha256

from bourre.record import Record, RecordError, read
from bourre.record.played_record import play, play_exactly
from bourre_referee.contest.recount import Amounts, Recount, recount
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.luck import BotLessons
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import Level
from bourre_referee.model.stored import HOST, ORGANISER, DiscardedMatch, StoredMatch, StoredSeat
from bourre_referee.storage.run.void_match import is_reason
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.expected_matches import ExpectedMatch
from bourre_referee.verify.forfeit_check import check_forfeits


def check_record(text: str, expected: ExpectedMatch, lessons: Sequence[BotLessons] = ()) -> Recount:
    """Checks a record by replaying it, and returns its recount. Raises Difference at the first error.

    The luck counts only after the true lessons.
    """
    try:
        exact = play_exactly(text)
        record = exact.record if exact else read(text)
        _check_header(record, expected)
        check_seatings(record)
        if len(lessons) != len(record.header.bots):  # because the stored rows have other seats, as will be found
            lessons = ()
        truth = recount(exact or play(record), expected.baseline, lessons)
    except RecordError as error:
        said = str(error).removeprefix(f"match {expected.match}").removeprefix(f", deal {error.deal}")
        raise Difference(said.removeprefix(": "), expected.match, error.deal) from None
    if truth.amounts.faults or any(seat.house_deals for seat in truth.seats):
        check_forfeits(record, expected.max_faults, expected.models)
    return truth


def _check_header(record: Record, expected: ExpectedMatch) -> None:
    header = record.header
    check("the record's match", header.match, expected.match, expected.match)
    check("its number of deals", header.deals, expected.deals, expected.match)
    check("its format", header.format, expected.format, expected.match)
    check("its stakes", header.stakes, expected.stakes, expected.match)
    for key in (field.name for field in fields(expected.house)):
        check(f"its house rule {key}", getattr(header.house, key), getattr(expected.house, key), expected.match)
    if expected.called:
        check("the line-up, compared with the bots called,", header.bots, expected.called, expected.match)
    if expected.spec:
        check("the line-up, which follows from the seed,", header.bots, expected.spec.line_up, expected.match)
        check("its seed", header.seed, expected.spec.seed, expected.match)
    bots = set(header.bots)
    if not len(header.bots) == len(bots) == expected.seats or not bots <= set(expected.bots):
        names = ", ".join(header.bots)
        raise Difference(f"its bots are {names}, should be {expected.seats} bots of the contest", expected.match)


def check_seatings(record: Record) -> None:
    """Checks the bots' seats in each seating of a deal, in format `duplicate`. Raises Difference."""
    header = record.header
    for deal in record.deals:
        if deal.seating is not None:
            true = seatings(len(header.bots), deal.deal)[deal.seating - 1]
            check(f"who sits where in seating {deal.seating}", deal.line_up, true, header.match, deal.deal)


@dataclass(frozen=True, slots=True)
class Task:
    """A match to check, with its discarded attempts."""

    expected: ExpectedMatch
    stored: StoredMatch | None
    """The stored match, or None if it is not finished."""
    voids: tuple[DiscardedMatch, ...]
    lessons: tuple[BotLessons, ...] = ()
    """Those about its bots from earlier matches, in the order of its seats."""


@dataclass(frozen=True, slots=True)
class CheckedMatch:
    """A match without differences."""

    result: MatchResult
    record_hash: bytes
    amounts: Amounts


def check_match(task: Task) -> CheckedMatch | None:
    """Checks a match and returns its result. None if it is not finished. Raises the first Difference."""
    expected, stored = task.expected, task.stored
    for attempt, void in enumerate(task.voids, start=1):
        check_void(void, attempt, expected)
    if stored is None:
        return None
    if expected.missing:
        raise Difference("it is stored, but it was never finished according to the manifest", expected.match)
    if stored.record is None:
        raise Difference("its record is missing or damaged", expected.match)
    truth = check_record(stored.record, expected, task.lessons)
    _check_rows(stored, truth, expected)
    check(
        "its attempt, one more than the discarded ones,",
        stored.attempt,
        len(task.voids) + 1,
        expected.match,
    )
    if stored.isolation not in set(Level):
        raise Difference(f"its isolation is {stored.isolation!r}, not one of {', '.join(Level)}", expected.match)
    if expected.level != "best":
        check("its isolation", stored.isolation, expected.level, expected.match)
    record_hash = sha256(stored.record.encode()).digest()
    check("the stored SHA-256 of its record", stored.sha256, record_hash, expected.match)
    return CheckedMatch(truth.result, record_hash, truth.amounts)


def _check_rows(stored: StoredMatch, truth: Recount, expected: ExpectedMatch) -> None:
    check("the stored number of deals", stored.deals, expected.deals, expected.match)
    check("the stored number of seats", len(stored.seats), len(truth.seats), expected.match)
    check("the stored unit of chips", stored.unit, truth.result.unit, expected.match)
    check("the stored number of deal results", len(stored.blocks), len(truth.result.blocks), expected.match)
    for deal, (block, own) in enumerate(zip(stored.blocks, truth.result.blocks, strict=True), start=1):
        check("the stored chips of all its seatings", block.chips, own.chips, expected.match, deal)
        if block.luck or expected.complete:
            check("the stored luck of the draw", block.luck, own.luck, expected.match, deal)
    for seat, (found, true) in enumerate(zip(stored.seats, truth.seats, strict=True)):
        for field in fields(StoredSeat) if found != true else ():
            what = f"the result of seat {seat} ({true.bot}): {field.name}"
            check(what, getattr(found, field.name), getattr(true, field.name), expected.match)


def check_void(void: DiscardedMatch, attempt: int, expected: ExpectedMatch) -> None:
    """Checks a discarded attempt, which must have had the same cards. Raises Difference otherwise."""
    check("the number of a discarded attempt", void.attempt, attempt, expected.match)
    if void.by == HOST:
        check(f"the record of attempt {attempt}, which the host failed,", void.record, None, expected.match)
    elif void.record is None:
        raise Difference(
            f"the record of attempt {attempt}, which the organiser voided, is missing or damaged", expected.match
        )
    else:
        check_record(void.record, expected)
    _check_words(void, expected)


def _check_words(void: DiscardedMatch, expected: ExpectedMatch) -> None:
    """Checks the form of the reason and the time, as `bourre annul` writes them. Nothing else determines them."""
    attempt = f"the discarded attempt {void.attempt}"
    if void.by == ORGANISER and not is_reason(str(void.reason)):  # in a corrupt database it may not be text
        raise Difference(f"{attempt} has the reason {void.reason!r}, which `bourre annul` refuses", expected.match)
    if not is_moment(void.at):
        raise Difference(
            f"{attempt} has the time {void.at!r}, which is not ISO 8601 in UTC to the second", expected.match
        )
    if expected.public:
        what = f"whether a secret seed was revealed before attempt {void.attempt} was discarded"
        check(what, void.revealed, False, expected.match)


def is_moment(text: str) -> bool:
    """Returns whether this is a time in ISO 8601, in UTC to the second."""
    try:
        moment = datetime.fromisoformat(text)
    except (ValueError, TypeError):  # TypeError: in a corrupt database it may not be text
        return False
    return moment.utcoffset() == timedelta(0) and moment.isoformat(timespec="seconds") == text
