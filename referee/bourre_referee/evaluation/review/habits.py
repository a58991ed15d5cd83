"""Finds the habits of a bot: mistakes of the same kind that it makes again and again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bourre.rules.actions import Choice, Declare, Draw, Play, Stay
from bourre.rules.cards import Card
from bourre.rules.view import View

if TYPE_CHECKING:
    from bourre_lab.review import ReviewedDecision

LEAST: Final = 2
"""How often a mistake of a kind makes a habit."""


@dataclass(frozen=True, slots=True)
class Habit:
    """Mistakes of one kind."""

    name: str
    """What the bot did, such as `threw its highest trump`."""
    times: int
    cost: float
    """The sum of their cost in chips."""
    error: float
    """The standard error of that sum."""


def habits_of(decisions: Iterable[ReviewedDecision]) -> tuple[Habit, ...]:
    """Returns the habits that these decisions show, the one that cost most first."""
    kinds: dict[str, list[ReviewedDecision]] = {}
    for one in decisions:
        if one.is_mistake:
            kinds.setdefault(_deed(one.ask.view, one.chosen, one.better), []).append(one)
    habits = [_habit(name, mistakes) for name, mistakes in kinds.items() if len(mistakes) >= LEAST]
    return tuple(sorted(habits, key=lambda habit: habit.cost, reverse=True))


def _habit(name: str, mistakes: list[ReviewedDecision]) -> Habit:
    cost = sum(one.cost for one in mistakes)
    return Habit(name, len(mistakes), cost, sum(one.error**2 for one in mistakes) ** 0.5)


def _deed(view: View, chosen: Choice, better: Choice) -> str:
    """Returns what the bot did wrong, in the past tense."""
    if isinstance(chosen, Play) and isinstance(better, Play):
        return _played(view, chosen.card, better.card)
    if isinstance(chosen, Stay):
        return "stayed with a poor hand" if chosen.stays else "left with a good hand"
    if isinstance(chosen, Declare) and isinstance(better, Declare) and chosen.plays != better.plays:
        return "came in with a poor hand" if chosen.plays else "passed a good hand"
    if isinstance(chosen, Declare | Draw) and isinstance(better, Declare | Draw):
        return _threw(view, {*chosen.discards}, {*better.discards})
    return "named a poor trump"


def _threw(view: View, thrown: set[Card], better: set[Card]) -> str:
    wasted, kept = thrown - better, better - thrown
    if _highest_trump(view) in wasted:
        return "threw its highest trump"
    if any(card.suit == view.trump for card in wasted):
        return "threw a trump"
    if wasted and kept:
        return "threw the wrong cards"
    if wasted or kept:
        return "threw too many cards" if wasted else "threw too few cards"
    return "chose wrongly about the turned card"


def _played(view: View, card: Card, better: Card) -> str:
    verb = "followed" if view.trick else "led"
    if card == _highest_trump(view):
        return f"{verb} with its highest trump"
    if card.suit == better.suit:
        return f"{verb} too high" if card.rank > better.rank else f"{verb} too low"
    if view.trump in (card.suit, better.suit):
        return f"{verb} with a trump" if card.suit == view.trump else f"{verb} with no trump"
    return f"{verb} with the wrong suit"


def _highest_trump(view: View) -> Card | None:
    return max((card for card in view.hand if card.suit == view.trump), key=lambda card: card.rank, default=None)
