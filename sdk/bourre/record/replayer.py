"""Replays a record and finds the first difference from the rules."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import NamedTuple, NoReturn

from bourre.record.record import DealRecord, Header, Record, RecordError, chance_of
from bourre.record.record_text import totals
from bourre.record.recorder import Recorder
from bourre.rules.actions import Action, HandOver, Recall, Unasked
from bourre.rules.cards import Card, show
from bourre.rules.errors import InvalidAction
from bourre.rules.events import Event
from bourre.rules.match import Match

FACTS_BEFORE = ("dealer", "dealt", "turned")
"""The facts that are compared before the actions of a deal."""
FACTS_AFTER = ("received", "reneges", "taken", "balances", "pot")
"""The facts that are compared after them."""


class _Step(NamedTuple):
    """The values of a step that unpack."""

    seat: int | None
    action: Action | None
    events: list[Event]


class Step(_Step):
    """An action and its events. Seat and action are None for the opening events of the match."""

    decides: bool = False
    """Whether this is a new decision: not a forced card, a correction or an action that was not asked for."""


def replay(record: Record) -> Iterator[Step]:
    """Yields every step of the match, replayed from its seed and the recorded actions.

    Raises RecordError at the first difference between record and rules, with the match and the deal. Differences are in
    hands, the dealer, actions, tricks or balances. If the iterator ends, the record is correct.
    """
    final = yield from _session(record) if record.header.format == "session" else _duplicate(record)
    if final != record.final:
        _fail(record.header, f"the final balances are {_format_fact(final)}, not {_format_fact(record.final)}")


def _session(record: Record) -> Generator[Step, None, tuple[int, ...] | None]:
    """Yields the steps of a match in format `session`; returns the final balances."""
    replayed = _ReplayedMatch(record.header)
    yield replayed.step(None, None)
    for deal in record.deals:
        yield from _deal(deal, replayed)
    return replayed.recorder.final


def _duplicate(record: Record) -> Generator[Step, None, tuple[int, ...]]:
    """Yields the steps of every seating of every deal, each of which is a match of its own; returns the totals."""
    for deal in record.deals:
        replayed = _ReplayedMatch(record.header, only=deal.deal)
        yield replayed.step(None, None)
        yield from _deal(deal, replayed)
    return totals(record.deals)


def _deal(deal: DealRecord, replayed: _ReplayedMatch) -> Iterator[Step]:
    replayed.compare(deal, FACTS_BEFORE)
    yield from _replay_actions(deal, replayed)
    replayed.compare(deal, FACTS_AFTER)


class _ReplayedMatch:
    """The replayed match and its recorder, to compare with the record."""

    def __init__(self, header: Header, only: int | None = None) -> None:
        self.header = header
        self.match = Match(len(header.bots), header.deals, header.house, chance_of(header), only)
        self.recorder = Recorder(header, keep_text=False)
        self._ended: dict[int, DealRecord] = {}

    def step(self, seat: int | None, action: Action | None) -> Step:
        """Applies an action, or starts the match; raises InvalidAction."""
        decides = action is not None and self._is_asked() and not isinstance(action, Recall | Unasked | HandOver)
        events = self.match.start() if seat is None or action is None else self.match.apply(seat, action)
        self.recorder.note(seat, action, events)
        for ended in self.recorder.finished:
            self._ended[ended.deal] = ended
        step = Step(seat, action, events)
        step.decides = decides
        return step

    def _is_asked(self) -> bool:
        """Returns whether the next answer is a decision. An only legal card or a correction is not."""
        tricks = self.match.deal.tricks
        return tricks is None or (tricks.forced is None and tricks.correcting is None)

    def in_progress(self, deal: DealRecord) -> bool:
        """Returns whether this deal is in progress. A deal that nobody may play is over at once (R4.6)."""
        return deal.deal not in self._ended

    def compare(self, deal: DealRecord, names: tuple[str, ...]) -> None:
        """Raises RecordError if one of these facts of a recorded deal contradicts the seed and the rules."""
        truth = self._ended.get(deal.deal) or self.recorder.draft
        for name in names:
            recorded, true = getattr(deal, name), getattr(truth, name)
            if recorded != true:
                why = f"{name} is {_format_fact(true)} by seed and rules, but recorded as {_format_fact(recorded)}"
                _fail(self.header, why, deal)


def _replay_actions(deal: DealRecord, replayed: _ReplayedMatch) -> Iterator[Step]:
    header = replayed.header
    for number, (seat, action) in enumerate(deal.actions, 1):
        if not replayed.in_progress(deal):
            _fail(header, f"the deal ends before action {number}, {seat} {action}", deal)
        try:
            step = replayed.step(seat, action)
        except InvalidAction as error:
            _fail(header, f"action {number}, {seat} {action}, is impossible: {error}", deal)
        yield step
    if replayed.in_progress(deal):
        match = replayed.match
        _fail(header, f"the actions stop too early: seat {match.to_act} was asked to {match.decision}", deal)


def _fail(header: Header, why: str, deal: DealRecord | None = None) -> NoReturn:
    place = f"match {header.match}" + (f", deal {deal.deal}" if deal else "")
    place += f", seating {deal.seating}" if deal and deal.seating else ""
    raise RecordError(f"{place}: {why}", deal.deal if deal else None) from None


def _format_fact(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    if value and isinstance(value[0], tuple):
        return ", ".join(_format_fact(cards) or "-" for cards in value)
    return show(value) if value and isinstance(value[0], Card) else " ".join(map(str, value))
