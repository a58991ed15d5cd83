"""R4.1 to R4.6 in separate rounds and with all declaring at once; `must_hold`; the limit for a crowd."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Decision, Fault
from bourre.rules.cards import DECK, Suit, parse_cards, show
from bourre.rules.events import (
    AntePaid,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Faulted,
    PotCarried,
    PotTaken,
    StockGathered,
    TrumpNamed,
)
from tests.sdk.rules.table import Table, of, stacked

HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6D")
ACE_UP = ("2H 3H 8D TC AS", *HANDS[1:])
NO_CLUB = ("2H 3H 8D TD 4S", "9H 8H 7D 6D 5D", "KH 2S 3D 4D TH")
"""Seat 1 holds neither trump (spades) nor club."""


def at(mode: str, *hands: str, deals: int = 2, **keys: Any) -> Table:
    """A table where seat 0 deals."""
    return Table(stacked(*(hands or HANDS), stock="AH AD AC"), seats=3, deals=deals, declare_mode=mode, **keys)


def test_r4_1_separate_all_declare_in_turn_and_then_draw_in_turn() -> None:
    table = at("separate")
    assert table.say("1 in") == [Declared(1, True)]
    assert table.view.plays == (None, True, None)  # others see it before they declare
    assert table.say("2 pass") == [Declared(2, False)]
    assert table.say("0 in") == [Declared(0, True)]
    assert (table.match.to_act, table.match.decision) == (1, Decision.DRAW)
    assert of(Drew, table.say("1 draw 5D 6C"))[0].received == parse_cards("AD AH")
    assert (table.match.to_act, table.match.decision) == (0, Decision.DRAW)
    table.say("0 draw 2H")
    assert (table.match.to_act, table.match.decision) == (1, Decision.PLAY)


def test_r4_1_simultaneous_all_declare_unseen_and_are_revealed_when_the_last_is_in() -> None:
    table = at("simultaneous")
    assert list(table.match.asked) == [1, 2, 0]
    assert table.say("1 in") == []
    assert list(table.match.asked) == [2, 0]
    assert all(table.match.view(seat).plays == (None, None, None) for seat in range(3))
    assert table.say("2 pass") == []
    assert table.say("0 in") == [Declared(1, True), Declared(2, False), Declared(0, True)]
    assert list(table.match.asked) == [1]
    assert table.view.decision == Decision.DRAW
    table.say("1 draw 5D", "0 draw")
    assert table.match.decision == Decision.PLAY


@pytest.mark.parametrize("mode", ["separate", "simultaneous"])
def test_r4_1_discards_belong_to_the_draw_and_are_a_fault_in_a_declaration(mode: str) -> None:
    table = at(mode)
    events = table.say("1 in 5D 6C", "2 pass", "0 in")
    assert of(Faulted, events) == [Faulted(1, Fault.ILLEGAL_DISCARD)]
    assert of(Drew, events) == []
    assert table.match.view(1).hand == parse_cards("5D 6C 7D 8C 9H")
    assert (table.view.decision, table.view.drawn) == (Decision.DRAW, (None, None, None))


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_r4_1_whoever_passes_is_not_asked_to_draw(mode: str) -> None:
    table = at(mode)
    table.say("1 pass", "2 in", "0 in")
    asked = table.match.to_act if mode != "turn" else 2
    assert (asked, table.match.view(1).drawn[1]) == (2, None)


@pytest.mark.parametrize(("seats", "most"), [(6, 5), (7, 3), (8, 3)])
def test_r4_3_seven_player_limit_three_cards_from_seven_seats_on(seats: int, most: int) -> None:
    hands = [show(DECK[5 * seat : 5 * seat + 5]) for seat in range(seats)]
    table = Table(stacked(*hands), seats=seats, seven_player_limit=3)
    assert table.view.max_discards == most
    discards = show(table.view.hand[: most + 1] if most < 5 else table.view.hand)
    faults = of(Faulted, table.say(f"1 in {discards}"))
    assert faults == ([Faulted(1, Fault.ILLEGAL_DISCARD)] if most == 3 else [])


def test_r4_3_seven_player_limit_never_raises_max_discards() -> None:
    hands = [show(DECK[5 * seat : 5 * seat + 5]) for seat in range(7)]
    assert Table(stacked(*hands), seats=7, seven_player_limit=3, max_discards=2).view.max_discards == 2


# Eight seats: twelve cards are left, JS to AS.
CROWD = [show(DECK[5 * seat : 5 * seat + 5]) for seat in range(8)]


def crowd(**keys: Any) -> Table:
    """Seats 1, 3 and 4 change all their cards; seats 2 and 5 pass, in turn."""
    table = Table(stacked(*CROWD), seats=8, **keys)
    table.say(f"1 in {CROWD[1]}", "2 pass", f"3 in {CROWD[3]}", f"4 in {CROWD[4]}")
    return table


def test_r4_4_together_discards_and_passed_hands_are_gathered_at_once() -> None:
    assert of(StockGathered, crowd(recycle="together").events) == [StockGathered(15)]


def test_r4_4_folded_first_passed_hands_first_and_discards_only_when_those_are_used_up() -> None:
    table = crowd(recycle="folded_first")
    assert of(StockGathered, table.events) == [StockGathered(5)]
    assert set(table.chance.gatherings[0]) == set(parse_cards(CROWD[2]))
    table.say("5 pass")
    events = table.say(f"6 in {CROWD[6]}")  # two cards are left; then seat 5's hand
    assert of(StockGathered, events) == [StockGathered(5)]
    assert set(table.chance.gatherings[1]) == set(parse_cards(CROWD[5]))
    events = table.say(f"7 in {CROWD[7]}")  # two are left; no passed hand: the discards of 1, 3, 4 and 6
    assert of(StockGathered, events) == [StockGathered(20)]
    thrown = " ".join(CROWD[seat] for seat in (1, 3, 4, 6))
    assert set(table.chance.gatherings[2]) == set(parse_cards(thrown))


def test_r4_4_folded_first_where_no_passed_hand_is_left_the_discards_come() -> None:
    table = Table(stacked(*CROWD), seats=8, recycle="folded_first", max_discards=5)
    table.say(f"1 in {CROWD[1]}", f"2 in {CROWD[2]}", "3 pass", f"4 in {CROWD[4]}", f"5 in {CROWD[5][:8]}")
    assert [event.cards for event in of(StockGathered, table.events)] == [5, 15]


@pytest.mark.parametrize("mode", ["separate", "simultaneous"])
def test_r4_4_in_a_round_of_its_own_all_passed_hands_are_there_to_gather(mode: str) -> None:
    table = Table(stacked(*CROWD), seats=8, declare_mode=mode)
    table.say("1 in", "2 in", "3 in", "4 in", "5 in", "6 in", "7 pass", "0 pass")
    events = table.say(*[f"{seat} draw {CROWD[seat]}" for seat in (1, 2, 3)])
    assert of(StockGathered, events) == [StockGathered(20)]
    assert set(table.chance.gatherings[0]) == set(parse_cards(" ".join(CROWD[seat] for seat in (0, 1, 2, 7))))


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_r4_5_in_every_mode_the_dealer_with_the_ace_is_in_and_not_asked_to_declare(mode: str) -> None:
    table = at(mode, *ACE_UP)
    assert table.events[-1] == Declared(0, True, obliged=True)
    assert 0 not in table.match.asked
    table.say("1 in", "2 pass")
    if mode != "turn":
        table.say("1 draw")
    assert (table.match.asked, table.match.decision) == ((0,), Decision.DRAW)


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_r4_5_in_every_mode_alone_with_the_ace_the_dealer_wins_without_a_draw(mode: str) -> None:
    events = at(mode, *ACE_UP).say("1 pass", "2 pass")
    assert of(PotTaken, events) == [PotTaken(0, 3)]
    assert of(Drew, events) == []


@pytest.mark.parametrize("form", ["separate_dead", "separate_dealer_option", "separate_returned"])
def test_r4_5_an_ace_that_is_not_in_the_dealers_hand_obliges_nobody(form: str) -> None:
    table = Table(stacked(*HANDS, stock="AS"), seats=3, trump_card=form)
    assert of(Declared, table.events) == []
    assert of(Declared, Table(stacked(*ACE_UP, stock="2S"), seats=3, trump_card=form).events) == []


@pytest.mark.parametrize("mode", ["turn", "separate"])
def test_r4_6_in_turn_the_dealer_whom_all_others_left_alone_must_play_unasked(mode: str) -> None:
    events = at(mode).say("1 pass", "2 pass")
    assert of(Declared, events)[2] == Declared(0, True, obliged=True)
    assert of(PotTaken, events) == [PotTaken(0, 3)]
    assert of(Drew, events) == []


def test_r4_6_simultaneous_nobody_may_be_in_the_pot_stays_and_nobody_is_exempt() -> None:
    table = at("simultaneous", ante=2)
    events = table.say("1 pass", "2 pass", "0 pass")
    assert of(Declared, events) == [Declared(1, False), Declared(2, False), Declared(0, False)]
    assert of(PotCarried, events) == [PotCarried(6, (), played=False)]
    assert str(of(PotCarried, events)[0]) == "nobody plays: 6 stays in the pot"
    assert [event.seat for event in of(AntePaid, events)] == [0, 1, 2]
    assert table.pot == 12


def test_r4_6_simultaneous_the_dealer_may_be_the_lone_player_by_his_own_choice() -> None:
    events = at("simultaneous").say("1 pass", "2 pass", "0 in")
    assert of(Declared, events)[2] == Declared(0, True)
    assert of(PotTaken, events) == [PotTaken(0, 3)]


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_r4_6_must_hold_a_hand_that_fails_is_passed_unasked(mode: str) -> None:
    table = at(mode, *NO_CLUB, must_hold="trump_or_club")
    assert 1 not in table.match.asked
    table.say("2 in", "0 in")
    assert of(Declared, table.events) in (
        [Declared(1, False, obliged=True), Declared(2, True), Declared(0, True)],
        [Declared(2, True), Declared(1, False, obliged=True), Declared(0, True)],
    )


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_r4_6_must_hold_none_asks_everybody(mode: str) -> None:
    assert 1 in at(mode, *NO_CLUB, must_hold="none").match.asked


@pytest.mark.parametrize(
    ("hand", "may"), [("9H 8H 7D 6D 2C", True), ("9H 8H 7D 6D 2S", True), ("9H 8H 7D 6D 5D", False)]
)
def test_r4_6_must_hold_a_trump_or_a_club(hand: str, may: bool) -> None:
    table = at("turn", NO_CLUB[0], hand, "KH 3S 3D 4D TH", must_hold="trump_or_club")
    assert (table.match.to_act == 1) == may


def test_r4_6_must_hold_is_judged_on_the_dealt_cards() -> None:
    table = at("turn", "2H 3H 8D TC 4S", "9H 8H 7D 6D 2C", "KH 2S 3D 4D TH", must_hold="trump_or_club")
    events = table.say("1 in 2C")  # draws AH: no club is left, and yet the seat is in
    assert of(Declared, events) == [Declared(1, True)]
    assert table.view.plays[1] is True


BARRED_DEALER = ("2H 3H 8D TD 4D", "9H 8C 7D 6D 5D", "KH 2S 3D 5H TH")


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_r4_6_where_must_hold_bars_the_dealer_too_nobody_is_in_and_the_pot_stays(mode: str) -> None:
    deck = stacked(*BARRED_DEALER, stock="9S")
    table = Table(deck, seats=3, deals=2, declare_mode=mode, trump_card="separate_dead", must_hold="trump_or_club")
    events = table.say("1 pass", "2 pass")
    assert of(Declared, events)[2] == Declared(0, False, obliged=True)
    assert of(PotCarried, events) == [PotCarried(3, (), played=False)]
    assert [event.seat for event in of(AntePaid, events)] == [0, 1, 2]  # nobody has become exempt
    assert table.pot == 6


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_r4_6_deals_that_nobody_may_play_pass_by_themselves(mode: str) -> None:
    hands = ("2H 3H 8D TD 4D", "9H 8H 7D 6D 5D", "KH 2D 3D 5H TH")
    keys: dict[str, Any] = {"trump_card": "separate_dead", "must_hold": "trump_or_club", "declare_mode": mode}
    table = Table(stacked(*hands, stock="9S"), seats=3, deals=3, **keys)
    assert table.match.over
    assert [event.pot for event in of(DealEnded, table.events)] == [3, 6, 9]
    assert table.dealers == [0, 1, 2]
    assert table.balances == [0, 0, 0]
    assert all(event.obliged and not event.plays for event in of(Declared, table.events))


def test_r4_6_with_a_trump_named_must_hold_is_judged_by_it() -> None:
    hands = ("2H 3H 8D TD 4D", "9H 8H 7D 6D 5D", "KH 2S 3D 5H TH")
    table = at("separate", *hands, trump_card="dealer_chooses", must_hold="trump_or_club")
    assert table.say("0 trump S") == [TrumpNamed(0, Suit.S), Declared(1, False, obliged=True)]
    assert table.match.asked == (2,)


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_r4_8_the_lone_player_does_not_draw_in_rounds_of_their_own(mode: str) -> None:
    events = at(mode).say("1 in", "2 pass", "0 pass")
    assert of(PotTaken, events) == [PotTaken(1, 3)]
    assert len(of(Drew, events)) == (1 if mode == "turn" else 0)
    assert of(DealStarted, events) == [DealStarted(2, 1)]
