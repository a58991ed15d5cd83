"""The bot: its decisions, each with a default that plays legally, and hooks for those who want to listen."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from inspect import iscoroutinefunction

from bourre.rules.cards import Card, Suit
from bourre.rules.events import Event, Reneged
from bourre.rules.visibility import View

DECISIONS = ("declare", "draw", "take_turned", "name_trump", "stay", "play", "recall")
"""The methods of a bot that decide; they alone may be `async`."""

_HOOKS = ("on_event", "on_renege", "on_match_end")

METHODS = (*DECISIONS, *_HOOKS)
"""All of them."""


class Bot:
    """A bot for one match: override what you like. The decisions may be plain methods or `async` ones.

    TypeError where a class has an `async` hook, for nobody would wait for it.
    """

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        for hook in _HOOKS:
            if iscoroutinefunction(getattr(cls, hook)):
                raise TypeError(f"{cls.__name__}.{hook} is async, which decisions alone may be: write a plain `def`")

    def declare(self, view: View) -> bool | Awaitable[bool]:
        """Whether to play this deal: True plays, False passes (R4.1). By default with any trump."""
        return view.trump in [card.suit for card in view.hand]

    def draw(self, view: View) -> Iterable[Card] | Awaitable[Iterable[Card]]:
        """The cards to discard, at most `view.max_discards`; none of them by default (R4.3)."""
        return ()

    def take_turned(self, view: View) -> bool | Awaitable[bool]:
        """Whether the dealer, who discards, takes `view.dead` for one of the discards; no by default (R3.2)."""
        return False

    def name_trump(self, view: View) -> Suit | Awaitable[Suit]:
        """The trump suit, where the dealer chooses it; by default the suit with most cards, the higher one (R3.2)."""
        return max(Suit, key=lambda suit: (sum(card.suit == suit for card in view.hand), suit))

    def stay(self, view: View) -> bool | Awaitable[bool]:
        """Whether to stay after the draw for another second ante; by default with any trump (`second_pass`)."""
        return view.trump in [card.suit for card in view.hand]

    def play(self, view: View) -> Card | Awaitable[Card]:
        """One of `view.legal`; the lowest by default. Not asked where only one card is legal."""
        return view.legal[0]

    def recall(self, view: View, card: Card) -> Card | Awaitable[Card | None] | None:
        """The card to play instead of one that breaks a rule, where nobody says a word; by default None: it stands.

        Asked only under `renege_policy="silent"`, right after `play` (R8.4). A legal card corrects the renege.
        """
        return None

    def on_event(self, event: Event) -> None:
        """Hears everything that happens at the table, as far as this seat may know it."""

    def on_renege(self, renege: Reneged) -> None:
        """Hears that the own card broke a rule, before `play` is asked to correct it (R8.4)."""

    def on_match_end(self, balances: tuple[int, ...]) -> None:
        """Hears the final balance of every seat."""
