"""Put each event of a deal in words, in full and for viewers who may not see the cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bourre.rules.cards import show
from bourre.rules.events import (
    AntePaid,
    CardDrawn,
    CardPlayed,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Event,
    FinePaid,
    HandDealt,
    MatchEnded,
    MatchPaid,
    PotCarried,
    PotShared,
    PotTaken,
    Stayed,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
)
from bourre.rules.visibility import public_event
from bourre_referee.text.narration.deal_story import DealStory
from bourre_referee.text.narration.deal_text import (
    declaration_words,
    draw_words,
    stay_words,
    trump_words,
    turned_card_words,
)
from bourre_referee.text.narration.incident_text import incident_words
from bourre_referee.text.narration.outcome_text import outcome_words


@dataclass(frozen=True, slots=True)
class EventText:
    """An event in words."""

    text: str
    public: str
    """The text for viewers who may not see the cards."""
    seat: int | None
    """The seat that the event belongs to, which may read the full text; None: no seat."""


def event_text(event: Event, story: DealStory, whole: DealStory, names: Sequence[str]) -> EventText:
    """Put an event in words; `story` ends with it, `whole` is the complete deal, `names` by seat."""
    text, public = ("; ".join(_words(seen, story, whole, names)) for seen in (event, public_event(event)))
    return EventText(text, public, seat_of(event))


def seat_of(event: Event) -> int | None:
    """Return the seat that the event belongs to; None: no seat."""
    seat: int | None = getattr(event, "seat", None)
    return seat


def _words(event: Event, story: DealStory, whole: DealStory, names: Sequence[str]) -> list[str]:
    match event:
        case DealStarted() | CardDrawn() | AntePaid() | HandDealt() | TrumpTurned() | TurnedReturned() | TrumpNamed():
            return [_opening_words(event, story, names)]
        case TurnedTaken() | Declared() | Drew() | Stayed() | CardPlayed() | TrickTaken():
            return [f"{names[event.seat]} {_action_words(event, story)}"]
        case PotTaken() | PotCarried() | MatchPaid() | FinePaid() | DealEnded() | PotShared() | MatchEnded():
            return [outcome_words(event, whole, names)]
        case _:
            return incident_words(replace(story.incidents[-1], event=event), story, names)


Opening = DealStarted | CardDrawn | AntePaid | HandDealt | TrumpTurned | TurnedReturned | TrumpNamed


def _opening_words(event: Opening, story: DealStory, names: Sequence[str]) -> str:
    """Describe an event before the declarations."""
    match event:
        case DealStarted(deal, dealer):
            return f"deal {deal}: {names[dealer]} deals" + f", {story.carried} in the pot" * bool(story.carried)
        case CardDrawn(seat, card):
            return f"{names[seat]} draws {card} for the first deal"
        case AntePaid(seat, chips):
            return f"{names[seat]} pays {_payment(seat, story)} of {chips}"
        case HandDealt(seat, cards):
            return f"{names[seat]} is dealt {show(cards) if cards is not None else f'{story.house.cards} cards'}"
        case TrumpTurned():
            return turned_card_words(event, story)
        case TurnedReturned(card):
            return f"{card} is shuffled back into the stock"
        case TrumpNamed():
            return trump_words(event, names)


def _payment(seat: int, story: DealStory) -> str:
    """Name what the seat has just paid into the pot."""
    if story.seats[seat].dealt:
        return "a second ante"
    return "an ante" if seat in story.antes else "a stake"


def _action_words(event: TurnedTaken | Declared | Drew | Stayed | CardPlayed | TrickTaken, story: DealStory) -> str:
    """Describe, as a verb, what a seat did."""
    match event:
        case TurnedTaken(card=card):
            return f"takes the turned {card}"
        case Declared():
            return declaration_words(event)
        case Drew(seat):
            return draw_words(event, story.seats[seat].took)
        case Stayed():
            return stay_words(event)
        case CardPlayed(seat, card):
            return f"{'leads' if next(iter(story.tricks[-1].cards)) == seat else 'plays'} {card}"
        case TrickTaken(trick=trick):
            return f"takes trick {trick}"
