"""Plays a record again by the rules, and finds the first thing in it that they contradict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from bourre.record.error import RecordError
from bourre.record.facts import DealRecord, Header, Record
from bourre.record.recorder import Recorder
from bourre.rules.actions import Action
from bourre.rules.cards import Card, show
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidAction
from bourre.rules.events import Event
from bourre.rules.match import Match

DEALT = ("dealer", "dealt", "turned")
"""What must agree before an action of the deal is worth trying."""
PLAYED = ("received", "taken", "balances", "pot")


class Step(NamedTuple):
    """An action and what followed from it; without seat and action: the opening events of the match."""

    seat: int | None
    action: Action | None
    events: list[Event]


def replay(record: Record) -> Iterator[Step]:
    """Every step of the match, played anew from its seed and the recorded actions.

    Raises RecordError at the first difference between record and rules, naming match and deal: a hand, the dealer, an
    action that nobody could make there, tricks, balances. Whoever exhausts the iterator knows that the record is true.
    """
    header = record.header
    match = Match(len(header.bots), header.deals, header.house, SeededChance(header.seed))
    recorder = Recorder(header)
    opening = match.start()
    recorder.note(None, None, opening)
    yield Step(None, None, opening)
    for deal in record.deals:
        _compare(header, deal, recorder.draft, DEALT)
        yield from _played(deal, match, recorder)
        _compare(header, deal, recorder.finished, PLAYED)
    if recorder.final != record.final:
        _fail(header, f"the final balances are {_shown(recorder.final)}, not {_shown(record.final)}")


def _played(deal: DealRecord, match: Match, recorder: Recorder) -> Iterator[Step]:
    header = recorder.header
    for number, (seat, action) in enumerate(deal.actions, 1):
        if match.over or match.deal.number != deal.deal:
            _fail(header, f"the deal has ended before action {number}, {seat} {action}", deal)
        try:
            events = match.apply(seat, action)
        except InvalidAction as error:
            _fail(header, f"action {number}, {seat} {action}, cannot be: {error}", deal)
        recorder.note(seat, action, events)
        yield Step(seat, action, events)
    if not match.over and match.deal.number == deal.deal:
        _fail(header, f"the actions break off: seat {match.to_act} was asked to {match.decision}", deal)


def _compare(header: Header, deal: DealRecord, truth: object, names: tuple[str, ...]) -> None:
    for name in names:
        recorded, true = getattr(deal, name), getattr(truth, name)
        if recorded != true:
            _fail(header, f"{name} is {_shown(true)} by seed and rules, but recorded as {_shown(recorded)}", deal)


def _fail(header: Header, why: str, deal: DealRecord | None = None) -> NoReturn:
    place = f"match {header.match}" + (f", deal {deal.deal}" if deal else "")
    raise RecordError(f"{place}: {why}") from None


def _shown(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    if value and isinstance(value[0], tuple):
        return ", ".join(_shown(cards) or "-" for cards in value)
    return show(value) if value and isinstance(value[0], Card) else " ".join(map(str, value))
