"""The luck of the draw: 0 on average, and exact to the last unit."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre.rules.cards import Card, Suit, card_set, parse_cards
from bourre.rules.deal_setup import SeatStock
from bourre.rules.deck import DuplicateChance, derive, master_seed, shuffle
from bourre.rules.events import DealStarted, Declared, Drew, Event, HandDealt, TrumpTurned
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.tricks import Position, legal_plays
from bourre_referee.luck import ORDERS, Drawing, LuckRecorder, luck
from bourre_referee.luck.draw_luck import tricks_won
from tests.sdk.random_answers import play_randomly
from tests.strategies import houses

LIMIT = HouseRules.preset("limit")


def cards(text: str) -> int:
    return card_set(parse_cards(text))


def drawing_of(seats: int, house: HouseRules, seed: bytes, deal: int, dice: int) -> tuple[Drawing | None, Match]:
    """A single deal, played at random, as an observer saw it."""
    match = Match(seats, 1000, house, DuplicateChance(seed), only=deal)
    observer = LuckRecorder(seats)
    for _, _, events in play_randomly(match, Random(dice), 0.0):
        observer.hear(events)
    return observer.drawing(), match


@given(st.integers(2, 8), houses(), st.binary(min_size=32, max_size=32), st.integers(0, 99))
@settings(max_examples=20)
def test_it_adds_up_to_nothing_under_every_house(seats: int, house: HouseRules, seed: bytes, dice: int) -> None:
    drawing, _ = drawing_of(seats, house, seed, 3, dice)
    assert sum(luck(drawing, seats, house, seed)) == 0


@given(st.integers(2, 8), houses(), st.binary(min_size=32, max_size=32), st.integers(0, 99))
@settings(max_examples=20)
def test_the_observer_knows_where_every_card_is(seats: int, house: HouseRules, seed: bytes, dice: int) -> None:
    drawing, match = drawing_of(seats, house, seed, 3, dice)
    if drawing is None:
        return
    entry = match.deal.entry
    held = [kept | received for kept, received in zip(drawing.kept, drawing.received, strict=True)]
    assert all(kept & received == 0 for kept, received in zip(drawing.kept, drawing.received, strict=True))
    assert {hand.bit_count() for hand in held} == {house.cards}
    assert sum(drawing.received) & ~card_set(drawing.stock) == 0
    assert set(entry.playing) <= set(drawing.order)


@given(st.integers(2, 8), st.integers(1, 500), st.integers(0, 99))
@settings(max_examples=20)
def test_the_first_to_lead_is_the_first_from_the_dealers_left(seats: int, deal: int, dice: int) -> None:
    """Also if the dealer had to declare first because of its ace (R4.5)."""
    drawing, match = drawing_of(seats, LIMIT, master_seed(8), deal, dice)
    assert drawing is None or drawing.order == match.deal.entry.playing


def test_a_dealer_who_declares_first_is_the_last_in_order() -> None:
    events: list[Event] = [DealStarted(1, 0), TrumpTurned(Card("AS"), Suit.S)]
    events += [HandDealt(seat, parse_cards(hand)) for seat, hand in ((1, "2S 3S"), (2, "4S 5S"), (0, "2C AS"))]
    events += [Declared(0, True, True), Declared(1, True), Drew(1, 1, parse_cards("2S"), parse_cards("KS"))]
    events += [Declared(2, True), Drew(2, 0, (), ()), Drew(0, 1, parse_cards("2C"), parse_cards("QS"))]
    observer = LuckRecorder(3)
    observer.hear(events)
    drawing = observer.drawing()
    assert drawing is not None
    assert drawing.order == (1, 2, 0)
    assert drawing.kept == (cards("3S"), cards("4S 5S"), cards("AS"))
    assert drawing.received == (cards("KS"), 0, cards("QS"))


def test_over_all_orders_it_is_exactly_nothing() -> None:
    """If the real order is each of those it is compared with in turn, the luck of a seat adds up to 0."""
    seed = master_seed(11)
    drawing, _ = drawing_of(5, LIMIT, seed, 2, dice=4)
    assert drawing is not None
    totals = [0] * 5
    for number in range(1, ORDERS + 1):
        stock = SeatStock(shuffle(derive(seed, f"luck 2 {number}"), drawing.stock), lambda _, pile: list(pile), seats=5)
        served = [
            stock.serve(seat, received.bit_count())[0]
            for seat, received in zip(drawing.order, drawing.received, strict=True)
        ]
        for seat, units in enumerate(luck(replace(drawing, received=tuple(served)), 5, LIMIT, seed)):
            totals[seat] += units
    assert totals == [0] * 5


def test_a_seat_that_draws_the_ace_of_trumps_was_lucky() -> None:
    seed = master_seed(1)
    kept = (cards("KS QS 2D 3D"), cards("JS TS AD KD"))
    stock = tuple(card for card in parse_cards("AS 5C 2C 6C 7C 8C 9C 3H 4H 5H 6H 7H"))
    drawing = Drawing(1, 2, (0, 1), kept, (cards("AS"), cards("5C")), stock, Suit.S, pot=2)
    lucky, unlucky = luck(drawing, 2, LIMIT, seed)
    assert lucky > 0 > unlucky


def test_nothing_is_lucky_where_nobody_draws() -> None:
    assert luck(None, 3, LIMIT, b"") == (0, 0, 0)


@pytest.mark.parametrize(
    ("hands", "won"),
    [
        (("AS KS QS", "2C 3C 4C"), [3, 0]),
        (("2S 3H 4H", "AS KH QH"), [0, 3]),
        (("AH 2C 3C", "KH 2S 4D", "QH 3S 4C"), [1, 1, 1]),
    ],
)
def test_tricks_of_the_baseline(hands: tuple[str, ...], won: list[int]) -> None:
    assert tricks_won([cards(hand) for hand in hands], Suit.S) == won


def test_a_trick_is_legal_by_the_engine() -> None:
    """The baseline's first answer is one that the rules allow."""
    house = HouseRules.preset("pagat", cinch=False)
    position = Position(cards("3H 9H 2S"), parse_cards("8H"), Suit.S, 2, 0, 0, 0, house)
    assert legal_plays(position) == cards("9H")
    assert tricks_won([cards("8H 2C 2D"), cards("9H 3H 2S")], Suit.S) == [0, 3]
