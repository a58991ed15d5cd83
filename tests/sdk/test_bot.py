"""The bot's decisions, and the errors that an author sees if the bot answers nonsense."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from bourre.bot import DECISIONS, METHODS, Bot
from bourre.bot_code.decisions import BotError, decide, decide_now, recall, recall_now
from bourre.practice import practice
from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Recall, Stay
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View


def view_for(decision: Decision) -> View:
    """The view of a seat that holds 2C 5D 9H JS AS; trump is spades; only the spades are legal."""
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

    async def name_trump(self, view: View) -> Suit:
        await asyncio.sleep(0)
        return Suit.S

    async def stay(self, view: View) -> bool:
        await asyncio.sleep(0)
        return True

    async def play(self, view: View) -> Card:
        await asyncio.sleep(0)
        return view.legal[-1]


EXPECTED = {
    Decision.NAME_TRUMP: NameTrump(Suit.S),
    Decision.STAY: Stay(True),
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
    give: Callable[..., object] = lambda self, *asked: answer  # noqa: E731
    methods: dict[str, Any] = {"declare": lambda self, view: True, method: give}
    kind: type[Bot] = type("Answering", (Bot,), methods)
    return kind()


@pytest.mark.parametrize(
    ("method", "decision", "answer", "words"),
    [
        (
            "play",
            Decision.PLAY,
            None,
            "play returned None, which is not a Card: end every path with a return, .*; hand 2C 5D 9H",
        ),
        (
            "play",
            Decision.PLAY,
            "AS",
            "play returned 'AS', which is not a Card: return a card of view.legal, .*; hand",
        ),
        ("play", Decision.PLAY, 59, "play returned 59, which is not a Card: return a card of view.legal, .*; hand"),
        ("draw", Decision.DRAW, None, "draw returned None: return the cards to discard, as a list; hand 2C 5D"),
        ("draw", Decision.DRAW, "2C 5D", "draw returned '2C 5D': return the cards to discard, as a list"),
        ("draw", Decision.DRAW, Card("2C"), r"draw returned Card\('2C'\): return the cards to discard, as a list"),
        ("draw", Decision.DRAW, ["2C"], "draw returned '2C', which is not a Card: return a list of cards of view.hand"),
        ("draw", Decision.DECLARE, [None], "draw returned None, which is not a Card: .*; hand"),
        ("declare", Decision.DECLARE, None, "declare returned None: return True or False; hand 2C 5D"),
        ("declare", Decision.DECLARE, "no", "declare returned 'no': return True or False; hand 2C 5D"),
        ("declare", Decision.DECLARE, "", "declare returned '': return True or False; hand 2C 5D"),
        ("declare", Decision.DECLARE, 3, "declare returned 3: return True or False; hand 2C 5D"),
        ("declare", Decision.DECLARE, [Card("2C")], r"declare returned \[Card\('2C'\)\]: return True or False"),
        ("declare", Decision.DECLARE, Suit.D, "declare returned Suit.D: return True or False"),
        ("declare", Decision.DECLARE, len, "declare returned <built-in function len>: return True or False"),
        ("stay", Decision.STAY, "False", "stay returned 'False': return True or False; hand 2C 5D"),
        ("stay", Decision.STAY, None, "stay returned None: return True or False; hand 2C 5D"),
        ("name_trump", Decision.NAME_TRUMP, "S", r"name_trump returned 'S': return a Suit, such as Suit\.S; hand 2C"),
        ("name_trump", Decision.NAME_TRUMP, None, "name_trump returned None: return a Suit"),
    ],
)
def test_nonsense_is_named_with_method_and_hand(method: str, decision: Decision, answer: object, words: str) -> None:
    with pytest.raises(BotError, match=words):
        decide_now(answering(method, answer), view_for(decision), never)
    with pytest.raises(BotError, match=words):
        asyncio.run(decide(answering(method, answer), view_for(decision)))


class ArrayBool:
    """Like numpy's bool, the result of comparing arrays: equal to True or False, but neither of them."""

    def __init__(self, value: bool) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return self.value == other

    def __bool__(self) -> bool:
        return self.value

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("answer", [True, False, 1, 0, ArrayBool(True), ArrayBool(False)])
def test_what_is_equal_to_true_or_false_is_yes_or_no(answer: object) -> None:
    yes = answer == True  # noqa: E712
    assert decide_now(answering("stay", answer), view_for(Decision.STAY), never) == Stay(yes)


