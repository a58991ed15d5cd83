"""The Gymnasium environment of one seat, and the bot that plays what was learned."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

from bourre import Bot, Card, InvalidAction, PracticeError, View
from bourre.bot_code.bot_file import BotFileError
from bourre.bot_code.decisions import decide_now
from bourre.practice import practice
from bourre.practice.loop_thread import THREAD_NAME
from bourre.practice.session import BotSource
from bourre.rules.house import HouseRules
from bourre_lab.envs.action_space import ACTIONS, COME_IN
from bourre_lab.envs.observation import mask_of, vector_of
from bourre_lab.envs.policy_bot import PolicyBot
from bourre_lab.envs.seat_env import SeatEnv
from tests.sdk.bots import Keen
from tests.sdk.envs.tables import HOUSES, number_of, sizes

pytestmark = pytest.mark.filterwarnings(  # of an environment that no registry made
    "ignore:.*not able to test alternative render modes"
)
OTHERS: list[BotSource] = ["drawer", "tight"]


@pytest.mark.parametrize("preset", HOUSES)
def test_gymnasium_finds_nothing_wrong_with_small_and_large_tables(preset: str) -> None:
    for seats in (2, max(sizes(preset))):
        made = SeatEnv([Bot] * (seats - 1), 2, HOUSES[preset], reneges=seats == 2, illegal="first")
        check_env(made)
        made.close()


def chips_in_practice(bot: type[Bot], seat: int, house: HouseRules, seed: int) -> int:
    """What a bot wins in practice in this seat; the others sit to its left."""
    bots: list[BotSource] = [bot, *OTHERS]
    return practice([bots[(at - seat) % 3] for at in range(3)], deals=20, seed=seed, house=house).bots[seat].chips


@pytest.mark.parametrize(("number", "preset"), list(enumerate(HOUSES)))
def test_a_bot_gains_what_it_gains_in_practice(number: int, preset: str) -> None:
    """In any seat, and whichever way it is rewarded."""
    house, seat, bot = HOUSES[preset], number % 3, Answerer()
    made = SeatEnv(OTHERS, 20, house, seat=seat, rewards=("deal", "balance")[number % 2])
    made.reset(seed=7)
    gained, over = 0.0, False
    while not over:
        view = made.view()
        _, reward, over, _, _ = made.step(number_of(decide_now(bot, view, no_wait), view))
        gained += reward
    assert gained == chips_in_practice(Answerer, seat, house, 7)
    with pytest.raises(InvalidAction, match="this match is over"):
        made.view()


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
    asked: list[bytes] = []

    class Policy(PolicyBot):
        def act(self, observation: NDArray[Any], action_mask: NDArray[Any]) -> int:
            asked.append(observation.tobytes())
            return choose(observation, action_mask)

    wins = chips_in_practice(Policy, 0, HOUSES[preset], 3)
    made = SeatEnv(OTHERS, 20, HOUSES[preset], seat=0)
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


def test_an_illegal_action_is_refused_or_the_first_legal_one_played() -> None:
    strict, lenient = SeatEnv(["tight"], seat=0), SeatEnv(["tight"], seat=0, illegal="first")
    seen, _ = strict.reset(seed=1)
    lenient.reset(seed=1)
    with pytest.raises(InvalidAction, match="action 119 is not legal for seat 0"):
        strict.step(119)
    (one, *first, _), (other, *second, _) = strict.step(int(seen["action_mask"].argmax())), lenient.step(119)
    assert first == second
    assert np.array_equal(one["observation"], other["observation"])


def test_the_learner_moves_on_or_stays() -> None:
    """A match in which it is never asked, because all others pass and it deals, is left out."""
    moving, fixed = SeatEnv([Keen, Keen]), SeatEnv([Bot, Bot], seat=2)
    seats = []
    for seed in (1, None, None, None, 2, *[None] * 20):
        moving.reset(seed=seed)
        seats.append(moving.seat)
        seen, _ = fixed.reset(seed=seed)
        assert fixed.seat == 2
        assert seen["action_mask"].any()
    assert seats[:6] == [0, 1, 2, 0, 0, 1]


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


def test_bots_are_made_for_each_match_and_hear_what_they_may_know() -> None:
    heard: list[list[str]] = []

    class Listener(Bot):
        def __init__(self) -> None:
            heard.append([])

        def on_event(self, event: object) -> None:
            heard[-1].append(str(event))

        def on_match_end(self, balances: tuple[int, ...]) -> None:
            heard[-1].append(f"sum {sum(balances)}")

    made = SeatEnv([Listener], seat=0, deals=2, render_mode="ansi")
    for _ in range(2):
        play_to_the_end(made)
    assert heard[0] == heard[1]
    assert heard[0][0] == "deal 1: seat 1 deals"
    assert [line for line in heard[0] if line.startswith("sum")] == ["sum 0"]
    shown = str(made.render()).splitlines()  # of the last match
    assert made.render() == ""
    for seat, lines in ((0, shown), (1, heard[0])):
        dealt = [line for line in lines if "is dealt" in line]
        assert [line[:14] for line in dealt] == [f"seat {seat} is deal"] * 2  # its own cards only
        assert "its cards" not in "".join(dealt)


def test_async_bots_play_too_and_leave_no_thread() -> None:
    class Patient(Bot):
        async def declare(self, view: View) -> bool:
            return True

    made = SeatEnv([Patient], deals=2)
    play_to_the_end(made)
    made.close()
    assert THREAD_NAME not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("name", ["bourre_lab.envs:Bourre-v0", "bourre_lab.envs.seat_env:Bourre-v0", "Bourre-v0"])
def test_the_registry_makes_it(name: str) -> None:
    made = gymnasium.make(name, opponents=["tight"], render_mode="ansi")
    seen, _ = made.reset(seed=3)
    assert "is dealt" in str(made.render())
    assert isinstance(made.unwrapped, SeatEnv)
    view = made.unwrapped.view()
    assert np.array_equal(seen["observation"], vector_of(view))
    assert np.array_equal(seen["action_mask"], mask_of(view))
    made.close()


def test_it_is_made_in_a_new_process_without_an_import() -> None:
    made = "import gymnasium; print(gymnasium.make('bourre_lab.envs:Bourre-v0').reset(seed=1)[1].keys())"
    done = subprocess.run((sys.executable, "-W", "error", "-c", made), capture_output=True, text=True, check=True)
    assert done.stdout == "dict_keys(['action_mask'])\n"


@pytest.mark.parametrize("preset", ["limit", "nba"])
def test_masks_are_where_learners_look_for_them(preset: str) -> None:
    """MaskablePPO asks the environment below all wrappers, and others read the observation or the info."""
    made = gymnasium.make("Bourre-v0", opponents=["tight"], deals=2, house=HOUSES[preset])
    seen, info = made.reset(seed=3)
    over = False
    while not over:
        masks = made.get_wrapper_attr("action_masks")()
        assert (masks.dtype, masks.shape) == (np.bool_, (ACTIONS,))
        assert np.array_equal(masks, seen["action_mask"])
        assert np.array_equal(masks, info["action_mask"])
        seen, _, over, _, info = made.step(int(masks.nonzero()[0][-1]))
    assert not made.get_wrapper_attr("action_masks")().any()
    made.close()


def steps_to_the_end(made: SeatEnv) -> list[tuple[object, ...]]:
    """What the last legal actions bring from here to the end of the match, and what is told."""
    steps: list[tuple[object, ...]] = []
    while not steps or not steps[-1][2]:
        seen, reward, over, _, _ = made.step(int(made.action_masks().nonzero()[0][-1]))
        steps.append((seen["observation"].tobytes(), reward, over, made.render()))
    return steps


@pytest.mark.parametrize("before", range(0, 9, 4))
def test_a_pickle_goes_on_where_it_was(before: int) -> None:
    made = SeatEnv(["drawer", "loose"], deals=6, render_mode="ansi")
    SeatEnv(["drawer"]).reset(seed=1)  # loads the file again, so that its class is another one
    made.reset(seed=1)
    made.reset()
    for _ in range(before):
        made.step(int(made.action_masks().nonzero()[0][-1]))
    copies = [pickle.loads(pickle.dumps(made)), deepcopy(made)]
    assert [steps_to_the_end(one) for one in copies] == [steps_to_the_end(made)] * 2
    assert [one.reset()[0]["observation"].tolist() for one in copies] == [made.reset()[0]["observation"].tolist()] * 2


def test_a_pickle_is_read_by_a_process_that_knows_no_bot() -> None:
    made = SeatEnv(["drawer"], deals=3)
    made.reset(seed=1)
    made.step(int(made.action_masks().argmax()))
    read = "import pickle, sys; made = pickle.load(sys.stdin.buffer); print(made.view().hand)"
    done = subprocess.run((sys.executable, "-c", read), input=pickle.dumps(made), capture_output=True, check=True)
    assert done.stdout.decode() == f"{made.view().hand}\n"


def test_a_pickle_of_an_environment_without_a_match_begins_one() -> None:
    again = pickle.loads(pickle.dumps(SeatEnv(["drawer"])))
    with pytest.raises(InvalidAction, match="no match has begun"):
        again.view()
    again.reset(seed=1)
    again.view()


MISUSES: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: SeatEnv(["nobody"]), BotFileError, "Unknown bot 'nobody'"),
    (lambda: SeatEnv(["tight"], seat=2), ValueError, "the seats of this table are 0 to 1"),
    (lambda: SeatEnv(["tight"], seat=-1), ValueError, "the seats of this table are 0 to 1"),
    (lambda: SeatEnv(["tight"], render_mode="human"), ValueError, "use None or 'ansi'"),
    (lambda: SeatEnv(["tight"], illegal="ignore"), ValueError, "use 'refuse' or 'first'"),
    (lambda: SeatEnv(["tight"]).action_masks(), InvalidAction, "no match has begun"),
    (lambda: SeatEnv(["tight"]).step(COME_IN), InvalidAction, "no match has begun"),
    (lambda: SeatEnv(["tight"] * 8, house=HouseRules()), Exception, "9 seats cannot play"),
]


@pytest.mark.parametrize(("misuse", "error", "words"), MISUSES)
def test_misuse_is_explained(misuse: Callable[[], object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        misuse()
