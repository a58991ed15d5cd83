"""What a bot's own log says of its reneges: rule, cards, cost, and where to see the whole deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bourre.rules.events import DealEnded, Event, MatchPaid, Reneged
from bourre.rules.house import HouseRules
from bourre_referee.names import seat_names
from bourre_referee.stories.incidents import incident_lines
from bourre_referee.stories.pieces import Incident
from bourre_referee.stories.story import DealStory, stories


class Report(NamedTuple):
    """Lines for the log of one seat's bot. They tell of no card that the seat could not see."""

    seat: int
    lines: list[str]


class Reporter:
    """Hears a match, and reports on the reneges of the deals that are over."""

    def __init__(self, match: str, bots: Sequence[str], house: HouseRules) -> None:
        self._match = match
        self._names = seat_names(bots)
        self._house = house
        self._events: list[Event] = []
        """Since the end of the last deal."""

    def hear(self, events: Iterable[Event]) -> None:
        """Takes what happened, in order."""
        self._events += events

    def reports(self) -> Iterator[Report]:
        """On the deals that have ended since the last time."""
        *deals, self._events = _parted(self._events)
        for events in deals:
            reneging = sorted({event.seat for event in events if isinstance(event, Reneged)})
            for story in stories(events, len(self._names), self._house) if reneging else ():
                for seat in reneging:
                    yield Report(seat, list(self._lines(story, seat)))

    def _lines(self, story: DealStory, seat: int) -> Iterator[str]:
        yield f"{self._match}, deal {story.number}: you broke a rule"
        for incident in story.incidents:
            if _is_about(incident, seat):
                yield from incident_lines(incident, story, self._names)
        for event in story.outcome:
            if isinstance(event, MatchPaid) and event.seat == seat:
                yield str(event)
            elif isinstance(event, DealEnded):
                command = f"bourre replay RUN {self._match} --deal {event.deal}"
                yield f"your balance is {event.balances[seat]:+d}; see it all: {command}"


def _parted(events: list[Event]) -> list[list[Event]]:
    """Deal by deal, each with its end; what follows the last end is the last part."""
    ends = [place for place, event in enumerate(events, 1) if isinstance(event, DealEnded)]
    return [events[start:end] for start, end in pairwise([0, *ends, len(events)])]


def _is_about(incident: Incident, seat: int) -> bool:
    return getattr(incident.event, "seat", None) == seat
