"""One match: its record against seed, terms and rules, and its rows against its record."""

from __future__ import annotations

from dataclasses import dataclass, fields
from hashlib import sha256

from bourre_referee.model.recount import Amounts, Counted
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import Level
from bourre_referee.model.stored import KeptMatch, KeptSeat, KeptVoid
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.discarded_check import check_void
from bourre_referee.verify.expected_matches import Place
from bourre_referee.verify.record_check import proved


@dataclass(frozen=True, slots=True)
class Task:
    """A match to be checked, with those of its playings that do not count."""

    place: Place
    kept: KeptMatch | None
    """None: it is not finished."""
    voids: tuple[KeptVoid, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A match in which there is no difference."""

    result: MatchResult
    record_hash: bytes
    amounts: Amounts


def check_match(task: Task) -> Checked | None:
    """What the match gives to the whole, None when it is not finished; raises Difference at the first there is."""
    place, kept = task.place, task.kept
    for attempt, void in enumerate(task.voids, start=1):
        check_void(void, attempt, place)
    if kept is None:
        return None
    if place.missing:
        raise Difference("it is kept, but the manifest says that it was never finished", place.match)
    if kept.record is None:
        raise Difference("its record is missing or damaged: it cannot be read", place.match)
    truth = proved(kept.record, place)
    _check_rows(kept, truth, place)
    check("its attempt, one more than it has void playings,", kept.attempt, len(task.voids) + 1, place.match)
    if kept.isolation not in set(Level):
        raise Difference(f"its isolation is {kept.isolation!r}, which is none of {', '.join(Level)}", place.match)
    if place.level != "best":
        check("its isolation", kept.isolation, place.level, place.match)
    record_hash = sha256(kept.record.encode()).digest()
    check("the SHA-256 of its record, as it is kept,", kept.sha256, record_hash, place.match)
    return Checked(truth.result, record_hash, truth.amounts)


def _check_rows(kept: KeptMatch, truth: Counted, place: Place) -> None:
    check("its number of deals, as it is kept,", kept.deals, place.deals, place.match)
    check("its number of seats, as it is kept,", len(kept.seats), len(truth.seats), place.match)
    check("the unit of its chips, as it is kept,", kept.unit, truth.result.unit, place.match)
    check("the number of results of deals, as it is kept,", len(kept.blocks), len(truth.result.blocks), place.match)
    for deal, (block, own) in enumerate(zip(kept.blocks, truth.result.blocks, strict=True), start=1):
        check("the chips of all its playings, as they are kept,", block.chips, own.chips, place.match, deal)
        check("the luck of the draw, as it is kept,", block.luck, own.luck, place.match, deal)
    for seat, (found, true) in enumerate(zip(kept.seats, truth.seats, strict=True)):
        for field in fields(KeptSeat):
            what = f"the result of seat {seat} ({true.bot}): {field.name}"
            check(what, getattr(found, field.name), getattr(true, field.name), place.match)
