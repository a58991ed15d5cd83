"""R1: players, cards, dealer."""

from __future__ import annotations

import pytest

from bourre.rules.cards import DECK, cards_in, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidHouse
from bourre.rules.events import CardPlayed, DealStarted, Declared, Drew, HandDealt, TurnForfeited
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to
from tests.sdk.rules.table import Table, easy_answer, of, stacked

HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6D")


@pytest.mark.parametrize("seats", range(2, 9))
def test_r1_1_two_to_eight_seats_get_five_cards_each_of_one_deck(seats: int) -> None:
    match = Match(seats, 1, HouseRules(), SeededChance(bytes(32)))
    match.start()
    dealt = [card for hand in match.deal.hands for card in cards_in(hand)]
    assert len(dealt) == len(set(dealt)) == 5 * seats
    assert set(dealt) <= set(DECK)


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_r1_1_other_tables_are_refused(seats: int) -> None:
    with pytest.raises(InvalidHouse, match=rf"^{seats} seats cannot play: Bourré is for 2 to 8 \(R1.1\)$"):
        Match(seats, 1, HouseRules(), SeededChance(bytes(32)))


def test_r1_1_play_runs_clockwise() -> None:
    table = Table(stacked(*HANDS, "2S 3S 5S 6S 7S", dealer=2), seats=4, dealer=2)
    events = table.finish()
    assert [event.seat for event in of(Declared, events)] == [3, 0, 1, 2]
    assert [event.seat for event in of(CardPlayed, events)][:4] == [3, 0, 1, 2]


def test_r1_2_one_shuffle_a_deal_and_one_more_a_gathering() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=3)
    table.finish()
    table.finish()
    assert table.chance.shuffles == [1, 2, 3]
    assert table.chance.gatherings == []


def test_r1_2_the_seed_decides_every_card() -> None:
    assert played_out(bytes(32)) == played_out(bytes(32))
    assert played_out(bytes(32)) != played_out(bytes([1] * 32))


def test_r1_2_nobody_sees_the_cards_of_another() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in 9H 8C")
    own, other = (list(visible_to(seat, table.events)) for seat in (1, 2))
    assert [event.seat for event in of(HandDealt, own)] == [1]
    assert [event.seat for event in of(HandDealt, other)] == [2]
    assert of(Drew, other) == [Drew(1, 2, None, None)]
    assert of(Drew, own) == [Drew(1, 2, parse_cards("8C 9H"), parse_cards("2D 2S"))]


def test_r1_3_the_first_dealer_follows_from_the_seed_and_is_uniform() -> None:
    chances = [SeededChance(number.to_bytes(32)) for number in range(5000)]
    counts = [0] * 5
    for chance in chances:
        counts[chance.first_dealer(5)] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 18.5  # chi-square, 4 degrees, 99.9 %
    match = Match(5, 1, HouseRules(), chances[7])
    assert of(DealStarted, match.start()) == [DealStarted(1, chances[7].first_dealer(5))]


def test_r1_4_the_deal_passes_to_the_left() -> None:
    table = Table(stacked(*HANDS), seats=3, dealer=1, deals=5)
    while not table.match.over:
        table.finish()
    assert table.dealers == [1, 2, 0, 1, 2]
    assert of(TurnForfeited, table.events) == []


def test_r1_4_a_seat_is_passed_over_once_for_each_turn_it_owes() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=6)
    table.say("1 !premature", "1 in", "2 in", "0 in")
    table.play("9H")
    table.say("2 2C", "2 KH")
    table.match.owed_turns[1] += 1
    while not table.match.over:
        table.finish()
    # Seat 1 owes two turns and seat 2 one: the deal skips both of them once, and later seat 1 again.
    assert table.dealers == [0, 0, 2, 0, 1, 2]
    assert [event.seat for event in of(TurnForfeited, table.events)] == [1, 2, 1]


def test_r1_4_where_every_seat_owes_a_turn_the_second_round_finds_a_dealer() -> None:
    table = Table(stacked(*HANDS), seats=3, deals=2)
    table.say("0 !premature", "1 !premature", "2 !premature")
    table.finish()
    assert [event.seat for event in of(TurnForfeited, table.events)] == [1, 2, 0]
    assert table.dealers == [0, 1]
    assert table.match.owed_turns == [0, 0, 0]


def test_r1_4_turns_owed_end_with_the_match() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 !premature")
    table.finish()
    assert table.match.over
    assert of(TurnForfeited, table.events) == []


def played_out(seed: bytes) -> list[object]:
    """All events of a match of two deals."""
    match = Match(5, 2, HouseRules(), SeededChance(seed))
    events: list[object] = list(match.start())
    while not match.over:
        events += match.apply(match.to_act, easy_answer(match.view(match.to_act)))
    return events
