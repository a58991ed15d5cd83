"""Split the events of a match by deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bourre.record import DealRecord, Record, chance_of, replay
from bourre.record.record_text import totals
from bourre.record.replayer import Step
from bourre.rules.events import CardDrawn, DealEnded, DealStarted, Event, MatchEnded, PotShared, TurnForfeited
from bourre.rules.house import HouseRules
from bourre.rules.visibility import public_event
from bourre.words.table_words.deal_story import DealStory, tell_story
from bourre.words.table_words.event_sentences import tell
from bourre.words.table_words.picture import seat_of
from bourre.words.table_words.readers import Reader


@dataclass(frozen=True, slots=True)
class DealEvents:
    """The events of one deal, in `duplicate` of one of its seatings."""

    number: int
    seating: int | None
    """The seating in `duplicate`, from 1, where each seating is settled separately. None in a session."""
    bots: tuple[str, ...]
    """The bots' names by seat."""
    house: HouseRules
    carried: int
    """Chips in the pot before the antes."""
    stake: int
    """Chips that every seat pays before the antes. 0 in a session."""
    balances: tuple[int, ...]
    """Chips before the antes, by seat."""
    events: tuple[Event, ...]
    first_events: tuple[int, ...] = ()
    """For each action of the deal, the index of the first event that followed."""

    @property
    def place(self) -> str:
        """The deal's place in the match: `deal 3`, in `duplicate` `deal 3, seating 2`."""
        return place_of(self.number, self.seating)

    def begin(self) -> DealStory:
        """Begins the story of this deal, before its first event."""
        return DealStory(
            self.house, list(self.balances), self.carried, stake=self.stake, independent=self.seating is not None
        )


def story_of(deal: DealEvents) -> DealStory:
    """Tells the story of this deal, as far as its events go."""
    return tell_story(deal.begin(), deal.events)


def place_of(number: int, seating: int | None) -> str:
    """Names a deal: `deal 3`, in `duplicate` `deal 3, seating 2`."""
    return f"deal {number}" if seating is None else f"deal {number}, seating {seating}"


def deals_of(record: Record) -> Iterator[DealEvents]:
    """Yields every deal in order, as soon as it is replayed. Raises RecordError if the rules contradict the record."""
    if record.header.format == "duplicate":
        return _duplicate_deals(record)
    return session_deals(replay(record), record.header.bots, record.header.house)


def deal_of(record: Record, number: int, seating: int | None) -> DealEvents | None:
    """Returns this deal, in `duplicate` in this seating (from 1). None if there is no such deal."""
    if record.header.format == "duplicate":  # its seatings do not depend on each other
        deals = tuple(deal for deal in record.deals if (deal.deal, deal.seating) == (number, seating))
        record = replace(record, deals=deals, final=totals(deals)) if deals else replace(record, deals=())
    return next((deal for deal in deals_of(record) if (deal.number, deal.seating) == (number, seating)), None)


def session_deals(steps: Iterable[Step], bots: Sequence[str], house: HouseRules) -> Iterator[DealEvents]:
    """Yields each deal of a session once the next begins. The last may be unfinished. `bots` are by seat."""
    carried, balances = 0, (0,) * len(bots)
    for deal in _split_by_deal(steps):
        number = next(event.deal for event in deal.events if isinstance(event, DealStarted))
        yield DealEvents(
            number, None, tuple(bots), house, carried, 0, balances, tuple(deal.events), tuple(deal.first_events)
        )
        for event in deal.events:
            if isinstance(event, DealEnded):
                carried, balances = event.pot, event.balances


def _duplicate_deals(record: Record) -> Iterator[DealEvents]:
    if not record.deals:
        return
    header, chance = record.header, chance_of(record.header)
    for deal, played in zip(record.deals, _split_by_deal(replay(record)), strict=True):
        yield DealEvents(
            number=deal.deal,
            seating=deal.seating,
            bots=_bots(deal, record),
            house=header.house,
            carried=0,
            stake=chance.stake(deal.deal),
            balances=(0,) * len(header.bots),
            # These two share the pot in whole chips, as in a session.
            events=tuple(event for event in played.events if not isinstance(event, PotShared | MatchEnded)),
            first_events=tuple(played.first_events),
        )


def _bots(deal: DealRecord, record: Record) -> tuple[str, ...]:
    return tuple(record.header.bots[number] for number in deal.line_up or range(len(record.header.bots)))


@dataclass(slots=True)
class _PlayedDeal:
    """The events of one deal so far."""

    events: list[Event] = field(default_factory=list)
    first_events: list[int] = field(default_factory=list)
    ended: bool = False


def _split_by_deal(steps: Iterable[Step]) -> Iterator[_PlayedDeal]:
    """Yields the events of each deal, which may begin with forfeited turns to deal or cards drawn for the deal.

    What came before a deal that has not begun is left out: a room may be watched at that moment.
    """
    deal = _PlayedDeal()
    for step in steps:
        if step.action is not None:
            deal.first_events.append(len(deal.events))
        for event in step.events:
            if deal.ended and isinstance(event, TurnForfeited | CardDrawn | DealStarted):
                yield deal
                deal = _PlayedDeal()
            deal.events.append(event)
            deal.ended = deal.ended or isinstance(event, DealEnded)
    if any(isinstance(event, DealStarted) for event in deal.events):
        yield deal


@dataclass(frozen=True, slots=True)
class EventText:
    """An event in words."""

    text: str
    public: str
    """The text for viewers who may not see the cards."""
    seat: int | None
    """The seat that the event belongs to, which may read the full text. None if it belongs to no seat."""


def event_text(event: Event, story: DealStory, reader: Reader) -> EventText:
    """Describes an event in words. `story` ends with it."""
    return EventText(tell(event, story, reader), tell(public_event(event), story, reader), seat_of(event))
