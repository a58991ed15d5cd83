"""R8.4: the renege policies that ask again, or never do; and R8.5 where the rules of the house add decisions."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Decision, Fault
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.events import (
    CardPlayed,
    Declared,
    Drew,
    Faulted,
    MatchPaid,
    Penalized,
    PotTaken,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    TrumpNamed,
    TurnForfeited,
)
from bourre.rules.house import CHOICES
from tests.sdk.rules.table import Table, of, stacked

# Trump is spades; 9H is led by seat 1: seat 2 has to follow with the king.
HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6S")
RENEGED = Reneged(2, Card("2C"), "R5.2", parse_cards("KH"), 3)


def at_seat_2(policy: str, deals: int = 3, **keys: Any) -> Table:
    """All are in, 9H is led: seat 2 is to play."""
    table = Table(stacked(*HANDS), seats=3, deals=deals, renege_policy=policy, **keys)
    table.say("1 in", "2 in", "0 in", "1 9H")
    return table


def owed(table: Table, seat: int) -> tuple[bool, bool, int]:
    """Plays the deal out: whether the seat matched the pot for a renege, whether it took the pot, the turns it owes."""
    turns = table.match.owed_turns[seat]
    events = table.finish()
    paid = any(event.reneged for event in of(MatchPaid, events) if event.seat == seat)
    passed_over = [event.seat for event in of(TurnForfeited, events)].count(seat)
    return (
        paid,
        seat in [event.seat for event in of(PotTaken, events)],
        table.match.owed_turns[seat] - turns + passed_over,
    )


@pytest.mark.parametrize("policy", ["retract", "retract_renege"])
def test_r8_4_retract_the_card_is_taken_back_and_the_seat_is_asked_once_more(policy: str) -> None:
    table = at_seat_2(policy)
    assert table.say("2 2C") == [RENEGED]
    assert (table.match.to_act, table.view.trick) == (2, parse_cards("9H"))
    assert table.view.correcting is not None
    assert Card("2C") in table.view.hand


def test_r8_4_retract_costs_nothing() -> None:
    table = at_seat_2("retract")
    assert table.say("2 2C", "2 KH")[1:] == [RenegeRetracted(2, Card("2C")), CardPlayed(2, Card("KH"))]
    assert table.view.barred == ()
    assert table.view.recalled == ((2, Card("2C")),)  # all seats have seen it
    table.say("0 2H")
    assert owed(table, 2) == (False, False, 0)


def test_r8_4_retract_the_seat_may_win_the_pot() -> None:
    hands = ("2H 3H 8D TC 2S", "AS KS QS JS 3D", "3S 2C 3C 4D 6D")
    table = Table(stacked(*hands), seats=3, deals=2, renege_policy="retract")
    table.say("1 in", "2 in", "0 in", "1 3D", "1 AS")
    assert owed(table, 1) == (False, True, 0)


def test_r8_4_retract_renege_is_asked_likewise_and_pays_in_full() -> None:
    table = at_seat_2("retract_renege")
    events = table.say("2 2C", "2 KH")
    assert events[1:] == [
        RenegeRetracted(2, Card("2C")),
        Penalized(2, "R8.1", 3),
        CardPlayed(2, Card("KH")),
    ]
    assert table.view.barred == (2,)
    table.say("0 2H")
    assert owed(table, 2) == (True, False, 0)


@pytest.mark.parametrize("policy", ["retract", "retract_renege"])
@pytest.mark.parametrize(
    ("second", "fault"), [("2C", None), ("3C", None), ("AS", Fault.NOT_HELD), ("?late", Fault.LATE)]
)
def test_r8_4_retract_a_second_illegal_card_is_no_card(policy: str, second: str, fault: Fault | None) -> None:
    table = at_seat_2(policy)
    events = table.say("2 2C", f"2 {second}")
    assert events[1:] == [
        *([Faulted(2, fault)] if fault else []),
        RenegeRetracted(2, Card("2C")),
        Penalized(2, "R8.5", 3),
        CardPlayed(2, Card("KH")),
    ]
    table.say("0 2H")
    assert owed(table, 2) == (True, False, 0)


@pytest.mark.parametrize("policy", ["retract", "retract_renege"])
def test_r8_4_retract_asks_again_at_the_next_renege(policy: str) -> None:
    table = at_seat_2(policy)
    events = table.say("2 2C", "2 KH", "0 2H", "2 2C", "0 TC", "1 5D", "1 6C")
    assert len(of(Reneged, events)) == 2
    assert [event.seat for event in of(RenegeRetracted, events)] == [2, 1]


def test_r8_4_strict_the_card_stands_and_nobody_is_asked() -> None:
    table = at_seat_2("strict")
    assert table.say("2 2C") == [RENEGED, Penalized(2, "R8.1", 3), CardPlayed(2, Card("2C"))]
    assert (table.match.to_act, table.view.correcting, table.view.barred) == (0, None, (2,))
    table.say("0 2H")
    assert owed(table, 2) == (True, False, 0)


def test_r8_4_strict_offences_add_to_one_match() -> None:
    table = at_seat_2("strict")
    events = table.say("2 2C", "0 2H", "1 8C", "2 4D")
    assert [event.match for event in of(Penalized, events)] == [3, 0]


def test_r8_4_prompt_is_the_default_and_makes_it_r8_2() -> None:
    table = at_seat_2("prompt")
    assert table.say("2 2C", "2 KH")[1:] == [RenegeCorrected(2, Card("2C")), CardPlayed(2, Card("KH"))]
    table.say("0 2H")
    assert owed(table, 2) == (False, False, 1)


@pytest.mark.parametrize("policy", CHOICES["renege_policy"])
def test_r8_4_a_renege_multiple_raises_what_is_owed_under_every_policy(policy: str) -> None:
    table = at_seat_2(policy, renege_multiple=2)
    events = table.say("2 2C", "2 3C") if policy not in ("strict", "silent") else table.say("2 2C")
    events += table.say("0 2H")
    assert of(Penalized, events)[0].match == 6
    assert of(Reneged, events)[0].match == 6


@pytest.mark.parametrize("policy", CHOICES["renege_policy"])
def test_r8_5_under_every_policy_no_card_is_the_lowest_legal_one_and_a_match(policy: str) -> None:
    events = at_seat_2(policy).say("2 ?late")
    assert events == [Faulted(2, Fault.LATE), Penalized(2, "R8.5", 3), CardPlayed(2, Card("KH"))]


@pytest.mark.parametrize("policy", CHOICES["renege_policy"])
def test_r8_5_under_every_policy_a_card_not_held_is_no_card(policy: str) -> None:
    events = at_seat_2(policy).say("2 AS")
    assert events == [Faulted(2, Fault.NOT_HELD), Penalized(2, "R8.5", 3), CardPlayed(2, Card("KH"))]


def test_r8_5_naming_trumps_the_suit_of_the_lowest_card() -> None:
    table = Table(stacked(*HANDS), seats=3, preset="nba")
    assert table.view.decision == Decision.NAME_TRUMP
    assert table.say("0 ?late") == [Faulted(0, Fault.LATE), TrumpNamed(0, Suit.H)]  # of 2H


@pytest.mark.parametrize("mode", ["separate", "simultaneous"])
def test_r8_5_in_declaring_it_passes_in_every_mode(mode: str) -> None:
    table = Table(stacked(*HANDS), seats=3, declare_mode=mode)
    table.say("1 in", "2 in")
    events = table.say("0 ?crashed")
    assert events[0] == Faulted(0, Fault.CRASHED)
    assert events[-1] == Declared(0, False)


@pytest.mark.parametrize("mode", ["separate", "simultaneous"])
def test_r8_5_in_drawing_it_stands_pat_in_every_mode(mode: str) -> None:
    table = Table(stacked(*HANDS), seats=3, declare_mode=mode)
    table.say("1 in", "2 in", "0 pass")
    assert table.say("1 ?late") == [Faulted(1, Fault.LATE), Drew(1, 0, (), ())]
