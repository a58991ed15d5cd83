"""Sampled deals played on give exactly what the match itself would."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre.rules.actions import Decision, Play
from bourre.rules.cards import Card, highest, lowest, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidAction
from bourre.rules.events import DealEnded, Event, MatchPaid, PotTaken
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.tricks import Position
from bourre.rules.visibility import View
from bourre.sampling import Policy, SampledDeal, thrifty
from tests.sdk.onlooker import true_hands
from tests.sdk.random_answers import legal_answer
from tests.sdk.rules.table import Table, stacked
from tests.strategies import houses

HANDS = ("2D 3D 4D 5D QS", "2C 3C 4C 5C 6C", "2H 3H 4H 5H 6H")


def boldest(position: Position, legal: int) -> Card:
    """The highest card."""
    return highest(legal)


def humblest(position: Position, legal: int) -> Card:
    """The lowest card: only a cinch makes it lead a trump."""
    return lowest(legal)


def chips_moved(events: list[Event], seats: int) -> list[int]:
    """The chips that a settlement brought to each seat."""
    chips = [0] * seats
    for event in events:
        if isinstance(event, PotTaken):
            chips[event.seat] += event.chips
        if isinstance(event, MatchPaid):
            chips[event.seat] -= event.chips
    return chips


def played_on(match: Match, policy: Policy) -> list[int]:
    """The chips of this deal when every seat plays it out by the policy."""
    events: list[Event] = []
    while not any(isinstance(event, DealEnded) for event in events):
        view = match.view(match.to_act)
        if len(view.legal) > 1:
            legal = sum(1 << card for card in view.legal)
            events += match.apply(view.seat, Play(policy(view.position, legal)))
        else:
            events += match.apply(view.seat, Play(view.legal[0]))
    end = next(at for at, event in enumerate(events) if isinstance(event, DealEnded))
    return chips_moved(events[:end], match.seats)  # the next deal may be over as soon as it has begun (R4.6)


@given(
    seats=st.integers(2, 8),
    house=houses(),
    seed=st.binary(max_size=8),
    dice=st.integers(0, 2**32),
    cards=st.integers(0, 30),
    policy=st.sampled_from([thrifty, boldest, humblest]),
)
@settings(max_examples=200)
def test_a_true_deal_plays_out_to_the_true_chips(
    seats: int, house: HouseRules, seed: bytes, dice: int, cards: int, policy: Policy
) -> None:
    match = Match(seats, 50, house, SeededChance(seed))
    match.start()
    rng = Random(dice)
    while match.decision != Decision.PLAY or cards > 0:
        cards -= match.decision == Decision.PLAY
        match.apply(match.to_act, legal_answer(match.view(match.to_act), rng))
    view = match.view(match.to_act)
    deal = SampledDeal(view, tuple(map(tuple, true_hands(match, view))), ())
    assert list(deal.play_out(policy)) == played_on(match, policy)


def at_the_first_lead() -> View:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in", "2 in", "0 in")
    return table.view


def test_the_first_card_can_be_chosen() -> None:
    """Seat 1 leads a club; seat 0 must trump it, and then leads diamonds, which nobody else has."""
    view = at_the_first_lead()
    deal = SampledDeal(view, tuple(map(parse_cards, HANDS)), ())
    assert [deal.play_out(card=card) for card in view.legal] == [(3, -3, -3)] * 5


def test_a_first_card_that_is_illegal_is_refused() -> None:
    deal = SampledDeal(at_the_first_lead(), tuple(map(parse_cards, HANDS)), ())
    with pytest.raises(InvalidAction, match="QS is not legal here for seat 1"):
        deal.play_out(card=Card("QS"))


def test_a_policy_that_breaks_the_rules_is_refused() -> None:
    deal = SampledDeal(at_the_first_lead(), tuple(map(parse_cards, HANDS)), ())
    with pytest.raises(InvalidAction, match="2S is not legal here"):
        deal.play_out(lambda position, legal: Card("2S"))


def test_a_policy_is_asked_only_where_there_is_a_choice() -> None:
    def choosing(position: Position, legal: int) -> Card:
        assert legal.bit_count() > 1
        assert legal & position.hand == legal
        return humblest(position, legal)

    SampledDeal(at_the_first_lead(), tuple(map(parse_cards, HANDS)), ()).play_out(choosing)


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        ("2C KH 5S", "", "KH"),
        ("2H 9H KH", "7H", "9H"),
        ("2H 5H", "7H", "2H"),
        ("4S 9S", "7H", "4S"),
        ("4S 9S", "7H 6S", "9S"),
        ("4C 9D", "7H 6S", "4C"),
    ],
)
def test_thrifty_leads_high_and_wins_cheaply(hand: str, trick: str, card: str) -> None:
    held = sum(1 << held for held in parse_cards(hand))
    position = at_the_first_lead().position._replace(hand=held, trick=parse_cards(trick), trump=Card("AS").suit)
    assert thrifty(position, held) == Card(card)


def before_the_draw() -> SampledDeal:
    table = Table(stacked(*HANDS), seats=3)
    return SampledDeal(table.view, tuple(map(parse_cards, HANDS)), parse_cards("AC KC QC JC"))


def test_a_seat_draws_from_the_front_of_the_rest() -> None:
    deal = before_the_draw().drawn(1, parse_cards("2C 3C"))
    assert deal.hands == (parse_cards(HANDS[0]), parse_cards("4C 5C 6C KC AC"), parse_cards(HANDS[2]))
    assert deal.rest == parse_cards("QC JC 2C 3C")
    assert before_the_draw().drawn(1, ()) == before_the_draw()


def test_the_dealer_draws_one_card_less_where_it_takes_the_turned_one() -> None:
    table = Table(stacked(*HANDS, stock="KS"), seats=3, trump_card="separate_dealer_option")
    before = SampledDeal(table.match.view(0), tuple(map(parse_cards, HANDS)), parse_cards("AC KC QC JC"))
    deal = before.drawn(0, parse_cards("2D 3D"), takes=True)
    assert deal.hands == (parse_cards("4D 5D QS KS AC"), *before.hands[1:])
    assert deal.rest == parse_cards("KC QC JC 2D 3D")
    assert deal.view == replace(before.view, dead=None)
    assert before.drawn(0, (), takes=True) == before
    assert before.drawn(0, parse_cards("2D")).view.dead == Card("KS")


def test_a_seat_that_passes_plays_no_more() -> None:
    deal = before_the_draw().passed(1)
    assert deal.hands[1] == ()
    assert deal.rest == parse_cards("AC KC QC JC 2C 3C 4C 5C 6C")
    assert deal.play_out() == (3, 0, -3)
    assert deal.passed(2).play_out() == (3, 0, 0)
    assert deal.passed(2).passed(0).play_out() == (0, 0, 0)


def test_barred_seats_cannot_win_the_pot() -> None:
    table = Table(stacked(*HANDS), seats=3)
    table.say("1 in", "2 in", "0 in", "1 2C", "2 3H", "0 2D", "0 3D")
    view = table.view
    deal = SampledDeal(view, tuple(map(tuple, true_hands(table.match, view))), ())
    assert view.barred == (0,)
    assert deal.play_out() == (0, 0, -3)
    assert replace(deal, view=replace(view, barred=())).play_out() == (3, 0, -3)
