"""Format `duplicate` in the rules: single deals, and a stock in which every seat has places of its own."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.actions import Declare
from bourre.rules.cards import DECK, Card, card_set, cards_in
from bourre.rules.deal_setup import SeatStock, Stock
from bourre.rules.deck import DuplicateChance, SeededChance
from bourre.rules.errors import InvalidHouse
from bourre.rules.events import AntePaid, DealStarted, Drew, MatchEnded
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from tests.strategies import houses

LIMIT = HouseRules.preset("limit")
SEED = bytes(range(32))


def stock_of(cards: list[Card], seats: int) -> SeatStock:
    return SeatStock(cards, lambda _, pile: list(pile), seats=seats)


def test_a_seat_gets_the_cards_of_its_own_places_whatever_the_others_draw() -> None:
    cards = list(DECK[:27])
    alone, after = stock_of(cards, 5), stock_of(cards, 5)
    after.serve(0, 5)
    after.serve(3, 4)
    assert alone.serve(1, 5) == after.serve(1, 5)
    assert set(cards_in(stock_of(cards, 5).serve(1, 3)[0])) == {cards[1], cards[6], cards[11]}


def test_where_the_places_end_the_last_card_left_is_dealt() -> None:
    cards = list(DECK[:12])
    stock = stock_of(cards, 8)
    assert set(cards_in(stock.serve(5, 3)[0])) == {cards[5], cards[11], cards[10]}
    assert set(cards_in(stock.serve(0, 9)[0])) == {*cards} - {cards[5], cards[11], cards[10]}


def test_an_empty_stock_is_gathered_and_dealt_from_the_top() -> None:
    cards = list(DECK[:4])
    stock = stock_of(cards, 2)
    stock.discard(sum(1 << card for card in DECK[20:24]))
    served, gathered = stock.serve(1, 6)
    assert gathered == [4]
    assert set(cards_in(served)) == {*cards, DECK[20], DECK[21]}


@pytest.mark.parametrize("folded_first", [False, True])
def test_gatherings_are_numbered_from_1_and_passed_hands_may_come_first(folded_first: bool) -> None:
    gathered = list[tuple[int, set[Card]]]()

    def gather(number: int, pile: tuple[Card, ...]) -> list[Card]:
        gathered.append((number, set(pile)))
        return list(pile)

    passed, discards = set(DECK[20:22]), set(DECK[30:33])
    for stock in (Stock([], gather, folded_first), SeatStock([], gather, folded_first, seats=2)):
        stock.fold(card_set(passed))
        stock.discard(card_set(discards))
        stock.serve(1, 5)
        assert gathered == ([(1, passed), (2, discards)] if folded_first else [(1, passed | discards)])
        gathered.clear()


def test_passed_hands_do_not_come_first_unless_that_is_asked_for() -> None:
    for stock in (Stock([], lambda _, pile: list(pile)), stock_of([], 2)):
        stock.fold(card_set(DECK[20:22]))
        stock.discard(card_set(DECK[30:33]))
        assert stock.serve(0, 1)[1] == [5]


def test_what_a_seat_draws_in_a_deal_does_not_depend_on_what_others_draw() -> None:
    second = [drawn_by_the_second(first) for first in (0, 1, 4)]
    assert len(second[0]) == 2
    assert second == second[:1] * 3


def drawn_by_the_second(first: int) -> tuple[Card, ...]:
    """The cards for the second seat if the first draws this many, and the second two."""
    match = Match(3, 5, LIMIT, DuplicateChance(SEED), 1)
    match.start()
    for number in (first, 2):
        events = match.apply(match.to_act, Declare(True, match.view(match.to_act).hand[:number]))
    (drew,) = [event for event in events if isinstance(event, Drew)]
    return drew.received or ()


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), max_size=7), st.permutations(DECK[:17]))
def test_no_card_is_dealt_twice(draws: list[tuple[int, int]], cards: list[Card]) -> None:
    stock, dealt = stock_of(cards, 7), list[Card]()
    for seat, number in draws:
        number = min(number, 17 - len(dealt))
        served, gathered = stock.serve(seat, number)
        assert (served.bit_count(), gathered) == (number, [])
        dealt += cards_in(served)
    assert len(dealt) == len(set(dealt))


@pytest.mark.parametrize("only", [1, 2, 5])
def test_one_deal_of_a_match_is_played_by_itself(only: int) -> None:
    match = Match(3, 5, LIMIT, DuplicateChance(SEED), only)
    events = match.start()
    first = Match(3, 5, LIMIT, DuplicateChance(SEED)).start()[0]
    assert isinstance(first, DealStarted)
    assert events[0] == DealStarted(only, (first.dealer + only - 1) % 3)
    assert match.view(match.to_act).deals == 5
    while not match.over:
        events = match.apply(match.to_act, match.deal.default())
    assert isinstance(events[-1], MatchEnded)
    assert match.deal.number == only


@pytest.mark.parametrize("only", [0, 6])
def test_a_deal_that_the_match_does_not_have_is_refused(only: int) -> None:
    with pytest.raises(InvalidHouse, match=f"Unknown deal {only}"):
        Match(3, 5, LIMIT, DuplicateChance(SEED), only)


@given(st.integers(2, 8), houses(), st.binary(min_size=32, max_size=32))
def test_hands_are_those_of_the_same_deal_in_format_session(seats: int, house: HouseRules, seed: bytes) -> None:
    duplicate, session = DuplicateChance(seed), SeededChance(seed)
    assert duplicate.deck(3) == session.deck(3)
    assert duplicate.seat_seed(3, 1) == session.seat_seed(3, 1)


def test_a_stake_is_paid_by_every_seat_before_the_antes_and_is_the_same_in_every_playing() -> None:
    stakes = (0, 2, 6)
    chance = DuplicateChance(SEED, stakes)
    paid = Counter[int]()
    for deal in range(1, 61):
        match = Match(4, 60, LIMIT, chance, deal)
        stake = chance.stake(deal)
        antes = [event for event in match.start() if isinstance(event, AntePaid)]
        expected = [AntePaid(seat, stake) for seat in range(4)] if stake else []
        assert antes == [*expected, *(AntePaid(seat, LIMIT.ante) for seat in range(4))]
        assert match.ledger.pot == 4 * (stake + LIMIT.ante)
        paid[stake] += 1
    assert set(paid) == set(stakes)
