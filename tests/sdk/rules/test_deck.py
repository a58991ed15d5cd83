"""What chance decides: pinned, so that any change of the derivation is noticed; and uniform."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from copy import deepcopy
from math import factorial
from pickle import dumps, loads

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.actions import HandOver
from bourre.rules.cards import DECK, Card, parse_cards, show
from bourre.rules.deck import DuplicateChance, SeededChance, derive, master_seed, shuffle
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from tests.strategies import cards

SEED = bytes(range(32))


def test_the_derivation_is_pinned() -> None:
    assert derive(SEED, "deck 1").hex() == "bbe43dd3df41db4a36189352720d353f262bb922f4cc0f5dddcb486920af2cdd"


def test_the_decks_are_pinned() -> None:
    chance = SeededChance(SEED)
    assert show(chance.deck(1)) == (
        "7D 2S JD AD AS 9H TD QH 8S 5D 2H 8H JC 5H TS 9S 8C 4S 9D KS 3C 4D QC 6C 5C JH "
        "JS 4H 8D QS KH 2D QD AC 6H 3S TH 9C TC KD 7S 7H 6S KC 3D 5S AH 6D 7C 3H 2C 4C"
    )
    assert show(chance.deck(2)[:10]) == "7S QH 4H AD 6H 2C AH 7D 7H 3S"


def test_the_rest_of_chance_is_pinned() -> None:
    chance = SeededChance(SEED)
    assert show(chance.shuffle_gathered(3, 1, parse_cards("AS 2C TD 9H KC"))) == "2C TD 9H KC AS"
    assert show(chance.shuffle_returned(3, parse_cards("AS 2C TD 9H KC"))) == "2C 9H TD AS KC"
    assert show(chance.draw_for_deal()[:10]) == "QH 9D TS 2C TH 4C TD 4H 5H QD"
    assert [chance.first_dealer(seats) for seats in (5, 8)] == [2, 4]
    assert [chance.seat_seed(1, 0), chance.seat_seed(12, 3)] == [13825130292229983031, 5165500838426646180]


def test_a_practice_seed_stands_for_the_hash_of_its_digits() -> None:
    assert master_seed(7) == hashlib.sha256(b"7").digest()


def test_nothing_is_at_stake_before_the_antes_of_a_session() -> None:
    assert [SeededChance(SEED).stake(deal) for deal in (1, 2, 3)] == [0, 0, 0]


def test_a_deck_can_be_dealt_again_from_the_written_recipe() -> None:
    """As the docs describe it, unlike the code: HMAC-SHA-256 of the label; each remainder picks a card."""
    number = int(hmac.new(SEED, b"deck 7", hashlib.sha256).hexdigest(), 16)
    left = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]
    deck = []
    while left:
        deck.append(left.pop(number % len(left)))
        number //= len(left) + 1
    assert show(SeededChance(SEED).deck(7)) == " ".join(deck)


@given(st.binary(min_size=32, max_size=32), st.sets(cards()))
def test_a_shuffle_keeps_the_cards_and_does_not_heed_their_order(entropy: bytes, chosen: set[Card]) -> None:
    order = shuffle(entropy, chosen)
    assert sorted(order) == sorted(chosen)
    assert shuffle(entropy, sorted(chosen, reverse=True)) == order


def test_the_least_and_the_greatest_number() -> None:
    assert shuffle(bytes(32), DECK) == list(DECK)
    assert show(shuffle(b"\xff" * 32, parse_cards("2C 3C"))) == "3C 2C"


def test_all_orders_of_a_small_deck_are_equally_likely() -> None:
    small, each = DECK[:5], 100
    counts = Counter(tuple(shuffle(derive(SEED, f"chi {i}"), small)) for i in range(factorial(5) * each))
    assert len(counts) == factorial(5)
    assert sum((count - each) ** 2 / each for count in counts.values()) < 172.7  # 119 degrees, 99.9 %


def test_every_card_comes_to_every_place_of_a_deck_equally_often() -> None:
    decks = 5200
    chance = SeededChance(SEED)
    counts = Counter((place, card) for i in range(decks) for place, card in enumerate(chance.deck(i)))
    expected = decks / 52
    statistic = sum((counts[place, card] - expected) ** 2 / expected for place in range(52) for card in DECK)
    assert 2380 < statistic < 2829  # chi-square, 51 * 51 degrees, 0.1 % to 99.9 %


def test_labels_do_not_meet() -> None:
    chance = SeededChance(SEED)
    drawn = {tuple(chance.deck(deal)) for deal in range(1, 200)}
    drawn |= {tuple(chance.shuffle_gathered(deal, time, DECK)) for deal in range(1, 50) for time in range(1, 4)}
    drawn |= {tuple(chance.shuffle_returned(deal, DECK)) for deal in range(1, 50)} | {tuple(chance.draw_for_deal())}
    assert len(drawn) == 199 + 49 * 3 + 49 + 1
    assert len({chance.seat_seed(deal, seat) for deal in range(100) for seat in range(8)}) == 800


@pytest.mark.parametrize("length", [0, 1, 32, 64, 65, 200])
def test_a_seed_of_any_length_derives_by_hmac(length: int) -> None:
    seed = bytes(range(length))
    assert SeededChance(seed).seat_seed(3, 2) == int.from_bytes(derive(seed, "bot 3 2")[:8])


@pytest.mark.parametrize("chance", [SeededChance(SEED), DuplicateChance(SEED, (0, 2, 5))])
def test_a_copy_of_a_match_goes_on_with_the_same_cards(chance: SeededChance) -> None:
    """For bots that look ahead, and for processes that share the work."""
    match = Match(seats=3, deals=4, house=HouseRules(), chance=chance)
    match.start()
    for twin in (deepcopy(match), loads(dumps(match))):
        assert twin.view(twin.to_act) == match.view(match.to_act)
        assert twin.apply(twin.to_act, HandOver()) == deepcopy(match).apply(match.to_act, HandOver())
    for twin_chance in (deepcopy(chance), loads(dumps(chance))):
        assert twin_chance.deck(2) == chance.deck(2)
        assert [twin_chance.stake(deal) for deal in range(9)] == [chance.stake(deal) for deal in range(9)]
