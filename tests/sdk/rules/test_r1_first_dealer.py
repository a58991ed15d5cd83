"""R1.3: who deals first, in all four forms."""

from __future__ import annotations

import pytest

from bourre.rules.cards import RANKS, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.events import CardDrawn, DealStarted
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from tests.sdk.rules.table import Table, of, stacked

HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6D")


def draws(form: str | int, drawn: str) -> tuple[list[tuple[int, str]], int]:
    """Who drew what at a table of three, and who deals."""
    table = Table(stacked(*HANDS), seats=3, dealer=1, first_dealer=form, drawn=drawn)
    (started,) = of(DealStarted, table.events)
    return [(event.seat, str(event.card)) for event in of(CardDrawn, table.events)], started.dealer


def test_r1_3_seeded_is_decided_by_the_seed_without_a_draw() -> None:
    assert draws("seeded", "2C 9D 5H") == ([], 1)


@pytest.mark.parametrize(("form", "dealer"), [("low_card", 2), ("high_card", 0)])
def test_r1_3_each_seat_draws_a_card_low_card_or_high_card_deals(form: str, dealer: int) -> None:
    assert draws(form, "AC 9D 2S") == ([(0, "AC"), (1, "9D"), (2, "2S")], dealer)


@pytest.mark.parametrize(("form", "drawn"), [("low_card", "5C 9D 5H"), ("high_card", "9C 5D 9H")])
def test_r1_3_only_the_tied_draw_again_from_the_cards_left(form: str, drawn: str) -> None:
    again = f"{drawn} 7S 7D 3C 4H"  # the suits do not decide: the sevens tie too
    dealer = 0 if form == "low_card" else 2
    drew = [(0, drawn[:2]), (1, drawn[3:5]), (2, drawn[6:]), (0, "7S"), (2, "7D"), (0, "3C"), (2, "4H")]
    assert draws(form, again) == (drew, dealer)


def test_r1_3_the_first_seat_deals_where_all_cards_are_drawn_and_two_still_tie() -> None:
    drawn = " ".join(f"{rank}{suit}" for rank in RANKS for suit in "CDHS")
    table = Table(stacked(*HANDS[:2]), seats=2, first_dealer="low_card", drawn=drawn)
    assert len(of(CardDrawn, table.events)) == 52
    assert of(DealStarted, table.events)[0].dealer == 0


@pytest.mark.parametrize("seat", range(3))
def test_r1_3_a_seat_number_deals_first(seat: int) -> None:
    assert draws(seat, "") == ([], seat)


def test_r1_3_the_draw_follows_from_the_seed_and_favours_nobody() -> None:
    counts = [0] * 5
    for number in range(5000):
        chance = SeededChance(number.to_bytes(32))
        events = Match(5, 1, HouseRules(first_dealer="low_card"), chance).start()
        drawn = of(CardDrawn, events)
        assert [event.card for event in drawn] == chance.draw_for_deal()[: len(drawn)]
        counts[of(DealStarted, events)[0].dealer] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 18.5  # chi-square, 4 degrees, 99.9 %


def test_r1_3_the_drawn_cards_are_dealt_like_all_others() -> None:
    table = Table(stacked(*HANDS), seats=3, first_dealer="low_card", drawn="2H 3H 8D")
    assert table.match.view(0).hand == parse_cards("2H 3H 4S 8D TC")
