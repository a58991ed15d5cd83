"""A record against its place in the schedule, and against the rules."""

from __future__ import annotations

from dataclasses import fields

from bourre.record import Record, RecordError, read
from bourre_referee.model.recount import Counted, counted
from bourre_referee.schedule.duplicate_seatings import seatings
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.expected_matches import Place
from bourre_referee.verify.forfeit_check import check_handovers


def proved(text: str, place: Place) -> Counted:
    """What this record comes to, all of it checked; raises Difference at the first that is wrong."""
    try:
        record = read(text)
        _check_header(record, place)
        _check_seatings(record)
        truth = counted(record)
    except RecordError as error:
        told = str(error).removeprefix(f"match {place.match}").removeprefix(f", deal {error.deal}")
        raise Difference(told.removeprefix(": "), place.match, error.deal) from None
    if truth.amounts.faults or any(seat.house_deals for seat in truth.seats):
        check_handovers(record, place.max_faults)
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
    """In format `duplicate`: who sits where in each playing of a deal."""
    header = record.header
    for deal in record.deals:
        if deal.seating is not None:
            true = seatings(len(header.bots), deal.deal)[deal.seating - 1]
            check(f"who sits where in seating {deal.seating}", deal.line_up, true, header.match, deal.deal)
