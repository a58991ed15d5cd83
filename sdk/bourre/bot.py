"""The base class of bots: decisions, each with a legal default, and hooks that follow the game."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from inspect import iscoroutinefunction
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from bourre.notes import Remarks, Usage
from bourre.rules.cards import Card, Suit
from bourre.rules.view import View

if TYPE_CHECKING:  # few bots follow events, and loading them takes a tenth of a bot's start
    from bourre.rules.events import Event, Reneged

DECISIONS = ("declare", "draw", "take_turned", "name_trump", "stay", "play", "recall")
"""The methods that make decisions; only they may be `async`."""

_HOOKS = ("on_event", "on_renege", "on_match_end")

METHODS = (*DECISIONS, *_HOOKS)
"""All methods that this package calls."""

_DEADLINE = "_bourre_deadline"
"""The attribute for when the referee stops waiting for the current decision, on the clock `perf_counter`."""
_REMARKS = "_bourre_remarks"
"""The attribute for what a bot has said since its last answer; bots need not call `super().__init__()`."""


class Bot:
    """A bot for one match: override what you like. Decisions may be plain methods or `async` ones.

    Defining a class with an `async` hook raises TypeError, because nobody would wait for it.
    """

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        for hook in _HOOKS:
            if iscoroutinefunction(getattr(cls, hook)):
                raise TypeError(f"{cls.__name__}.{hook} is async, but only decisions may be: write a plain `def`")

    def declare(self, view: View) -> bool | Awaitable[bool]:
        """Returns whether to play this deal: True plays, False passes (R4.1). By default it plays with any trump."""
        return view.trump in [card.suit for card in view.hand]

    def draw(self, view: View) -> Iterable[Card] | Awaitable[Iterable[Card]]:
        """Returns the cards to discard, at most `view.max_discards`; by default none (R4.3)."""
        return ()

    def take_turned(self, view: View) -> bool | Awaitable[bool]:
        """Returns whether a dealer who discards takes `view.dead` in place of one discard; by default False (R3.2)."""
        return False

    def name_trump(self, view: View) -> Suit | Awaitable[Suit]:
        """Returns the trump suit, if the dealer chooses it (R3.2); by default the longest suit, the higher if tied."""
        return max(Suit, key=lambda suit: (sum(card.suit == suit for card in view.hand), suit))

    def stay(self, view: View) -> bool | Awaitable[bool]:
        """Returns whether to stay after the draw for another second ante (`second_pass`); by default with any trump."""
        return view.trump in [card.suit for card in view.hand]

    def play(self, view: View) -> Card | Awaitable[Card]:
        """Returns one of `view.legal`; by default the lowest. Not called when only one card is legal."""
        return view.legal[0]

    def recall(self, view: View, card: Card) -> Card | Awaitable[Card | None] | None:
        """Returns a legal card to correct a silent renege, or by default None, which lets it stand.

        Called only under `renege_policy="silent"`, right after `play` returned an illegal card (R8.4).
        """
        return None

    def on_event(self, event: Event) -> None:
        """Receives everything that happens at the table, as far as this seat may know it."""

    def on_renege(self, renege: Reneged) -> None:
        """Learns that this bot's card broke a rule, before `play` is called to correct it (R8.4)."""

    def on_match_end(self, balances: tuple[int, ...]) -> None:
        """Receives the final balance of every seat."""

    def seconds_left(self) -> float:
        """Returns how many seconds are left for this decision, bank included; infinitely many without a clock.

        Practice has no clock. What the referee's message took to arrive, and the answer takes to return, is not
        deducted.
        """
        deadline: float = vars(self).get(_DEADLINE, inf)
        return deadline - perf_counter()

    def note(self, text: str) -> None:
        """Attaches a note to the next answer, such as why it is given; several become lines of one.

        Notes are kept beside the record, up to 2 KiB for an answer. They never change a result.
        """
        _remarks_of(self).add_note(str(text))

    def add_usage(self, *, tokens_in: int = 0, tokens_out: int = 0, calls: int = 1, cost_millionths: int = 0) -> None:
        """Adds what the next answer cost, for statistics: by default one call, of a language model for instance.

        The cost is in millionths of a unit of money. Raises TypeError for anything but whole numbers, ValueError for
        negative ones.
        """
        used = {"tokens_in": tokens_in, "tokens_out": tokens_out, "calls": calls, "cost_millionths": cost_millionths}
        for name, number in used.items():
            if not isinstance(number, int):
                raise TypeError(f"add_usage: {name} must be a whole number, not {number!r}")
            if number < 0:
                raise ValueError(f"add_usage: {name} must be 0 or more, not {number}")
        _remarks_of(self).add_usage(Usage(**used))


def check_bot_class(bot: object) -> None:
    """Raises TypeError for anything but a class of bots, such as an instance of one."""
    if isinstance(bot, Bot):
        name = type(bot).__name__
        raise TypeError(f"run takes the class, not an instance of it: write run({name}), not run({name}())")
    if not isinstance(bot, type):
        raise TypeError(f"run takes a class that derives from bourre.Bot, but got a value of type {type(bot).__name__}")
    if not issubclass(bot, Bot):
        raise TypeError(f"run takes a class that derives from bourre.Bot: write class {bot.__name__}(Bot)")


def set_deadline(bot: Bot, deadline: float) -> None:
    """Tells a bot when the referee stops waiting for its next decision, on the clock `perf_counter`."""
    vars(bot)[_DEADLINE] = deadline


def _remarks_of(bot: Bot) -> Remarks:
    remarks: Remarks = vars(bot).setdefault(_REMARKS, Remarks())
    return remarks


def take_remarks(bot: Bot) -> Remarks | None:
    """Returns what this bot has said since it was last asked for it; None if nothing. Calls no method of the bot."""
    remarks: Remarks | None = vars(bot).pop(_REMARKS, None)
    return remarks