def test_what_a_bot_raises_comes_through() -> None:
    class Broken(Bot):
        def play(self, view: View) -> Card:
            raise ZeroDivisionError("no trumps")

    with pytest.raises(ZeroDivisionError, match="no trumps"):
        decide_now(Broken(), view_for(Decision.PLAY), never)


def with_option(view: View, seat: int) -> View:
    """The same view in a house whose dealer may take the turned card; this seat deals."""
    house = HouseRules(trump_card="separate_dealer_option")
    return replace(view, house=house, dealer=seat, turned=Card("KS"), dead=Card("KS"))


@pytest.mark.parametrize(
    ("seat", "discards", "expected"),
    [
        (0, "2C 5D", Draw(parse_cards("2C 5D"), takes=True)),
        (0, "", Draw()),
        (1, "2C 5D", Draw(parse_cards("2C 5D"))),
    ],
)
def test_only_a_dealer_who_discards_is_asked_for_the_turned_card(seat: int, discards: str, expected: Draw) -> None:
    class Taking(Bot):
        def draw(self, view: View) -> Iterable[Card]:
            return parse_cards(discards)

        async def take_turned(self, view: View) -> bool:
            return True

    view = with_option(view_for(Decision.DRAW), seat=0)
    view = replace(view, seat=seat)
    assert asyncio.run(decide(Taking(), view)) == expected


class Repentant(Bot):
    async def recall(self, view: View, card: Card) -> Card | None:
        return view.legal[0]


@pytest.mark.parametrize(
    ("policy", "choice", "expected"),
    [
        ("silent", Play(Card("2C")), Recall(Card("JS"))),
        ("silent", Play(Card("AS")), None),
        ("silent", Play(Card("3C")), None),
        ("silent", Stay(True), None),
        ("prompt", Play(Card("2C")), None),
    ],
)
def test_a_bot_may_take_back_only_a_silent_renege(policy: str, choice: Choice, expected: Recall | None) -> None:
    view = replace(view_for(Decision.PLAY), house=HouseRules(renege_policy=policy))
    assert asyncio.run(recall(Repentant(), view, choice)) == expected
    assert recall_now(Bot(), view, choice, never) is None


def test_a_recall_of_nonsense_is_named() -> None:
    view = replace(view_for(Decision.PLAY), house=HouseRules(renege_policy="silent"))
    with pytest.raises(BotError, match=r"recall returned 'JS', which is not a Card: return a card of view\.legal"):
        recall_now(answering("recall", "JS"), view, Play(Card("2C")), never)


@pytest.mark.parametrize("hook", ["on_event", "on_renege", "on_match_end"])
def test_what_only_listens_must_be_plain(hook: str) -> None:
    async def listen(self: Bot, heard: object) -> None:
        """Async, where nothing would await it."""

    with pytest.raises(TypeError, match=f"^Mine.{hook} is async, but only decisions may be: use a plain `def`$"):
        type("Mine", (Bot,), {hook: listen})


def test_the_methods_that_are_named_are_all_that_a_bot_has() -> None:
    assert {*METHODS, "note", "add_usage", "seconds_left"} == {name for name in vars(Bot) if not name.startswith("_")}
    assert [name for name in METHODS if "Awaitable" in str(getattr(Bot, name).__annotations__["return"])] == [
        *DECISIONS
    ]
