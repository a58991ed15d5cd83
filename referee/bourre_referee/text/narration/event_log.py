"""Put each event of a deal in words, in full and for viewers who may not see the cards."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.events import Event
from bourre.rules.visibility import public_event
from bourre.words.table_words.deal_story import DealStory
from bourre.words.table_words.picture import seat_of
from bourre.words.table_words.readers import Reader
from bourre.words.table_words.sentences import tell


@dataclass(frozen=True, slots=True)
class EventText:
    """An event in words."""

    text: str
    public: str
    """The text for viewers who may not see the cards."""
    seat: int | None
    """The seat that the event belongs to, which may read the full text; None: no seat."""


def event_text(event: Event, story: DealStory, reader: Reader) -> EventText:
    """Put an event in words; `story` ends with it."""
    return EventText(tell(event, story, reader), tell(public_event(event), story, reader), seat_of(event))
