"""The base class of bots: decisions with legal defaults, and hooks that follow the game."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from math import inf
from time import perf_counter
from types import FunctionType
from typing import TYPE_CHECKING

from bourre.notes import Remarks, Usage
from bourre.rules.cards import Card, Suit
from bourre.rules.view import View

if TYPE_CHECKING:  # few bots follow events; loading them takes a tenth of a bot's start
    from bourre.rules.events import Event, Reneged

DECISIONS = ("declare", "draw", "take_turned", "name_trump", "stay", "play", "recall")
"""The methods that make decisions. Only these may be `async`."""

_HOOKS = ("on_event", "on_renege", "on_match_end")

METHODS = (*DECISIONS, *_HOOKS)
"""All methods that this package calls."""

_CO_COROUTINE = 0x80
"""The flag of an `async` function's code, as in `inspect`."""
_DEADLINE = "_bourre_deadline"
"""The attribute for the deadline of the current decision, on the clock `perf_counter`."""
_REMARKS = "_bourre_remarks"
"""The attribute for the remarks since the last answer. It is set on demand, so bots may skip `super().__init__()`."""


class Bot:
    """A bot for one match: override any of its methods. Decisions may be plain or `async` methods.

    A class with an `async` hook raises TypeError when it is defined, because nothing awaits hooks.
    """

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        for hook in _HOOKS:
            if is_async(getattr(cls, hook)):
                raise TypeError(f"{cls.__name__}.{hook} is async, but only decisions may be: use a plain `def`")

    def declare(self, view: View) -> bool | Awaitable[bool]:
        """Returns whether to play this deal (True) or to pass (R4.1). By default it plays if it holds a trump."""
        return view.trump in [card.suit for card in view.hand]

    def draw(self, view: View) -> Iterable[Card] | Awaitable[Iterable[Card]]:
        """Returns the cards to discard, at most `view.max_discards` (R4.3). By default it discards none."""
        return ()

    def take_turned(self, view: View) -> bool | Awaitable[bool]:
        """Returns whether the dealer takes `view.dead` in place of one discard (R3.2). By default it does not."""
        return False

    def name_trump(self, view: View) -> Suit | Awaitable[Suit]:
        """Returns the trump suit if the dealer chooses it (R3.2), by default the longest suit, the highest if tied."""
        return max(Suit, key=lambda suit: (sum(card.suit == suit for card in view.hand), suit))

    def stay(self, view: View) -> bool | Awaitable[bool]:
        """Returns whether to pay another second ante after the draw (`second_pass`). By default any trump stays."""
        return view.trump in [card.suit for card in view.hand]

    def play(self, view: View) -> Card | Awaitable[Card]:
        """Returns one of `view.legal`, by default the lowest. A single legal card is played without this call."""
        return view.legal[0]

    def recall(self, view: View, card: Card) -> Card | Awaitable[Card | None] | None:
        """Returns a legal card that corrects a silent renege, or None to let it stand, which is the default.

        Only `renege_policy="silent"` calls this method, right after `play` returned an illegal card (R8.4).
        """
        return None

    def on_event(self, event: Event) -> None:
        """Receives each event at the table, without the cards that this seat may not see."""

    def on_renege(self, renege: Reneged) -> None:
        """Receives this bot's renege, before `play` is called to correct it (R8.4)."""

    def on_match_end(self, balances: tuple[int, ...]) -> None:
        """Receives the final balance of every seat."""

    def seconds_left(self) -> float:
        """Returns the seconds left for this decision, reserve time included; infinity without a clock, as in practice.

        The travel times of the referee's message and of the answer are not deducted.
        """
        deadline: float = vars(self).get(_DEADLINE, inf)
        return deadline - perf_counter()

    def note(self, text: str) -> None:
        """Attaches a note to the next answer, such as its reason. Each further note adds a line.

        Notes are stored beside the record, up to 2 KiB for each answer. They never change a result.
        """
        _remarks_of(self).add_note(str(text))

    def add_usage(self, *, tokens_in: int = 0, tokens_out: int = 0, calls: int = 1, cost_millionths: int = 0) -> None:
        """Adds usage to the next answer, for statistics. By default it adds one call, for instance of a language model.

        The cost is in millionths of a unit of money. Raises TypeError for a number that is not whole, and ValueError
        for a negative one.
        """
        used = {"tokens_in": tokens_in, "tokens_out": tokens_out, "calls": calls, "cost_millionths": cost_millionths}
        for name, number in used.items():
            if not isinstance(number, int):
                raise TypeError(f"add_usage: {name} must be a whole number, not {number!r}")
            if number < 0:
                raise ValueError(f"add_usage: {name} must be 0 or more, not {number}")
        _remarks_of(self).add_usage(Usage(**used))


def is_async(method: object) -> bool:
    """Works like `inspect.iscoroutinefunction`, which is slow to load."""
    if isinstance(method, FunctionType) and not vars(method):  # else it may be marked as one
        return bool(method.__code__.co_flags & _CO_COROUTINE)
    from inspect import iscoroutinefunction

    return iscoroutinefunction(method)


def check_bot_class(bot: object) -> None:
    """Raises TypeError unless this is a class of bots."""
    if isinstance(bot, Bot):
        name = type(bot).__name__
        raise TypeError(f"run takes the class, not an instance of it: use run({name}), not run({name}())")
    if not isinstance(bot, type):
        raise TypeError(f"run takes a class that derives from bourre.Bot, but got a value of type {type(bot).__name__}")
    if not issubclass(bot, Bot):
        raise TypeError(f"run takes a class that derives from bourre.Bot: use class {bot.__name__}(Bot)")


def set_deadline(bot: Bot, deadline: float) -> None:
    """Sets the deadline of the bot's next decision, on the clock `perf_counter`."""
    vars(bot)[_DEADLINE] = deadline


def _remarks_of(bot: Bot) -> Remarks:
    remarks: Remarks = vars(bot).setdefault(_REMARKS, Remarks())
    return remarks


def take_remarks(bot: Bot) -> Remarks | None:
    """Returns and clears the bot's remarks since the last call; None if it made none. Calls no method of the bot."""
    remarks: Remarks | None = vars(bot).pop(_REMARKS, None)
    return remarks
