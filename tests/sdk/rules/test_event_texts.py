"""The exact text of each event, from which logs, replays and error messages are made."""

from __future__ import annotations

from typing import get_args

import pytest

from bourre.rules import events
from bourre.rules.actions import Fault
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.events import Event

QS, TWO = Card("QS"), parse_cards("2C 7H")

TEXTS: list[tuple[Event, str]] = [
    (events.AntePaid(3, 2), "seat 3 antes 2"),
    (events.CardDrawn(1, QS), "seat 1 draws QS for the deal"),
    (events.CardPlayed(1, QS), "seat 1 plays QS"),
    (events.DealEnded(4, (5, -7, 0), 2), "deal 4 ends: balances +5 -7 +0, pot 2"),
    (events.DealForfeited(2), "seat 2 answered before it was asked and forfeits its next turn to deal (R4.7)"),
    (events.DealStarted(4, 2), "deal 4: seat 2 deals"),
    (events.Declared(1, True), "seat 1 plays"),
    (events.Declared(1, False), "seat 1 passes"),
    (events.Declared(1, True, obliged=True), "seat 1 plays (obliged)"),
    (events.Drew(1, 0, (), ()), "seat 1 stands pat"),
    (events.Drew(1, 2, None, None), "seat 1 discards 2 cards"),
    (events.Drew(1, 2, TWO, None), "seat 1 discards 2 cards"),
    (events.Drew(1, 2, None, TWO), "seat 1 discards 2 cards"),
    (events.Drew(1, 2, TWO, parse_cards("3D AS")), "seat 1 discards 2C 7H, draws 3D AS"),
    (events.Faulted(1, Fault.ILLEGAL_DISCARD), "seat 1 is at fault: illegal discard"),
    (events.FinePaid(1, 10), "seat 1 pays 10 in fines"),
    (events.HandDealt(1, TWO), "seat 1 is dealt 2C 7H"),
    (events.HandDealt(1, None), "seat 1 is dealt its cards"),
    (events.HouseTookOver(1), "the house plays seat 1 from here on"),
    (events.MatchEnded((5, -5, 0)), "the match ends: +5 -5 +0"),
    (events.MatchPaid(1, 7, True, False), "seat 1 pays 7 for bourré"),
    (events.MatchPaid(1, 7, False, True), "seat 1 pays 7 for a renege"),
    (events.MatchPaid(1, 7, True, True), "seat 1 pays 7 for bourré and a renege"),
    (events.Penalized(1, "R8.5", 7), "seat 1 is barred from the pot and owes 7 to match it (R8.5)"),
    (events.PotCarried(7, (1, 3)), "seats 1, 3 tie: 7 stays in the pot"),
    (events.PotCarried(0, (1, 3)), "seats 1, 3 tie: nothing stays in the pot"),
    (events.PotCarried(7, ()), "its winner is barred: 7 stays in the pot"),
    (events.PotCarried(7, (), played=False), "nobody plays: 7 stays in the pot"),
    (events.PotShared(1, 2), "seat 1 gets 2 of the pot left on the table"),
    (events.PotTaken(1, 7), "seat 1 takes 7 from the pot"),
    (
        events.RenegeCorrected(1, QS),
        "seat 1 takes back QS, is barred from the pot and forfeits its next turn to deal (R8.2)",
    ),
    (events.Reneged(1, QS, "R5.2", None, 7), "seat 1 reneges with QS (R5.2; matching the pot costs 7)"),
    (events.Reneged(1, QS, "R5.2", TWO, 7), "seat 1 reneges with QS (R5.2; legal: 2C 7H; matching the pot costs 7)"),
    (events.RenegeRetracted(1, QS), "seat 1 takes back QS (R8.4)"),
    (events.Stayed(1, True), "seat 1 stays"),
    (events.Stayed(1, False), "seat 1 passes after the draw"),
    (events.StockGathered(9), "the stock is empty: 9 cards are gathered and shuffled (R4.4)"),
    (events.TrickReopened(2), "trick 2 is open again"),
    (events.TrickTaken(1, 2), "seat 1 takes trick 2"),
    (events.TrumpNamed(1, Suit.S), "seat 1 names the trump: S"),
    (events.TrumpTurned(QS, Suit.S), "QS is turned up: trump is S"),
    (events.TurnForfeited(1), "seat 1 forfeits its turn to deal (R1.4)"),
    (events.TurnedReturned(QS), "QS is shuffled back into the stock"),
    (events.TurnedTaken(1, QS), "seat 1 takes QS into its hand"),
]


@pytest.mark.parametrize(("event", "text"), TEXTS, ids=lambda word: type(word).__name__)
def test_an_event_reads_so(event: Event, text: str) -> None:
    assert str(event) == text


def test_every_kind_of_event_is_here() -> None:
    assert {type(event) for event, _ in TEXTS} == set(get_args(Event))
