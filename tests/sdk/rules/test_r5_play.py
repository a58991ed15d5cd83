"""R5: following, beating, trumping. The trump is spades."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Play
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.events import CardPlayed, TrickTaken
from bourre.rules.tricks import Trick, best_card, trick_of
from tests.sdk.rules.positions import legal, position, reneges
from tests.sdk.rules.table import Table, of, stacked


def test_r5_1_the_first_playing_seat_left_of_the_dealer_leads() -> None:
    hands = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6D", "QH JH TH 7H 6H")
    for lines, leader in [(("2 in", "3 in", "0 in", "1 in"), 2), (("2 pass", "3 pass", "0 in", "1 in"), 0)]:
        table = Table(stacked(*hands, dealer=1), seats=4, dealer=1)
        table.say(*lines)
        assert table.match.to_act == leader


def test_r5_1_the_winner_of_a_trick_leads_the_next() -> None:
    table = Table(stacked("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6D"), seats=3)
    table.say("1 in", "2 in", "0 in")
    events = table.play("9H KH 2H 2C")
    assert of(TrickTaken, events) == [TrickTaken(2, 1)]
    assert [event.seat for event in of(CardPlayed, events)] == [1, 2, 0, 2]


@pytest.mark.parametrize(
    ("trick", "best"),
    [
        ("QD", "QD"),
        ("QD KD 2D", "KD"),
        ("QD AH 2D", "QD"),  # another suit cannot win
        ("QD 2S AD", "2S"),
        ("QD 2S 9S AD 4S", "9S"),
        ("4S AD 9S", "9S"),
    ],
)
def test_r5_1_the_highest_trump_wins_else_the_highest_of_the_suit_led(trick: str, best: str) -> None:
    assert str(best_card(parse_cards(trick), Suit.S)) == best


@pytest.mark.parametrize(
    ("leader", "cards", "winner"), [(1, "QH AD KH", 0), (2, "QH 4S 9S", 1), (0, "2S KH AH", 0), (2, "3D 4C 9D", 1)]
)
def test_r5_1_who_took_a_trick_follows_from_its_leader_and_its_cards(leader: int, cards: str, winner: int) -> None:
    order = (1, 2, 0)
    assert trick_of(leader, parse_cards(cards), order, Suit.S) == Trick(leader, parse_cards(cards), winner)


@pytest.mark.parametrize("trick", ["QD", "QD 4S", "QD 4S 2H"])
def test_r5_2_follow_suit_also_when_the_trick_is_trumped(trick: str) -> None:
    asked = position("JD 6D AS KH", trick)
    assert legal(asked) == "6D JD"
    assert reneges(asked) == {"KH": "R5.2", "AS": "R5.2"}


@pytest.mark.parametrize(
    ("hand", "trick", "allowed"),
    [
        ("KH 6H", "QH", "KH"),
        ("KH 6H AH", "QH", "KH AH"),
        ("KH 6H", "QH AH", "6H KH"),
        ("7S 9S 3S 2H", "8S", "9S"),  # trump led
        ("7S 9S 3S 2H", "8S TS", "3S 7S 9S"),
        ("7S 9S 3S 2H", "2D 8S", "9S"),  # no suit led: R5.4
    ],
)
def test_r5_3_following_suit_beat_the_best_card_if_able(hand: str, trick: str, allowed: str) -> None:
    asked = position(hand, trick)
    assert legal(asked) == allowed
    followed = trick[1] in [card[1] for card in hand.split()]
    broken = {card: "R5.3" if card[1] == trick[1] else "R5.2" for card in hand.split() if card not in allowed}
    assert not followed or reneges(asked) == broken


def test_r5_3_example_queen_of_diamonds_led_and_ruffed() -> None:
    assert legal(position("AD 6D 7S 9S", "QD 4S")) == "6D AD"


def test_r5_3_example_five_of_diamonds_follows() -> None:
    assert legal(position("AD 6D", "QD 5D")) == "AD"


def test_r5_3_example_queen_of_hearts_led() -> None:
    asked = position("KH 6H", "QH")
    assert legal(asked) == "KH"
    assert reneges(asked) == {"6H": "R5.3"}
    assert legal(position("KH 6H", "QH AH")) == "6H KH"


def test_r5_3_without_must_beat_any_card_of_the_suit() -> None:
    assert legal(position("KH 6H 2S", "QH", must_beat=False)) == "6H KH"


def test_r5_4_example_void_in_hearts() -> None:
    assert legal(position("KS 6S", "QH")) == "6S KS"
    assert legal(position("KS 6S", "QH JS")) == "KS"
    assert legal(position("KS 6S 2D", "QH AS")) == "6S KS"
    assert reneges(position("KS 6S 2D", "QH JS")) == {"2D": "R5.4", "6S": "R5.4"}
    assert reneges(position("KS 6S 2D", "QH AS")) == {"2D": "R5.4"}


def test_r5_4_unable_to_follow_trump_if_able() -> None:
    asked = position("KD 6S AC", "QH")
    assert legal(asked) == "6S"
    assert reneges(asked) == {"KD": "R5.4", "AC": "R5.4"}


@pytest.mark.parametrize("keys", [{"must_beat": False}, {"must_overtrump": False}])
def test_r5_4_overtrumping_needs_both_must_beat_and_must_overtrump(keys: dict[str, Any]) -> None:
    assert legal(position("KS 6S 2D", "QH JS", **keys)) == "6S KS"


def test_r5_4_if_can_win_a_seat_that_cannot_win_may_slough() -> None:
    assert legal(position("KS 6S 2D", "QH AS", must_trump="if_can_win")) == "2D 6S KS"
    assert legal(position("KS 6S 2D", "QH JS", must_trump="if_can_win")) == "KS"
    assert legal(position("KS 6S 2D", "QH", must_trump="if_can_win")) == "6S KS"


def test_r5_4_never_any_card() -> None:
    assert legal(position("KS 6S 2D", "QH JS", must_trump="never")) == "2D 6S KS"
    assert legal(position("2D 6C", "JS", must_trump="never")) == "2D 6C"


def test_r5_5_neither_suit_nor_trump_any_card() -> None:
    asked = position("KD 6C AC", "QH 2S")
    assert legal(asked) == "6C KD AC"
    assert reneges(asked) == {}


def test_r5_5_trump_led_and_none_held_any_card() -> None:
    assert legal(position("KD 6C AC", "2S")) == "6C KD AC"


def test_r5_6_the_leader_may_lead_anything() -> None:
    assert legal(position("KD 6C AS 2S")) == "2S 6C KD AS"


def test_r5_6_lead_honour() -> None:
    hand = "KD 6C AS QS 2S"
    assert legal(position(hand, lead_honour="any")) == "QS AS"
    assert legal(position(hand, lead_honour="highest")) == "AS"
    assert reneges(position("KD JS", lead_honour="any")) == {}
    assert reneges(position("KD QS", lead_honour="any")) == {"KD": "R5.6"}


def test_r5_6_lead_honour_on_the_first_trick_only() -> None:
    keys: dict[str, Any] = {"lead_honour": "highest", "lead_honour_when": "first"}
    assert legal(position("KD QS", **keys)) == "QS"
    assert legal(position("KD QS", won=1, seen="2C 3C 4C 5C 6C", **keys)) == "QS KD"
    assert legal(position("KD QS", "2D", **keys)) == "KD"


def test_r5_6_it_is_the_first_lead_of_the_deal_that_must_be_an_honour() -> None:
    hands = ("2H 3H 8D TC 4S", "AS QS 8C 7D 6C", "KH 2C 3C 4D 6S")
    table = Table(stacked(*hands), seats=3, lead_honour="highest", lead_honour_when="first")
    table.say("1 in", "2 in", "0 in")
    assert table.view.legal == parse_cards("AS")
    table.play("AS 6S 4S")
    assert table.view.legal == parse_cards("6C 7D 8C QS")


def test_r5_6_lead_honour_and_cinch_are_cut_with_one_another() -> None:
    # A cinch: R6 alone would allow the jack too, as good as the ace.
    assert legal(position("AS KS QS JS 2D", lead_honour="any")) == "QS KS AS"
    assert legal(position("AS KS QS JS 2D")) == "JS QS KS AS"
    assert reneges(position("AS KS QS JS 2D", lead_honour="any")) == {"2D": "R5.6", "JS": "R5.6"}


# Trump is spades; 9H is led by seat 1: seat 2 has to follow with the king, seat 0 may choose a heart.
HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6S")


def test_the_only_legal_card_is_forced_and_nothing_else() -> None:
    table = Table(stacked(*HANDS), seats=3)
    assert table.match.deal.forced is None
    table.say("1 in", "2 in", "0 in")
    assert table.match.deal.forced is None
    table.say("1 9H")
    assert table.match.deal.forced == Play(Card("KH"))
    table.say("2 KH")
    assert table.match.deal.forced is None


def test_nothing_is_forced_on_who_is_asked_to_correct_a_renege() -> None:
    """It may leave its card where it is."""
    table = Table(stacked(*HANDS), seats=3, renege_policy="prompt")
    table.say("1 in", "2 in", "0 in", "1 9H", "2 2C")
    assert table.view.correcting
    assert table.view.legal == (Card("KH"),)
    assert table.match.deal.forced is None
