"""Writes a bot's reneges into its own log: the rule, the cards, the cost, and how to see the whole deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bourre.rules.events import DealEnded, Event, MatchPaid, Reneged
from bourre.rules.pot import settle_in_units
from bourre.words.table_words.deal_story import DealStory, tell_story
from bourre.words.table_words.readers import Reader, exact_chips
from bourre.words.table_words.sentences import incident_lines
from bourre.words.table_words.story_parts import Incident
from bourre_referee.model.spec import MatchSpec
from bourre_referee.text.names import seat_names
from bourre_referee.text.narration.events_by_deal import place_of


class Report(NamedTuple):
    """Lines for the log of one seat's bot. They name no card that the seat could not see."""

    seat: int
    lines: list[str]


class Reporter:
    """Follows a match, and reports the reneges of finished deals."""

    def __init__(self, spec: MatchSpec) -> None:
        self._match = spec.match
        self._reader = Reader(seat_names(spec.line_up))
        self._house = spec.house
        self._seating = spec.board.seating if spec.board else None
        self._carried = 0
        """Chips in the pot from the deal before."""
        self._events: list[Event] = []
        """The events since the end of the last deal."""

    def hear(self, events: Iterable[Event]) -> None:
        """Takes the next events, in order."""
        self._events += events

    def reports(self) -> Iterator[Report]:
        """Yields reports on the deals that ended since the last call."""
        *deals, self._events = _split_by_deal(self._events)
        for events in deals:
            reneging = sorted({event.seat for event in events if isinstance(event, Reneged)})
            if reneging:
                story = self._story(events)
                yield from (Report(seat, list(self._lines(story, seat))) for seat in reneging)
            self._carried = sum(event.pot for event in events if isinstance(event, DealEnded))

    def _story(self, events: Sequence[Event]) -> DealStory:
        balances = [0] * len(self._reader.names)  # which nobody reads here
        return tell_story(
            DealStory(self._house, balances, self._carried, independent=self._seating is not None), events
        )

    def _lines(self, story: DealStory, seat: int) -> Iterator[str]:
        yield f"{self._match}, {place_of(story.number, self._seating)}: you broke a rule"
        for incident in story.incidents:
            if _is_about(incident, seat):
                yield from incident_lines(incident, story, self._reader)
        for event in story.outcome:
            if isinstance(event, MatchPaid) and event.seat == seat:
                yield str(event)
            elif isinstance(event, DealEnded):
                command = f"bourre replay RUN {self._match} --deal {event.deal}"
                yield f"{self._balance(event, seat)}; see it all: {command}"

    def _balance(self, ended: DealEnded, seat: int) -> str:
        if self._seating is None:
            return f"your balance is {ended.balances[seat]:+d}"
        return f"this deal brings you {exact_chips(settle_in_units(ended.balances, ended.pot)[seat])}"


def _split_by_deal(events: list[Event]) -> list[list[Event]]:
    """Splits events after each end of a deal; the last part holds what follows the last end."""
    ends = [place for place, event in enumerate(events, 1) if isinstance(event, DealEnded)]
    return [events[start:end] for start, end in pairwise([0, *ends, len(events)])]


def _is_about(incident: Incident, seat: int) -> bool:
    return getattr(incident.event, "seat", None) == seat
