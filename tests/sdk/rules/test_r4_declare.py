"""R4: declaring and drawing, the obliged dealer, the lone player, premature announcements."""

from __future__ import annotations

import pytest

from bourre.rules.actions import Decision, Fault
from bourre.rules.cards import Card, card_set, parse_cards
from bourre.rules.events import (
    CardPlayed,
    DealForfeited,
    DealStarted,
    Declared,
    Drew,
    Faulted,
    MatchPaid,
    PotTaken,
    TurnForfeited,
)
from tests.sdk.rules.table import Table, of, stacked

HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6D")
ACE_UP = ("2H 3H 8D TC AS", *HANDS[1:])


def test_r4_1_in_one_turn_each_seat_passes_or_plays_and_is_served_at_once() -> None:
    table = Table(stacked(*HANDS, stock="AH AD AC"), seats=3)
    assert (table.match.to_act, table.match.decision) == (1, Decision.DECLARE)
    assert table.say("1 in 5D 6C") == [
        Declared(1, True),
        Drew(1, 2, parse_cards("6C 5D")[::-1], parse_cards("AD AH")),
    ]
    assert table.match.view(1).hand == parse_cards("7D 8C 9H AD AH")
    assert table.match.to_act == 2
    assert table.say("2 pass") == [Declared(2, False)]
    table.say("0 in 2H")
    assert table.match.decision == Decision.PLAY
    assert table.hands[0] >> Card("AC") & 1


def test_r4_1_others_see_who_is_in_before_they_declare() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in 5D 6C", "2 pass")
    assert table.view.plays == (None, True, False)
    assert table.view.drawn == (None, 2, None)


def test_r4_2_a_passed_hand_wins_and_loses_nothing_more() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=2)
    table.say("1 in", "2 pass", "0 in")
    events = table.finish()
    assert 2 not in [event.seat for event in events if isinstance(event, CardPlayed | PotTaken | MatchPaid)]
    assert table.balances[2] == -2  # its ante, and that of the next deal


@pytest.mark.parametrize("discards", ["", "9H", "9H 8C 7D 6C 5D"])
def test_r4_3_none_to_five_cards_may_be_discarded(discards: str) -> None:
    table = Table(stacked(*HANDS), seats=3)
    events = table.say(f"1 in {discards}".strip())
    (drew,) = of(Drew, events)
    assert (drew.number, drew.discarded) == (len(discards.split()), tuple(sorted(parse_cards(discards))))
    assert table.hands[1].bit_count() == 5
    assert table.hands[1] & card_set(parse_cards(discards)) == 0


def test_r4_3_max_discards_is_the_limit() -> None:
    table = Table(stacked(*HANDS), seats=3, max_discards=2)
    assert table.view.max_discards == 2
    events = table.say("1 in 9H 8C 7D")
    assert events == [Declared(1, True), Faulted(1, Fault.ILLEGAL_DISCARD), Drew(1, 0, (), ())]
    assert table.say("2 in KH 2C")[-1] == Drew(2, 2, parse_cards("2C KH"), parse_cards("2D 2S"))


def test_r4_3_with_eight_seats_five_may_be_discarded_too() -> None:
    hands = ["2H 3H 4H 5H 6H", "7H 8H 9H TH JH", "2C 3C 4C 5C 6C", "7C 8C 9C TC JC"]
    hands += ["2D 3D 4D 5D 6D", "7D 8D 9D TD JD", "2S 3S 4S 5S 6S", "7S 8S 9S TS JS"]
    assert Table(stacked(*hands), seats=8).view.max_discards == 5


def test_r4_5_the_dealer_with_the_ace_must_play_and_is_asked_for_discards_only() -> None:
    table = Table(stacked(*ACE_UP), seats=3)
    assert table.events[-1] == Declared(0, True, obliged=True)
    assert table.view.plays == (True, None, None)
    table.say("1 in", "2 pass")
    assert (table.match.to_act, table.match.decision) == (0, Decision.DRAW)
    events = table.say("0 draw 2H 3H")
    assert of(Declared, events) == []
    assert of(Drew, events)[0].number == 2
    assert table.match.decision == Decision.PLAY


def test_r4_5_the_dealer_may_discard_the_ace() -> None:
    table = Table(stacked(*ACE_UP, stock="5S"), seats=3)
    table.say("1 in", "2 pass", "0 draw AS")
    assert table.match.view(0).hand == parse_cards("2H 3H 5S 8D TC")


def test_r4_5_an_ace_below_the_turned_card_obliges_nobody() -> None:
    table = Table(stacked("AS 3H 8D TC 4S", *HANDS[1:]), seats=3)
    assert of(Declared, table.events) == []
    table.say("1 in", "2 pass")
    assert table.match.decision == Decision.DECLARE


