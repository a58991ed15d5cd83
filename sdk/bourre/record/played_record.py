"""Plays a whole record again, and keeps the events.

A correct record is exactly the text that its own actions give, so it is played and written again, and the texts are
compared. Only if they differ, `read` and `replay` look for the first difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from bourre.record.json_line import JsonLine
from bourre.record.reader import expected_deals, next_line, read, read_action, read_header, read_line_up, record_lines
from bourre.record.record import DealRecord, Header, Record, RecordError, chance_of
from bourre.record.record_text import ACTIONS_BY_TEXT, deal_line, final_line, totals
from bourre.record.recorder import Recorder
from bourre.record.replayer import replay
from bourre.rules.actions import Action
from bourre.rules.errors import InvalidAction
from bourre.rules.events import Event
from bourre.rules.match import Match


class PlayedRecord(NamedTuple):
    """A correct record and its events."""

    record: Record
    events: list[list[Event]]
    """The events of the match, or in format `duplicate` those of each seating of each deal."""


def play(record: Record) -> PlayedRecord:
    """Plays a record again, step by step. Raises RecordError at the first difference, as `replay` does."""
    events: list[list[Event]] = []
    for step in replay(record):
        if step.action is None:  # the match begins, or in format `duplicate` the next deal
            events.append([])
        events[-1] += step.events
    return PlayedRecord(record, events)


def play_text(text: str) -> PlayedRecord:
    """Reads a record and plays it again. Raises RecordError at the first difference."""
    return play_exactly(text) or play(read(text))


def play_exactly(text: str) -> PlayedRecord | None:
    """Plays the record of this text again, in half the time of `play`. None if anything in it is wrong."""
    lines = record_lines(text)
    try:
        first = next_line(lines, "it is empty")
        header = read_header(first)
        played = _session(header, lines) if header.format == "session" else _duplicate(header, lines)
    except (RecordError, InvalidAction):
        return None
    written = [first.text, *map(deal_line, played.record.deals), final_line(played.record.final), ""]
    return played if "\n".join(written) == text else None


def _session(header: Header, lines: Iterator[JsonLine]) -> PlayedRecord:
    table = _Table(header)
    for number, _ in expected_deals(header):
        table.play(number, _actions(next_line(lines, "a deal is missing"), len(header.bots)))
    return PlayedRecord(Record(header, tuple(table.deals), table.final), [table.events])


def _duplicate(header: Header, lines: Iterator[JsonLine]) -> PlayedRecord:
    deals: list[DealRecord] = []
    events: list[list[Event]] = []
    for number, seating in expected_deals(header):
        line = next_line(lines, "a deal is missing")
        table = _Table(header, only=number)
        table.play(number, _actions(line, len(header.bots)))
        line_up = read_line_up(line, len(header.bots))
        deals += [replace(deal, seating=seating, line_up=line_up) for deal in table.deals]
        events.append(table.events)
    return PlayedRecord(Record(header, tuple(deals), totals(deals)), events)


def _actions(line: JsonLine, seats: int) -> list[tuple[int, Action]]:
    known = ACTIONS_BY_TEXT.get  # the match refuses a seat that it does not have
    return [known(text) or read_action(line, text, seats) for text in line.get_texts("actions")]


class _Table:
    """A match, or one deal of it, that is played by the recorded actions of whole deals."""

    def __init__(self, header: Header, only: int | None = None) -> None:
        self._match = Match(len(header.bots), header.deals, header.house, chance_of(header), only)
        self._recorder = Recorder(header, keep_text=False)
        self.events: list[Event] = []
        self.deals: list[DealRecord] = []
        """The deals that are over."""
        self._note((), self._match.start())

    @property
    def final(self) -> tuple[int, ...]:
        """The final balances. Raises RecordError before the end of the match."""
        if self._recorder.final is None:
            raise RecordError("the match is not over")
        return self._recorder.final

    def play(self, number: int, actions: Sequence[tuple[int, Action]]) -> None:
        """Plays all actions of this deal. Raises RecordError if they are too many, or InvalidAction."""
        deal = self._match.deal
        if deal.number != number:
            if actions:
                raise RecordError(f"nobody may play deal {number}")
            return
        events: list[Event] = []
        apply = self._match.apply
        for seat, action in actions:
            if deal.over:
                raise RecordError(f"deal {number} is over")
            events += apply(seat, action)
        self._note(actions, events)

    def _note(self, actions: Sequence[tuple[int, Action]], events: list[Event]) -> None:
        self._recorder.note_deal(actions, events)
        self.events += events
        self.deals += self._recorder.finished
