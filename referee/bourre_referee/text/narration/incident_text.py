"""Put unusual events in words: reneges, faults, forfeited turns to deal, reshuffled stocks."""

from __future__ import annotations

from collections.abc import Sequence

from bourre.rules.cards import Card, show
from bourre.rules.events import (
    DealForfeited,
    Faulted,
    HouseTookOver,
    Penalized,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    StockGathered,
    TrickReopened,
    TurnForfeited,
)
from bourre.rules.sentences import sentence
from bourre.words.table_words import SUIT_NAMES
from bourre_referee.text.narration.deal_story import DealStory
from bourre_referee.text.narration.story_parts import Incident

IF_IT_STANDS = {
    "prompt": " if it stands",
    "silent": " if it stands",
    "retract": " if no legal card follows",
    "retract_renege": "",
    "strict": "",
}
"""When a renege must be paid for, by the house rule `renege_policy` (R8.4)."""


def incident_lines(incident: Incident, story: DealStory, names: Sequence[str]) -> list[str]:
    """Put the incident in words; the first line states where and who. `names` by seat."""
    where = f"trick {incident.trick}" if incident.trick else "before the play"
    first, *rest = incident_words(incident, story, names)
    return [f"! {where}: {first}", *(f"  {line}" for line in rest)]


def incident_words(incident: Incident, story: DealStory, names: Sequence[str]) -> list[str]:
    """Put the incident in words, without its place; hand and legal cards are left out if the event hides them."""
    policy = story.house.renege_policy
    match incident.event:
        case Reneged(seat, card, rule, legal, due):
            return [
                f"{names[seat]} reneges with {card}: {sentence(rule)}",
                f"{_position(incident, story, legal)}costs {_chips(due)}{IF_IT_STANDS[policy]}",
            ]
        case RenegeCorrected(seat, card):
            unasked = " unasked" * (policy == "silent")
            forfeits = "" if story.independent else ", forfeits its next turn to deal"
            return [f"{names[seat]} takes {card} back{unasked}: cannot win this pot{forfeits} (R8.2)"]
        case RenegeRetracted(seat, card):
            return [f"{names[seat]} takes {card} back{', at no cost' * (policy == 'retract')} (R8.4)"]
        case TrickReopened(trick):
            return [f"trick {trick} is open again"]
        case StockGathered(cards):
            return [f"the stock is empty: {cards} cards are gathered and shuffled (R4.4)"]
        case Penalized(seat, rule, due):
            return [f"{names[seat]} owes {_chips(due)} and cannot win this pot: {sentence(rule)}"]
        case Faulted(seat, fault):
            return [f"{names[seat]} is at fault: {fault.replace('_', ' ')}"]
        case DealForfeited(seat):
            forfeits = "" if story.independent else ": forfeits its next turn to deal"
            return [f"{names[seat]} spoke before its turn{forfeits} (R4.7)"]
        case TurnForfeited(seat):
            return [f"{names[seat]} forfeits this turn to deal (R1.4)"]
        case HouseTookOver(seat):
            return [f"the house plays for {names[seat]} from now on"]
        case other:
            return [str(other)]


def _chips(due: int) -> str:
    return f"{due} to match the pot" if due else "nothing more"


def _position(incident: Incident, story: DealStory, legal: tuple[Card, ...] | None) -> str:
    """Describe what decided which cards were legal: trick, trump and hand; empty if they are hidden."""
    if legal is None:
        return ""
    trick = f"on {show(incident.played)}" if incident.played else "leading"
    trumps = "" if story.trump is None else f"{SUIT_NAMES[story.trump]} trumps, "
    return f"{trick}, {trumps}holding {show(incident.hand)}; legal: {show(legal)}; "