def test_r4_5_alone_the_dealer_with_the_ace_wins_without_a_draw() -> None:
    table = Table(stacked(*ACE_UP), seats=3)
    events = table.say("1 pass", "2 pass")
    assert of(PotTaken, events) == [PotTaken(0, 3)]
    assert of(Drew, events) == []
    assert of(Declared, events) == [Declared(1, False), Declared(2, False)]


def test_r4_6_when_all_others_passed_the_dealer_must_play_unasked() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=2)
    events = table.say("1 pass", "2 pass")
    assert events[:4] == [Declared(1, False), Declared(2, False), Declared(0, True, obliged=True), PotTaken(0, 3)]
    assert of(DealStarted, events) == [DealStarted(2, 1)]
    assert of(Drew, events) == []


def test_r4_6_with_another_in_the_dealer_may_pass() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=2)
    table.say("1 in", "2 pass")
    assert (table.match.to_act, table.match.decision) == (0, Decision.DECLARE)
    assert of(PotTaken, table.say("0 pass")) == [PotTaken(1, 3)]


@pytest.mark.parametrize("times", [1, 2])
def test_r4_7_a_premature_announcement_forfeits_the_next_turn_to_deal_once_a_deal(times: int) -> None:
    table = Table(stacked(*HANDS), seats=3, deals=3)
    events = table.say(*["2 !premature"] * times)
    assert of(Faulted, events) == [Faulted(2, Fault.PREMATURE)] * times
    assert of(DealForfeited, events) == [DealForfeited(2)]
    assert table.view.owed_turns == (0, 0, 1)
    table.finish()
    table.finish()
    assert table.dealers == [0, 1, 0]
    assert of(TurnForfeited, table.events) == [TurnForfeited(2)]


def test_r4_7_in_the_next_deal_a_premature_announcement_costs_another_turn() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=2)
    table.say("0 !premature")
    table.finish()
    table.say("0 !premature")
    assert table.view.owed_turns == (2, 0, 0)


def test_r4_7_also_a_seat_that_has_declared_may_announce_prematurely() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 pass")
    assert of(DealForfeited, table.say("1 !premature")) == [DealForfeited(1)]


def test_r4_7_while_drawing_too() -> None:
    table = Table(stacked(*ACE_UP), seats=3)
    table.say("1 in", "2 in")
    assert table.match.decision == Decision.DRAW
    assert of(DealForfeited, table.say("1 !premature")) == [DealForfeited(1)]


def test_r4_7_during_the_play_it_is_a_fault_and_costs_no_turn() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in", "2 in", "0 in")
    assert table.say("2 !premature") == [Faulted(2, Fault.PREMATURE)]
    assert table.view.owed_turns == (0, 0, 0)


def test_r4_7_while_trumps_are_named_nobody_declares_or_draws_and_it_costs_no_turn() -> None:
    table = Table(stacked(*HANDS), seats=3, trump_card="dealer_chooses")
    assert table.match.decision == Decision.NAME_TRUMP
    assert table.say("2 !premature") == [Faulted(2, Fault.PREMATURE)]
    assert table.match.owed_turns == [0, 0, 0]


@pytest.mark.parametrize("fault", ["unasked", "late", "undecodable"])
def test_r4_7_an_unasked_card_or_other_message_is_ignored_and_a_fault(fault: str) -> None:
    table = Table(stacked(*HANDS), seats=3)
    before = table.view
    assert table.say(f"2 !{fault}") == [Faulted(2, Fault(fault))]
    assert table.view == before


@pytest.mark.parametrize(
    ("lines", "alone"),
    [(("1 in", "2 pass", "0 pass"), 1), (("1 pass", "2 in", "0 pass"), 2), (("1 pass", "2 pass"), 0)],
)
def test_r4_8_a_lone_player_takes_the_pot_and_nobody_is_bourre(lines: tuple[str, ...], alone: int) -> None:
    table = Table(stacked(*HANDS), seats=3, deals=2)
    events = table.say(*lines)
    assert of(PotTaken, events) == [PotTaken(alone, 3)]
    assert of(MatchPaid, events) == []
    assert of(CardPlayed, events) == []
    settled = [2 if seat == alone else -1 for seat in range(3)]
    assert table.balances == [chips - 1 for chips in settled]  # the next antes are paid
    assert table.pot == 3


def test_r4_8_a_lone_player_other_than_the_dealer_has_drawn() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=2)
    events = table.say("1 in 5D", "2 pass", "0 pass")
    assert of(Drew, events)[0].number == 1
    assert of(PotTaken, events) == [PotTaken(1, 3)]


def test_r4_8_the_lone_winner_takes_no_more_than_the_pot_limit() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=2, pot_limit=2)
    assert of(PotTaken, table.say("1 pass", "2 pass")) == [PotTaken(0, 2)]
    assert table.pot == 1 + 3
