"""A table's notes for the authors of its bots: their own remarks, late decisions, and reneges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bourre.messages import Answer, Ask
from bourre.record.recorder import Draft
from bourre.rules.events import DealEnded, Event, MatchPaid, Reneged
from bourre.rules.pot import settle_in_units
from bourre.words.table_words import describe_cards
from bourre.words.table_words.deal_story import DealStory, tell_story
from bourre.words.table_words.event_sentences import incident_lines, outcome_words
from bourre.words.table_words.readers import Reader, exact_chips
from bourre.words.table_words.story_parts import Incident
from bourre_referee.model.seat_remarks import Note, RemarkCollector, SeatRemarks, remarks_by_seat
from bourre_referee.model.spec import MatchSpec
from bourre_referee.text.names import seat_names
from bourre_referee.text.narration.events_by_deal import place_of


class RemarkLog:
    """Stores a note until its answer is played and has a number in the record of the deal."""

    def __init__(self, seats: int, seating: int | None) -> None:
        self._seats = [RemarkCollector(seats) for _ in range(seats)]
        self._seating = seating
        self.waiting: dict[int, str] = {}
        """The notes with answers that are not played yet, by seat."""

    def hear(self, seat: int, answer: Answer) -> None:
        """Takes the note and the usage with a seat's answer."""
        if answer.usage:
            self._seats[seat].add_usage(answer.usage)
        if answer.note:
            self.waiting[seat] = answer.note

    def place(self, seat: int, draft: Draft | None) -> None:
        """Stores the note, if any, with the answer that is played next in this deal."""
        text = self.waiting.pop(seat, None)
        if text is not None and draft is not None:
            self._seats[seat].add_note(Note(draft.deal, self._seating, len(draft.actions) + 1, text))

    def remarks(self) -> tuple[SeatRemarks, ...]:
        """Returns each seat's notes and usage; empty if there are none."""
        return remarks_by_seat(self._seats)


def late_line(ask: Ask, spec: MatchSpec, allowed_ms: float) -> str:
    """Returns a line for a bot's log about a late decision, without cards that the bot cannot see."""
    view = ask.view
    place = place_of(view.deal, spec.board.seating if spec.board else None)
    had = f"the {allowed_ms / 1000:.3g} s that you had, with the reserve time"
    return (
        f"{spec.match}, {place}, seat {view.seat}: no answer to {view.decision} within {had}: {describe_cards(view)}. "
        "The referee acted for you (R8.5)"
    )


class TableReport(NamedTuple):
    """Lines for the log of one seat's bot, without cards that the seat could not see."""

    seat: int
    lines: list[str]


class Reporter:
    """Reports the reneges of finished deals: the rule, the cards, the cost, and a command for the replay."""

    def __init__(self, spec: MatchSpec) -> None:
        self._match = spec.match
        self._names = seat_names(spec.line_up)
        self._house = spec.house
        self._seating = spec.board.seating if spec.board else None
        self._events: list[Event] = []
        """The events since the end of the last deal."""

    def hear(self, events: Iterable[Event]) -> None:
        """Takes the next events, in order."""
        self._events += events

    def reports(self) -> Iterator[TableReport]:
        """Yields reports on the deals that ended since the last call."""
        *deals, self._events = _split_by_deal(self._events)
        for events in deals:
            reneging = sorted({event.seat for event in events if isinstance(event, Reneged)})
            if reneging:
                story = self._story(events)
                yield from (TableReport(seat, list(self._lines(story, seat))) for seat in reneging)

    def _story(self, events: Sequence[Event]) -> DealStory:
        balances = [0] * len(self._names)  # no line about a renege reads them
        return tell_story(DealStory(self._house, balances, independent=self._seating is not None), events)

    def _lines(self, story: DealStory, seat: int) -> Iterator[str]:
        reader = Reader(self._names, you=seat)
        yield f"{self._match}, {place_of(story.number, self._seating)}: you broke a rule"
        for incident in story.incidents:
            if _is_about(incident, seat):
                yield from incident_lines(incident, story, reader)
        for event in story.outcome:
            if isinstance(event, MatchPaid) and event.seat == seat:
                yield outcome_words(event, story, reader)
            elif isinstance(event, DealEnded):
                command = f"bourre replay RUN {self._match} --deal {event.deal}"
                yield f"{self._balance(event, seat)}; see it all: {command}"

    def _balance(self, ended: DealEnded, seat: int) -> str:
        if self._seating is None:
            return f"your balance is {ended.balances[seat]:+d}"
        return f"this deal brings you {exact_chips(settle_in_units(ended.balances, ended.pot)[seat])}"


def _split_by_deal(events: list[Event]) -> list[list[Event]]:
    """Splits events after each end of a deal. The last part follows the last end."""
    ends = [place for place, event in enumerate(events, 1) if isinstance(event, DealEnded)]
    return [events[start:end] for start, end in pairwise([0, *ends, len(events)])]


def _is_about(incident: Incident, seat: int) -> bool:
    return getattr(incident.event, "seat", None) == seat
