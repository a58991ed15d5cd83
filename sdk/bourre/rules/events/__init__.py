"""The events of a match: small facts with names in the past tense.

Fields that only one seat may know are `None` for other seats. `visibility.public_event` removes them.
"""

from __future__ import annotations

from bourre.rules.events.deal_events import (
    CardPlayed,
    Declared,
    Drew,
    HandDealt,
    Penalized,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    Stayed,
    StockGathered,
    TrickReopened,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
)
from bourre.rules.events.match_events import (
    AntePaid,
    CardDrawn,
    DealEnded,
    DealForfeited,
    DealStarted,
    Faulted,
    FinePaid,
    HouseTookOver,
    MatchEnded,
    MatchPaid,
    PotCarried,
    PotShared,
    PotTaken,
    TurnForfeited,
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
