"""Checks of a bot: it plays by the rules, repeats its answers, and is fast enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from time import process_time
from typing import TypeGuard

from bourre.practice.mistake import BOT_EXCEPTIONS, Mistake
from bourre.practice.seat import PracticeSeat, objection
from bourre.practice.session import BotMaker
from bourre.rules.actions import Choice
from bourre.rules.cards import Card, show
from bourre.rules.view import View
from bourre.testing.trial import Trial, make_trials, play, repeat_hint
from bourre.words.view_notation import view_text


def assert_legal(bot: BotMaker, deals: int = 200, seed: int = 7, presets: Sequence[str] | None = None) -> None:
    """Fails at the first illegal card, discard or other answer, and at the first exception.

    `bot` is a class of bots. Plays `deals` deals for each preset (None means all), at tables of several sizes. The same
    seed deals the same cards. The message has the method, line, hand, legal cards and rule, and how to repeat it.
    """
    __tracebackhide__ = True
    for trial in make_trials(deals, seed, presets):
        play(bot, trial, _judge)


def _judge(trial: Trial, seat: PracticeSeat, view: View) -> Choice:
    __tracebackhide__ = True
    try:
        action = seat.answer(view)
    except BOT_EXCEPTIONS as error:
        raise _failure(seat.mistake(seat.complaint(error, view.decision), view, None, error), trial) from error
    if why := objection(action, view):
        raise _failure(seat.mistake(why, view, action), trial)
    return action


def _failure(mistake: Mistake, trial: Trial) -> AssertionError:
    heading = f"{mistake.bot}: {mistake.why} (deal {mistake.view.deal}, {trial})"
    return AssertionError("\n  ".join([heading, *mistake.lines(), repeat_hint("assert_legal", mistake.bot, trial)]))


def assert_repeats(bot: BotMaker, deals: int = 100, seed: int = 7, presets: Sequence[str] | None = None) -> None:
    """Fails at the first decision that a new instance of the bot makes differently in a repeated match."""
    __tracebackhide__ = True
    for trial in make_trials(deals, seed, presets):
        first = _Answers([])
        play(bot, trial, first.ask)
        play(bot, trial, _Answers(first.said).ask)


class _Answers:
    """The answers of a match, compared with the answers of its first time."""

    def __init__(self, before: Sequence[Choice]) -> None:
        """`before` holds the answers of the first time. It is empty while they are collected."""
        self.said: list[Choice] = []
        self._before = before

    def ask(self, trial: Trial, seat: PracticeSeat, view: View) -> Choice:
        __tracebackhide__ = True
        answer = seat.answer(view)
        before = self._before[len(self.said)] if self._before else answer
        if answer != before:
            raise AssertionError(
                f"{seat.name}: {view.decision} returned {before}, and {answer} in the repeated match "
                f"(deal {view.deal}, {trial})\n"
                f"  hint: use view.rng or random for chance, and no clocks\n"
                f'  as a test: view("{view_text(view)}")\n  {repeat_hint("assert_repeats", seat.name, trial)}'
            )
        self.said.append(answer)
        return answer


def assert_fast(
    bot: BotMaker, ms: float = 100.0, deals: int = 20, seed: int = 7, presets: Sequence[str] | None = ("limit",)
) -> None:
    """Fails if a decision takes more than `ms` milliseconds of processor time.

    Processor time excludes waiting and does not depend on the load of the machine. The message shows the view of the
    slowest decision. Plays `deals` deals for each preset; None means all.
    """
    __tracebackhide__ = True
    watch = _Stopwatch()
    for trial in make_trials(deals, seed, presets):
        play(bot, trial, watch.ask)
    if watch.view is not None and watch.slowest * 1000 > ms:
        name = getattr(bot, "__name__", type(bot).__name__)
        raise AssertionError(
            f"{name}: {watch.view.decision} took {watch.slowest * 1000:.1f} ms of processor time, more than {ms:g} ms\n"
            f'  as a test: view("{view_text(watch.view)}")'
        )


class _Stopwatch:
    """Keeps the slowest decision so far."""

    def __init__(self) -> None:
        self.slowest = 0.0
        """The time of the slowest decision, in seconds."""
        self.view: View | None = None

    def ask(self, trial: Trial, seat: PracticeSeat, view: View) -> Choice:
        __tracebackhide__ = True
        began = process_time()
        answer = seat.answer(view)
        spent = process_time() - began
        if self.view is None or spent > self.slowest:
            self.slowest, self.view = spent, view
        return answer


def explain(op: str, left: object, right: object) -> list[str] | None:
    """Returns lines that explain why `left op right` is false; None leaves it to pytest."""
    if isinstance(left, View) and isinstance(right, View) and op == "==":
        return list(_views(left, right))
    if isinstance(left, Card) and op in ("in", "not in") and _are_cards(right):
        return [f"{left} {op} {show(right)}"]
    if isinstance(left, Card) and isinstance(right, Card):
        return [f"{left} {op} {right}"]
    if op == "==" and _are_cards(left) and _are_cards(right):
        return list(_hands(left, right))
    return None


def _are_cards(value: object) -> TypeGuard[Sequence[Card]]:
    return isinstance(value, list | tuple) and any(True for _ in value) and all(isinstance(one, Card) for one in value)


def _views(left: View, right: View) -> Iterator[str]:
    yield "two views that differ"
    for field in fields(View):
        one, other = getattr(left, field.name), getattr(right, field.name)
        if one != other:
            yield f"{field.name}: {_format_value(one)} != {_format_value(other)}"
    yield f'left:  view("{view_text(left)}")'
    yield f'right: view("{view_text(right)}")'


def _format_value(value: object) -> str:
    return show(value) if _are_cards(value) else str(value)


def _hands(left: Sequence[Card], right: Sequence[Card]) -> Iterator[str]:
    yield f"{show(left)} == {show(right)}"
    if type(left) is not type(right):
        yield f"one is a {type(left).__name__}, the other a {type(right).__name__}"
    if more := [card for card in left if card not in right]:
        yield f"only on the left: {show(more)}"
    if more := [card for card in right if card not in left]:
        yield f"only on the right: {show(more)}"
    if sorted(left) == sorted(right) and list(left) != list(right):
        yield "the same cards in another order"
