"""R8: plays against R5 and R6, their correction and their price."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Decision, Fault
from bourre.rules.cards import Card, card_set, parse_cards
from bourre.rules.events import (
    CardPlayed,
    Faulted,
    MatchPaid,
    Penalized,
    PotCarried,
    PotTaken,
    RenegeCorrected,
    Reneged,
    TrickTaken,
    TurnForfeited,
)
from bourre.rules.visibility import Renege, visible_to
from tests.sdk.rules.table import Table, of, stacked
from tests.sdk.rules.test_r7_settlement import settled

# Trump is spades; seat 1 leads, seat 2 has to follow with the king.
DECK = stacked("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6S")


def at_seat_2(deals: int = 2, **keys: Any) -> Table:
    """All are in, 9H is led: seat 2 is to play and only KH is legal."""
    table = Table(DECK, seats=3, deals=deals, **keys)
    table.say("1 in", "2 in", "0 in", "1 9H")
    return table


@pytest.mark.parametrize(
    ("hand", "led", "card", "rule"),
    [
        ("KH 6H 2C 6S 7S", "QH", "2C", "R5.2"),
        ("KH KD 2C 6S 7S", "QH", "KD", "R5.2"),
        ("KH 6H 2C 6S 7S", "QH", "6S", "R5.2"),
        ("KH 6H 2C 6S 7S", "QH", "6H", "R5.3"),
        ("KD 6D 2C 6S 7S", "QH", "2C", "R5.4"),
        ("AS KS QS 6S 7S", "QH", "6S", "R6.2"),
    ],
)
def test_r8_the_first_broken_rule_is_named(hand: str, led: str, card: str, rule: str) -> None:
    table = Table(stacked("2H 3H 8D TC 4S", f"{led} 8C 7D 6C 5D", hand), seats=3)
    table.say("1 in", "2 in", "0 in", f"1 {led}")
    (reneged,) = of(Reneged, table.say(f"2 {card}"))
    assert reneged.rule == rule


def test_r8_1_a_renege_that_stands_costs_a_match_and_the_pot() -> None:
    table = at_seat_2()
    events = table.say("2 2C", "2 2C") + table.finish()
    assert of(Penalized, events) == [Penalized(2, "R8.1", 3)]
    assert MatchPaid(2, 3, bourred=False, reneged=True) in events
    assert 2 not in [event.seat for event in of(PotTaken, events)]
    assert of(TurnForfeited, table.events) == []


def test_r8_1_the_card_stands_and_can_win_the_trick() -> None:
    table = at_seat_2()
    events = table.say("2 6S", "2 6S", "0 2H")
    assert events[-3:] == [CardPlayed(2, Card("6S")), CardPlayed(0, Card("2H")), TrickTaken(2, 1)]


def test_r8_1_offences_add_barred_once_one_match() -> None:
    table = at_seat_2(deals=1)
    events = table.say("2 2C", "2 2C", "0 2H", "1 8C", "2 4D", "2 4D")
    assert of(Penalized, events) == [Penalized(2, "R8.1", 3), Penalized(2, "R8.1", 0)]
    assert [event.match for event in of(Reneged, events)] == [3, 0]
    assert [event.chips for event in of(MatchPaid, table.finish()) if event.seat == 2] == [3]


def test_r8_1_the_match_is_that_of_the_pot_limit() -> None:
    table = at_seat_2(pot_limit=2)
    events = table.say("2 2C", "2 2C") + table.finish()
    assert of(Penalized, events) == [Penalized(2, "R8.1", 2)]
    assert MatchPaid(2, 2, bourred=False, reneged=True) in events


def test_r8_2_corrected_in_time_no_match_but_the_pot_and_a_turn_to_deal() -> None:
    table = at_seat_2(deals=4)
    assert table.say("2 2C") == [Reneged(2, Card("2C"), "R5.2", parse_cards("KH"), 3)]
    assert table.say("2 KH") == [RenegeCorrected(2, Card("2C")), CardPlayed(2, Card("KH"))]
    assert table.hands[2] == card_set(parse_cards("2C 3C 4D 6S"))
    events = table.finish()
    assert [event for event in of(MatchPaid, events) if event.seat == 2] == []
    assert 2 not in [event.seat for event in of(PotTaken, events)]
    table.finish()
    table.finish()
    assert table.dealers == [0, 1, 0, 1]
    assert of(TurnForfeited, table.events) == [TurnForfeited(2)]


def test_r8_2_one_turn_for_each_corrected_renege() -> None:
    table = at_seat_2()
    table.say("2 2C", "2 KH", "0 2H")
    table.say("2 3C", "0 3H", "0 TC")
    table.finish()
    assert table.match.owed_turns == [1, 0, 1]
    assert settled(7, "A3 B2", corrected="B B").forfeit_deal == ("B", "B")


def test_r8_2_two_turns_for_two_corrected_reneges_of_one_seat() -> None:
    table = at_seat_2()
    table.say("2 2C", "2 KH", "0 2H")
    table.play("4D 8D 7D  TC 8C")
    table.say("2 6S", "2 2C")
    table.finish()
    assert table.match.owed_turns == [0, 0, 2]


def test_r8_2_a_seat_without_a_trick_pays_as_bourre_all_the_same() -> None:
    table = Table(stacked("2H 3H 8D TC 2S", "AS KS QS JS TS", "3S 2C 3C 4D 6D"), seats=3)
    table.say("1 in", "2 in", "0 in", "1 AS", "2 2C", "2 3S")
    assert MatchPaid(2, 3, bourred=True, reneged=False) in table.finish()


def test_r8_2_corrected_once_and_reneged_again_owes_both() -> None:
    table = at_seat_2()
    table.say("2 2C", "2 KH", "0 2H", "2 2C", "0 TC", "1 6C", "0 8D", "1 5D", "2 3C", "2 3C")
    events = table.finish()
    assert MatchPaid(2, 3, bourred=False, reneged=True) in events
    assert table.match.owed_turns[2] == 1


def test_r8_3_a_barred_seat_alone_on_top_the_pot_stays_and_nobody_ties() -> None:
    result = settled(7, "A3 B1 C1", corrected="A")
    assert (result.winner, result.taken, result.carry, result.tied, result.exempt) == (None, {}, 7, (), ())
    assert settled(7, "A3 B1 C1", uncorrected="A").next_pot == 14


def test_r8_3_a_barred_seat_among_the_top_is_a_tie_of_all_of_them() -> None:
    result = settled(7, "A2 B2 C1", corrected="A")
    assert (result.winner, result.taken, result.carry, result.tied) == (None, {}, 7, ("A", "B"))
    assert result.exempt == ("A", "B")


def test_r8_3_a_barred_seat_below_the_top_changes_nothing() -> None:
    assert settled(7, "A3 B1 C1", corrected="B").taken == {"A": 7}


def test_r8_3_next_best_strikes_the_barred_out_first() -> None:
    assert settled(7, "A3 B1 C1", corrected="A", renege_pot="next_best").tied == ("B", "C")
    assert settled(7, "A2 B2 C1", corrected="A", renege_pot="next_best").taken == {"B": 7}
    nobody = settled(7, "A5 B0", uncorrected="A", renege_pot="next_best")
    assert (nobody.winner, nobody.carry, nobody.tied) == (None, 7, ())


def test_r8_3_in_a_match_the_pot_stays() -> None:
    table = Table(stacked("2H 3H 8D TC 2S", "AS KS QS JS 3D", "3S 2C 3C 4D 6D"), seats=3, deals=2)
    table.say("1 in", "2 in", "0 in", "1 3D", "1 AS")
    events = table.finish()
    assert of(PotTaken, events) == []
    assert of(PotCarried, events) == [PotCarried(3, ())]


def test_r8_4_prompt_asks_once_before_anything_else() -> None:
    table = at_seat_2()
    table.say("2 2C")
    assert (table.match.to_act, table.match.decision) == (2, Decision.PLAY)
    view = table.view
    assert view.correcting == Renege(Card("2C"), "R5.2", 3)
    assert view.correcting.sentence == "R5.2, follow suit if you can"
    assert view.legal == parse_cards("KH")
    assert view.trick == parse_cards("9H")
    assert Card("2C") in view.hand
    assert table.match.view(1).correcting is None


@pytest.mark.parametrize("second", ["2C", "3C", "6S"])
def test_r8_4_another_illegal_card_leaves_the_first_standing(second: str) -> None:
    table = at_seat_2()
    events = table.say("2 2C", f"2 {second}")
    assert events[1:] == [Penalized(2, "R8.1", 3), CardPlayed(2, Card("2C"))]
    assert table.match.to_act == 0


def test_r8_4_a_card_not_held_leaves_the_first_standing() -> None:
    events = at_seat_2().say("2 2C", "2 AS")
    assert events[1:] == [Faulted(2, Fault.NOT_HELD), Penalized(2, "R8.1", 3), CardPlayed(2, Card("2C"))]


@pytest.mark.parametrize("fault", [Fault.LATE, Fault.UNDECODABLE, Fault.CRASHED, Fault.DISCONNECTED])
def test_r8_4_silence_at_the_correction_leaves_the_first_standing(fault: Fault) -> None:
    events = at_seat_2().say("2 2C", f"2 ?{fault}")
    assert events[1:] == [Faulted(2, fault), Penalized(2, "R8.1", 3), CardPlayed(2, Card("2C"))]


def test_r8_4_the_last_card_that_can_be_a_renege_can_be_corrected() -> None:
    """The last to play in the last trick but one; after it each seat holds a single card."""
    table = Table(stacked("2H 3H 8D TC 4S", "9H 8H 7D 6C 5D", "KH QH 3C 4D 2D"), seats=3)
    table.say("1 in", "2 in", "0 in")
    table.play("9H KH 2H  QH 3H 8H  2D 8D 5D  TC 6C")
    (reneged,) = table.say("2 4D")
    assert reneged == Reneged(2, Card("4D"), "R5.2", parse_cards("3C"), 3)
    assert table.say("2 3C")[:2] == [RenegeCorrected(2, Card("4D")), CardPlayed(2, Card("3C"))]


def test_r8_4_the_recalled_card_was_seen_by_all_and_its_legal_cards_by_nobody_else() -> None:
    table = at_seat_2()
    events = table.say("2 2C")
    assert list(visible_to(2, events)) == events
    assert list(visible_to(0, events)) == [Reneged(2, Card("2C"), "R5.2", None, 3)]
    table.say("2 KH")
    assert table.match.view(0).recalled == ((2, Card("2C")),)
    assert table.match.view(0).barred == (2,)
