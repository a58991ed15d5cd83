"""The bot's three decisions, and what is said to an author whose bot answers nonsense."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from bourre.bot import Bot
from bourre.consult import BotError, decide, decide_now
from bourre.practice import practice
from bourre.rules.actions import Decision, Declare, Draw, Play
from bourre.rules.cards import Card, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.view import View


def view_for(decision: Decision) -> View:
    """A view of somebody who holds 2C 5D 9H JS AS; trump is spades; only the spades are legal."""
    match = Match(5, 1, HouseRules(), SeededChance(b"a seed"))
    match.start()
    return replace(
        match.view(match.to_act),
        decision=decision,
        hand=parse_cards("2C 5D 9H JS AS"),
        legal=parse_cards("JS AS"),
        named=Card("AS").suit,
    )


def never(awaitable: Awaitable[object]) -> object:
    raise AssertionError("nothing was to be waited for")


class Plain(Bot):
    def declare(self, view: View) -> bool:
        return True

    def draw(self, view: View) -> Iterable[Card]:
        return (card for card in view.hand if card.suit != view.trump)

    def play(self, view: View) -> Card:
        return view.legal[-1]


class Slow(Bot):
    async def declare(self, view: View) -> bool:
        await asyncio.sleep(0)
        return True

    async def draw(self, view: View) -> list[Card]:
        await asyncio.sleep(0)
        return [card for card in view.hand if card.suit != view.trump]

    async def play(self, view: View) -> Card:
        await asyncio.sleep(0)
        return view.legal[-1]


EXPECTED = {
    Decision.DECLARE: Declare(True, parse_cards("2C 5D 9H")),
    Decision.DRAW: Draw(parse_cards("2C 5D 9H")),
    Decision.PLAY: Play(Card("AS")),
}


@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("kind", [Plain, Slow])
def test_plain_and_async_methods_answer_alike(kind: type[Bot], decision: Decision) -> None:
    assert asyncio.run(decide(kind(), view_for(decision))) == EXPECTED[decision]


@pytest.mark.parametrize("decision", Decision)
def test_plain_methods_need_no_waiting(decision: Decision) -> None:
    assert decide_now(Plain(), view_for(decision), never) == EXPECTED[decision]


@pytest.mark.parametrize("decision", Decision)
def test_async_methods_are_waited_for(decision: Decision) -> None:
    def wait(awaitable: Awaitable[object]) -> object:
        async def result() -> object:
            return await awaitable

        return asyncio.run(result())

    assert decide_now(Slow(), view_for(decision), wait) == EXPECTED[decision]


def test_a_declaration_in_turn_asks_for_the_discards_at_once() -> None:
    asked: list[Decision] = []

    class Asked(Plain):
        def draw(self, view: View) -> Iterable[Card]:
            asked.append(view.decision)
            return ()

    assert decide_now(Asked(), view_for(Decision.DECLARE), never) == Declare(True)
    assert asked == [Decision.DRAW]


def test_who_passes_is_not_asked_for_discards() -> None:
    class Passing(Plain):
        def declare(self, view: View) -> bool:
            return False

        def draw(self, view: View) -> Iterable[Card]:
            raise AssertionError("asked for discards")

    assert decide_now(Passing(), view_for(Decision.DECLARE), never) == Declare(False)


def test_an_empty_subclass_plays_legally() -> None:
    class Empty(Bot):
        pass

    assert practice([Empty] * 5, deals=100, seed=1).problems == ()


def answering(method: str, answer: object) -> Bot:
    give: Callable[..., object] = lambda self, view: answer  # noqa: E731
    methods: dict[str, Any] = {"declare": lambda self, view: True, method: give}
    kind: type[Bot] = type("Answering", (Bot,), methods)
    return kind()


@pytest.mark.parametrize(
    ("method", "decision", "answer", "words"),
    [
        ("play", Decision.PLAY, None, "play returned None, which is no Card; hand 2C 5D 9H JS AS, legal JS AS"),
        ("play", Decision.PLAY, "AS", r"play returned 'AS', which is no Card: return Card\('AS'\); hand"),
        ("play", Decision.PLAY, 59, "play returned 59, which is no Card; hand"),
        ("draw", Decision.DRAW, None, "draw returned None: return the cards to discard, as a list; hand 2C 5D"),
        ("draw", Decision.DRAW, "2C 5D", "draw returned '2C 5D': return the cards to discard, as a list"),
        ("draw", Decision.DRAW, Card("2C"), r"draw returned Card\('2C'\): return the cards to discard, as a list"),
        ("draw", Decision.DRAW, ["2C"], r"draw returned '2C', which is no Card: return Card\('2C'\)"),
        ("draw", Decision.DECLARE, [None], "draw returned None, which is no Card; hand"),
        ("declare", Decision.DECLARE, None, "declare returned None: return True to play or False to pass"),
    ],
)
def test_nonsense_is_named_with_method_and_hand(method: str, decision: Decision, answer: object, words: str) -> None:
    with pytest.raises(BotError, match=words):
        decide_now(answering(method, answer), view_for(decision), never)
    with pytest.raises(BotError, match=words):
        asyncio.run(decide(answering(method, answer), view_for(decision)))


def test_what_a_bot_raises_comes_through() -> None:
    class Broken(Bot):
        def play(self, view: View) -> Card:
            raise ZeroDivisionError("no trumps")

    with pytest.raises(ZeroDivisionError, match="no trumps"):
        decide_now(Broken(), view_for(Decision.PLAY), never)
