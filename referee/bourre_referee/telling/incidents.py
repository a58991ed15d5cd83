"""What is out of the ordinary in a deal, said in a line: reneges, faults, forfeited turns, gathered stocks."""

from __future__ import annotations

from collections.abc import Sequence

from bourre.rules.cards import show
from bourre.rules.events import (
    DealForfeited,
    Faulted,
    HouseTookOver,
    Penalized,
    RenegeCorrected,
    Reneged,
    TurnForfeited,
)
from bourre_referee.telling.rules import sentence
from bourre_referee.telling.story import Incident


def incident_lines(incident: Incident, names: Sequence[str]) -> list[str]:
    """The incident in words, the first line saying where and who; `names` by seat."""
    where = f"trick {incident.trick}" if incident.trick else "before the play"
    first, *rest = _words(incident, names)
    return [f"! {where}: {first}", *(f"  {line}" for line in rest)]


def _words(incident: Incident, names: Sequence[str]) -> list[str]:
    match incident.event:
        case Reneged(seat, card, rule, legal, due):
            return [
                f"{names[seat]} reneges with {card}: {sentence(rule)}",
                f"holding {show(incident.hand)}; legal: {show(legal or ())}; costs {_chips(due)} if it stands",
            ]
        case RenegeCorrected(seat, card):
            return [
                f"{names[seat]} takes {card} back: cannot win this pot, forfeits its next turn to deal (R8.2)",
            ]
        case Penalized(seat, rule, due):
            return [f"{names[seat]} owes {_chips(due)} and cannot win this pot: {sentence(rule)}"]
        case Faulted(seat, fault):
            return [f"{names[seat]} is at fault: {fault.replace('_', ' ')}"]
        case DealForfeited(seat):
            return [f"{names[seat]} spoke before its turn: forfeits its next turn to deal (R4.7)"]
        case TurnForfeited(seat):
            return [f"{names[seat]} forfeits this turn to deal (R1.4)"]
        case HouseTookOver(seat):
            return [f"the house plays for {names[seat]} from here on"]
        case other:
            return [str(other)]


def _chips(match: int) -> str:
    return f"a match of {match}" if match else "no further match"
