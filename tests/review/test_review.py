"""A review finds what decisions cost: exactly where nothing is left to judge, and the same figures every time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bourre.bot import Bot
from bourre.practice import practice
from bourre.record import RecordedAsk, asks, read
from bourre.review import Reviewed, review_decisions, reviewable, summarize
from bourre.review.choices import compared_choices
from bourre.review.imagined_states import Question
from bourre.review.mistakes import LARGEST_POT
from bourre.review.playing_out import chips_of_choices
from bourre.review.summary import KINDS, worst
from bourre.rules.actions import Declare, Play
from bourre.rules.cards import Card
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.sampling import sample_deals
from bourre.testing import view as view_of


class Anything(Bot):
    """Decides by its dice."""

    def declare(self, view: View) -> bool:
        return view.rng.random() < 0.8

    def draw(self, view: View) -> list[Card]:
        return [card for card in view.hand if view.rng.random() < 0.5][: view.max_discards]

    def play(self, view: View) -> Card:
        return view.rng.choice(view.legal)


class Reneger(Anything):
    """Plays any card."""

    def play(self, view: View) -> Card:
        return view.rng.choice(view.hand)


def played(house: HouseRules, deals: int, bot: type[Bot] = Anything, seats: int = 3) -> Iterator[RecordedAsk]:
    """Returns the asks of the first seat in deals between bots that decide by their dice."""
    bots = {"first": bot, **{f"other {number}": Anything for number in range(1, seats)}}
    result = practice(bots, deals=deals, seed=5, house=house, strict=False)
    return asks(read(result.matches[0].record), 0)


@pytest.mark.parametrize("preset", ["limit", "booray", "indiana", "bicycle"])
def test_a_last_choice_brings_what_the_rules_say(preset: str) -> None:
    """With two cards left, who plays last to a trick leaves no choice to anybody."""
    house = replace(HouseRules.preset(preset), exempt_bourre=False, exempt_tied=False)
    last = [
        ask
        for ask in played(house, 60)
        if ask.view.decision == "play"
        and len(ask.view.hand) == 2
        and len(ask.view.trick) == len(ask.view.playing) - 1 < ask.view.pot <= LARGEST_POT
    ]
    assert last
    for ask in last:
        view, seed = ask.view, f"deal {ask.view.deal}"
        cards = [Play(card) for card in view.legal]
        (chips,) = chips_of_choices([Question(view, tuple(cards), seed)], 8)
        for sample, deal in enumerate(sample_deals(view, 8, Random(seed))):
            for number, choice in enumerate(cards):
                ended = deal.play_out(card=choice.card)
                left = (view.pot - sum(ended)) / view.seats
                assert chips[number, sample] == pytest.approx(ended[view.seat] + left)


def test_passing_a_hand_that_takes_every_trick_is_a_mistake() -> None:
    view = view_of("declare hand='AS KS QS JS TS' trump=S turned=5S seats=4 seat=1 dealer=3 pot=20")
    ask = RecordedAsk(1, None, view, (), Declare(False), None, 1)
    (judged,) = review_decisions([Reviewed("m0001", ask)])
    assert judged.is_mistake
    assert isinstance(judged.better, Declare)
    assert judged.better.plays
    assert judged.cost > 5
    pat = replace(ask, action=Declare(True))
    (kept,) = review_decisions([Reviewed("m0001", pat)])
    assert kept.cost < judged.cost
    assert worst([kept, judged], 10)[0] is judged


@pytest.mark.parametrize("preset", ["limit", "separate_dealer_option", "simultaneous", "nba", "indiana", "pagat"])
def test_every_decision_of_every_house_can_be_reviewed(preset: str) -> None:
    decisions = list(reviewable("m0001", played(HouseRules.preset(preset), 2, seats=4)))
    judged = review_decisions(decisions)
    assert len(judged) == len(decisions) > 0
    for one in judged:
        assert math.isfinite(one.cost)
        assert one.error >= 0
        assert one.better in compared_choices(one.ask.view, one.chosen, 99)
    kinds = summarize(judged)
    assert [one.kind for one in kinds] == [kind for kind in KINDS if kind in {one.kind for one in kinds}]
    assert sum(one.decisions for one in kinds) == len(judged)
    assert sum(one.cost for one in kinds) == pytest.approx(sum(one.cost for one in judged))


def test_deals_with_a_renege_are_left_out_from_there_on() -> None:
    every = list(played(HouseRules.preset("limit"), 40, Reneger))
    kept = [one.ask for one in reviewable("m0001", every)]
    left_out = [ask for ask in every if ask not in kept]
    illegal = [ask for ask in every if isinstance(ask.action, Play) and ask.action.card not in ask.view.legal]
    barred = [ask for ask in every if ask.view.barred]
    assert illegal
    assert barred
    assert all(ask in left_out for ask in [*illegal, *barred])
    assert all(not ask.view.recalled and ask.view.correcting is None for ask in kept)
    assert len(kept) > len(left_out)


def test_equal_choices_cost_nothing() -> None:
    """The ace and king of trumps are one as good as the other."""
    view = view_of("play hand='AS KS' trump=S turned=5S seats=4 pot=12")
    (judged,) = review_decisions([Reviewed("m0001", RecordedAsk(5, None, view, (), Play(Card("KS")), None, 1))])
    assert (judged.cost, judged.error) == (0, 0)
