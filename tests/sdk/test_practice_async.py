"""Bots with `async` methods in practice, even if an event loop is already running."""

from __future__ import annotations

import asyncio
import threading

import pytest

from bourre.bot import Bot
from bourre.practice import PracticeError, PracticeResult, practice
from bourre.rules.cards import Card
from bourre.rules.visibility import View
from tests.sdk.bots import Drawing


class LoopThread(Drawing):
    """Answers through an event loop, and leaves tasks running on it."""

    def __init__(self) -> None:
        self.loops: set[int] = set()
        self.thread = 0

    async def play(self, view: View) -> Card:
        self.loops.add(id(asyncio.get_running_loop()))
        self.left = asyncio.create_task(asyncio.sleep(1000))
        await asyncio.sleep(0)
        return view.legal[0]


class Instant(Drawing):
    """The same answers at once."""

    def play(self, view: View) -> Card:
        return view.legal[0]


def result_of(kind: type[Bot]) -> PracticeResult:
    return practice({"a": kind, "b": Drawing, "c": Bot}, deals=20, seed=5, matches=2)


def test_async_bots_play_as_plain_ones_do() -> None:
    assert result_of(LoopThread) == result_of(Instant)


def test_async_bots_practise_inside_a_running_loop() -> None:
    async def notebook() -> PracticeResult:
        return result_of(LoopThread)

    assert asyncio.run(notebook()) == result_of(Instant)


def test_an_async_bot_keeps_one_loop_and_leaves_no_thread() -> None:
    made: list[LoopThread] = []

    def make() -> Bot:
        made.append(LoopThread())
        return made[-1]

    before = threading.active_count()
    practice([make, Drawing], deals=20, seed=5)
    assert len(made[0].loops) == 1
    assert made[0].left.cancelled()  # what it left running there is ended too
    assert threading.active_count() == before


@pytest.mark.parametrize("error", [TimeoutError("no answer from the model"), SystemExit("enough")])
def test_an_async_bot_that_raises_or_ends_the_program_is_named(error: BaseException) -> None:
    class Late(Drawing):
        async def play(self, view: View) -> Card:
            await asyncio.sleep(0)
            raise error

    words = rf"^Late: play \(line \d+\) raised {type(error).__name__}: {error}"
    with pytest.raises(PracticeError, match=words):
        practice([Late, Drawing], deals=20, seed=5)
