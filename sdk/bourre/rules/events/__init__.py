"""Everything that happens in a match: small facts with names in the past tense.

Fields that only one seat may know are `None` in what another seat sees; `visibility.public_event` removes them.
"""

from __future__ import annotations

from bourre.rules.events.chip_events import AntePaid, FinePaid, MatchPaid, PotCarried, PotShared, PotTaken
from bourre.rules.events.entry_events import (
    Declared,
    Drew,
    HandDealt,
    Stayed,
    StockGathered,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
)
from bourre.rules.events.match_events import (
    CardDrawn,
    DealEnded,
    DealForfeited,
    DealStarted,
    Faulted,
    HouseTookOver,
    MatchEnded,
    TurnForfeited,
)
from bourre.rules.events.play_events import (
    CardPlayed,
    Penalized,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    TrickReopened,
    TrickTaken,
)

__all__ = [
    "AntePaid",
    "CardDrawn",
    "CardPlayed",
    "DealEnded",
    "DealForfeited",
    "DealStarted",
    "Declared",
    "Drew",
    "Event",
    "Faulted",
    "FinePaid",
    "HandDealt",
    "HouseTookOver",
    "MatchEnded",
    "MatchPaid",
    "Penalized",
    "PotCarried",
    "PotShared",
    "PotTaken",
    "RenegeCorrected",
    "RenegeRetracted",
    "Reneged",
    "Stayed",
    "StockGathered",
    "TrickReopened",
    "TrickTaken",
    "TrumpNamed",
    "TrumpTurned",
    "TurnForfeited",
    "TurnedReturned",
    "TurnedTaken",
]

Event = (
    TurnForfeited
    | CardDrawn
    | DealStarted
    | AntePaid
    | HandDealt
    | TrumpTurned
    | TurnedReturned
    | TrumpNamed
    | TurnedTaken
    | Declared
    | Drew
    | Stayed
    | StockGathered
    | CardPlayed
    | Reneged
    | RenegeCorrected
    | RenegeRetracted
    | TrickReopened
    | Penalized
    | Faulted
    | DealForfeited
    | HouseTookOver
    | TrickTaken
    | PotTaken
    | PotCarried
    | MatchPaid
    | FinePaid
    | DealEnded
    | PotShared
    | MatchEnded
)
