"""The Gymnasium environment of one seat, and the bot that plays what was learned."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

from bourre import Bot, Card, InvalidAction, PracticeError, View
from bourre.bot_file import BotFileError
from bourre.decisions import decide_now
from bourre.envs.action_space import COME_IN
from bourre.envs.observation import mask_of, vector_of
from bourre.envs.policy_bot import PolicyBot
from bourre.envs.seat_env import SeatEnv
from bourre.practice import practice
from bourre.rules.house import HouseRules
from tests.sdk.envs.action_numbers import number_of
from tests.sdk.envs.tables import HOUSES, sizes
from tests.sdk.random_answers import legal_answer

pytestmark = pytest.mark.filterwarnings(  # of an environment that no registry made
    "ignore:.*not able to test alternative render modes"
)


@pytest.mark.parametrize("preset", HOUSES)
def test_gymnasium_finds_nothing_wrong_at_any_size(preset: str) -> None:
    for seats in sizes(preset):
        made = SeatEnv([Bot] * (seats - 1), 2, HOUSES[preset], reneges=seats % 2 == 0, illegal="first")
        check_env(made)
        made.close()


@pytest.mark.parametrize("preset", HOUSES)
def test_a_bot_gains_what_it_gains_in_practice(preset: str) -> None:
    house, others = HOUSES[preset], ["drawer", "tight"]
    wins = practice([Answerer, *others], deals=20, seed=7, house=house).bots[0].chips
    made = SeatEnv(others, 20, house, seat=0)
    made.reset(seed=7)
    bot, gained, over = Answerer(), 0.0, False
    while not over:
        view = made.view()
        _, reward, over, _, _ = made.step(number_of(decide_now(bot, view, no_wait), view))
        gained += reward
    assert gained == wins


def no_wait(_: object) -> object:
    raise AssertionError("no bot here is async")


class Answerer(Bot):
    """Comes in often, discards what is no trump, and plays by its own dice."""

    def declare(self, view: View) -> bool:
        return view.rng.random() < 0.7

    def draw(self, view: View) -> list[Card]:
        return [card for card in view.hand if card.suit != view.named][: view.max_discards]

    def take_turned(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        return view.rng.choice(view.legal)


@pytest.mark.parametrize("preset", HOUSES)
def test_a_policy_answers_as_a_bot_what_it_answers_in_an_environment(preset: str) -> None:
    house, others = HOUSES[preset], ["drawer", "tight"]
    asked: list[bytes] = []

    class Policy(PolicyBot):
        def act(self, observation: NDArray[Any], action_mask: NDArray[Any]) -> int:
            asked.append(observation.tobytes())
            return choose(observation, action_mask)

    wins = practice([Policy, *others], deals=20, seed=3, house=house).bots[0].chips
    made = SeatEnv(others, 20, house, seat=0)
    seen, _ = made.reset(seed=3)
    gained, over, observed = 0.0, False, []
    while not over:
        observed.append(seen["observation"].tobytes())
        seen, reward, over, _, _ = made.step(choose(seen["observation"], seen["action_mask"]))
        gained += reward
    assert asked == observed
    assert gained == wins


def choose(observation: NDArray[Any], mask: NDArray[Any]) -> int:
    """A legal action that depends on all that is seen; it comes in more often than not."""
    dice = Random(observation.tobytes())
    legal = mask.nonzero()[0].tolist()
    return dice.choice(legal[1:] or legal) if dice.random() < 0.7 else dice.choice(legal)


def test_an_illegal_policy_is_told_so() -> None:
    class Illegal(PolicyBot):
        def act(self, observation: NDArray[Any], action_mask: NDArray[Any]) -> int:
            return 119

    with pytest.raises(PracticeError, match="act chose action 119, which is not legal"):
        practice([Illegal, "tight"], deals=3, seed=1)


def test_a_policy_without_act_plays_the_first_legal_action() -> None:
    result = practice([PolicyBot, "tight"], deals=5, seed=1)
    assert result.bots[0].faults == 0
    assert result.bots[0].chips < 0


def test_the_learner_moves_on_or_stays() -> None:
    moving, fixed = SeatEnv([Bot, Bot]), SeatEnv([Bot, Bot], seat=2)
    seats = set()
    for seed in range(3):
        moving.reset(seed=seed)
        fixed.reset(seed=seed)
        seats.add(moving.seat)
        assert fixed.seat == 2
    for _ in range(10):
        moving.reset()
        seats.add(moving.seat)
    assert seats == {0, 1, 2}


def test_a_bot_that_fails_is_named() -> None:
    class Broken(Bot):
        def declare(self, view: View) -> bool:
            raise ZeroDivisionError("far too clever")

    class Wrong(Bot):
        def draw(self, view: View) -> list[Card]:
            return [Card("AS")] * 2

        def declare(self, view: View) -> bool:
            return True

    for bot, words in (
        (Broken, "Broken.*: declare .* far too clever .deal 1, seat"),
        (Wrong, "Wrong.*: draw returned"),
    ):
        made = SeatEnv([bot, bot], deals=4)
        with pytest.raises(PracticeError, match=words):
            play_to_the_end(made)


def play_to_the_end(made: SeatEnv) -> None:
    seen, _ = made.reset(seed=1)
    over = False
    while not over:
        seen, _, over, _, _ = made.step(int(seen["action_mask"].argmax()))


def test_bots_hear_what_they_may_know() -> None:
    heard: list[str] = []
    ends: list[tuple[int, ...]] = []

    class Listener(Bot):
        def on_event(self, event: object) -> None:
            heard.append(str(event))

        def on_match_end(self, balances: tuple[int, ...]) -> None:
            ends.append(balances)

    made = SeatEnv([Listener], seat=0, deals=2)
    play_to_the_end(made)
    assert [line for line in heard if line.startswith("deal ")][:1] == ["deal 1: seat 1 deals"]
    assert sum("is dealt" in line for line in heard) == 2  # its own cards only
    assert len(ends) == 1
    assert sum(ends[0]) == 0


def test_async_bots_play_too() -> None:
    class Patient(Bot):
        async def declare(self, view: View) -> bool:
            return True

    made = SeatEnv([Patient], deals=2)
    play_to_the_end(made)
    made.close()


def test_the_registry_makes_it() -> None:
    made = gymnasium.make("bourre.envs.seat_env:Bourre-v0", opponents=["tight"], render_mode="ansi")
    seen, _ = made.reset(seed=3)
    assert "is dealt" in str(made.render())
    assert isinstance(made.unwrapped, SeatEnv)
    view = made.unwrapped.view()
    assert np.array_equal(seen["observation"], vector_of(view))
    assert np.array_equal(seen["action_mask"], mask_of(view))
    made.close()


MISUSES: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: SeatEnv(["nobody"]), BotFileError, "there is no bot 'nobody'"),
    (lambda: SeatEnv(["tight"], seat=2), ValueError, "the seats of this table are 0 to 1"),
    (lambda: SeatEnv(["tight"], render_mode="human"), ValueError, "write None or 'ansi'"),
    (lambda: SeatEnv(["tight"], illegal="ignore"), ValueError, "write 'refuse' or 'first'"),
    (lambda: SeatEnv(["tight"]).step(COME_IN), InvalidAction, "no match has begun"),
    (lambda: SeatEnv(["tight"] * 8, house=HouseRules()), Exception, "9 seats cannot play"),
]


@pytest.mark.parametrize(("misuse", "error", "words"), MISUSES)
def test_misuse_is_explained(misuse: Callable[[], object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        misuse()


def test_random_answers_are_found_in_the_mask() -> None:
    made = SeatEnv(["tight", "drawer"], deals=10)
    made.reset(seed=9)
    dice, over = Random(9), False
    while not over:
        view = made.view()
        action = number_of(legal_answer(view, dice), view)
        assert mask_of(view)[action]
        _, _, over, _, _ = made.step(action)
