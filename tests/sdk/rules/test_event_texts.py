"""What each event says, to the letter: logs, replays and error messages are made of it."""

from __future__ import annotations

from typing import get_args

import pytest

from bourre.rules.actions import Fault
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.events import (
    AntePaid,
    CardDrawn,
    CardPlayed,
    DealEnded,
    DealForfeited,
    DealStarted,
    Declared,
    Drew,
    Event,
    Faulted,
    FinePaid,
    HandDealt,
    HouseTookOver,
    MatchEnded,
    MatchPaid,
    Penalized,
    PotCarried,
    PotShared,
    PotTaken,
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
    TurnForfeited,
)

QS, TWO = Card("QS"), parse_cards("2C 7H")

TEXTS: list[tuple[Event, str]] = [
    (AntePaid(3, 2), "seat 3 antes 2"),
    (CardDrawn(1, QS), "seat 1 draws QS for the deal"),
    (CardPlayed(1, QS), "seat 1 plays QS"),
    (DealEnded(4, (5, -7, 0), 2), "deal 4 ends: balances +5 -7 +0, pot 2"),
    (DealForfeited(2), "seat 2 announced prematurely and forfeits its next turn to deal (R4.7)"),
    (DealStarted(4, 2), "deal 4: seat 2 deals"),
    (Declared(1, True), "seat 1 plays"),
    (Declared(1, False), "seat 1 passes"),
    (Declared(1, True, obliged=True), "seat 1 plays (obliged)"),
    (Drew(1, 0, (), ()), "seat 1 stands pat"),
    (Drew(1, 2, None, None), "seat 1 discards 2 cards"),
    (Drew(1, 2, TWO, None), "seat 1 discards 2 cards"),
    (Drew(1, 2, None, TWO), "seat 1 discards 2 cards"),
    (Drew(1, 2, TWO, parse_cards("3D AS")), "seat 1 discards 2C 7H, draws 3D AS"),
    (Faulted(1, Fault.ILLEGAL_DISCARD), "seat 1 is at fault: illegal discard"),
    (FinePaid(1, 10), "seat 1 pays 10 in fines"),
    (HandDealt(1, TWO), "seat 1 is dealt 2C 7H"),
    (HandDealt(1, None), "seat 1 is dealt its cards"),
    (HouseTookOver(1), "the house plays seat 1 from here on"),
    (MatchEnded((5, -5, 0)), "the match ends: +5 -5 +0"),
    (MatchPaid(1, 7, True, False), "seat 1 pays 7 for bourré"),
    (MatchPaid(1, 7, False, True), "seat 1 pays 7 for a renege"),
    (MatchPaid(1, 7, True, True), "seat 1 pays 7 for bourré and a renege"),
    (Penalized(1, "R8.5", 7), "seat 1 is barred from the pot and owes a match of 7 (R8.5)"),
    (PotCarried(7, (1, 3)), "seats 1, 3 tie: 7 stays in the pot"),
    (PotCarried(0, (1, 3)), "seats 1, 3 tie: nothing stays in the pot"),
    (PotCarried(7, ()), "its winner is barred: 7 stays in the pot"),
    (PotCarried(7, (), played=False), "nobody plays: 7 stays in the pot"),
    (PotShared(1, 2), "seat 1 gets 2 of the pot left on the table"),
    (PotTaken(1, 7), "seat 1 takes 7 from the pot"),
    (RenegeCorrected(1, QS), "seat 1 takes back QS: barred from the pot, forfeits its next turn to deal (R8.2)"),
    (Reneged(1, QS, "R5.2", None, 7), "seat 1 reneges with QS (R5.2; a match of 7)"),
    (Reneged(1, QS, "R5.2", TWO, 7), "seat 1 reneges with QS (R5.2; legal: 2C 7H; a match of 7)"),
    (RenegeRetracted(1, QS), "seat 1 takes back QS (R8.4)"),
    (Stayed(1, True), "seat 1 stays"),
    (Stayed(1, False), "seat 1 passes after the draw"),
    (StockGathered(9), "the stock is empty: 9 cards are gathered and shuffled (R4.4)"),
    (TrickReopened(2), "trick 2 is open again"),
    (TrickTaken(1, 2), "seat 1 takes trick 2"),
    (TrumpNamed(1, Suit.S), "seat 1 names the trump: S"),
    (TrumpTurned(QS, Suit.S), "QS is turned up: trump is S"),
    (TurnForfeited(1), "seat 1 forfeits its turn to deal (R1.4)"),
    (TurnedReturned(QS), "QS is shuffled back into the stock"),
    (TurnedTaken(1, QS), "seat 1 takes QS into its hand"),
]


@pytest.mark.parametrize(("event", "text"), TEXTS, ids=lambda word: type(word).__name__)
def test_an_event_reads_so(event: Event, text: str) -> None:
    assert str(event) == text


def test_every_kind_of_event_is_here() -> None:
    assert {type(event) for event, _ in TEXTS} == set(get_args(Event))
