"""Many deals at once are the deals of a match: the same observations, masks and chips."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from bourre import HouseRules, InvalidAction
from bourre.envs.action_space import choice_of
from bourre.envs.observation import mask_of, vector_of
from bourre.envs.vector import VectorEnv
from bourre.lockstep import random_decks
from bourre.rules.cards import DECK, Card
from bourre.rules.match import Match
from tests.sdk.envs.tables import HOUSES, sizes


class FixedDeck:
    """Chance that deals one deck, to the left of the last seat; nothing else is left to it."""

    by_seat = False

    def __init__(self, seats: int, deck: list[Card]) -> None:
        self._seats, self._deck = seats, deck

    def stake(self, deal: int) -> int:
        return 2

    def first_dealer(self, seats: int) -> int:
        return self._seats - 1

    def draw_for_deal(self) -> list[Card]:
        raise AssertionError("the dealer is known")

    def deck(self, deal: int) -> list[Card]:
        return self._deck

    def shuffle_gathered(self, deal: int, time: int, cards: object) -> list[Card]:
        raise AssertionError("few enough cards are drawn")

    def shuffle_returned(self, deal: int, cards: object) -> list[Card]:
        raise AssertionError("no preset returns the turned card")

    def seat_seed(self, deal: int, seat: int) -> int:
        return 0


@pytest.mark.parametrize("preset", HOUSES)
def test_each_deal_is_a_deal_of_a_match(preset: str) -> None:
    house, dice, number = HOUSES[preset], Random(6), 12
    for seats in (2, min(5, max(sizes(preset)))):
        decks = random_decks(number, np.random.default_rng(seats))
        env = VectorEnv(number, seats, house, stake=2)
        seen = env.deal(decks)
        matches = [Match(seats, 1, house, FixedDeck(seats, [DECK[card - 8] for card in deck])) for deck in decks]
        for match in matches:
            match.start()
        while not env.over.all():
            actions = np.zeros(number, np.int64)
            for row in np.flatnonzero(~env.over).tolist():
                view = matches[row].view(matches[row].to_act)
                assert env.to_act[row] == view.seat
                assert np.allclose(seen["observation"][row], vector_of(view), atol=1e-5)
                assert np.array_equal(seen["action_mask"][row], mask_of(view))
                actions[row] = dice.choice(np.flatnonzero(seen["action_mask"][row]).tolist())
                matches[row].apply(view.seat, choice_of(int(actions[row]), view))
            seen = env.step(actions)
        assert all(match.over for match in matches)
        assert not seen["action_mask"].any()
        balances = np.array([match.ledger.balances for match in matches])
        assert np.abs(env.chips - balances).max() < 1  # a match shares the odd chips of a pot, these fractions of it
        assert env.chips.sum(axis=1) == pytest.approx(np.zeros(number))


def chips_of(env: VectorEnv, seed: int | None) -> NDArray[np.float64]:
    """Plays all deals by the first legal action but one, if there is another."""
    mask = env.reset(seed)["action_mask"]
    while not env.over.all():
        mask = env.step(np.where(mask.sum(axis=1) > 1, mask.cumsum(axis=1).argmax(axis=1), mask.argmax(axis=1)))[
            "action_mask"
        ]
    return env.chips


def test_a_seed_repeats_the_deals_and_goes_on() -> None:
    first, second = VectorEnv(50), VectorEnv(50)
    series = [chips_of(first, 7), chips_of(first, None)]
    assert np.array_equal(chips_of(second, 7), series[0])
    assert np.array_equal(chips_of(second, None), series[1])
    assert not np.array_equal(series[0], series[1])


def test_chips_are_zero_until_the_deal_is_settled() -> None:
    env = VectorEnv(8)
    env.reset(seed=1)
    assert not env.chips.any()


def test_an_illegal_action_names_its_deal() -> None:
    env = VectorEnv(3)
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match="deal 1: action 40 is not legal"):
        env.step(np.array([0, 40, 0]))
    with pytest.raises(InvalidAction, match="deal 2: action 120 is not legal"):
        env.step(np.array([0, 0, 120]))


def test_no_deal_is_too_few() -> None:
    with pytest.raises(ValueError, match="0 deals are too few"):
        VectorEnv(0)


def test_a_dealer_who_antes_for_all_pays_alone() -> None:
    env = VectorEnv(4, 3, HouseRules.preset("limit", dealer_antes_all=True))
    seen = env.reset(seed=3)
    while not env.over.all():
        seen = env.step(seen["action_mask"].argmax(axis=1))
    assert (env.chips[:, 0] == 0).all()  # all others pass, so the dealer gets its antes back
