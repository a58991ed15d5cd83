"""The bot: three decisions, each with a default that plays legally, and hooks for those who want to listen."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from inspect import isawaitable
from typing import TypeVar

from bourre.rules.actions import Action, Decision, Declare, Draw, Play
from bourre.rules.cards import Card, show
from bourre.rules.errors import BourreError
from bourre.rules.events import Event, Reneged
from bourre.rules.view import View

T = TypeVar("T")


class BotError(BourreError):
    """A bot's method returned something that is no answer: names the method, the value and the hand."""


class Bot:
    """A bot for one match; override what you like, each method plain or `async`."""

    def declare(self, view: View) -> bool | Awaitable[bool]:
        """Whether to play this deal: True plays, False passes (R4.1). By default with any trump."""
        return any(card.suit == view.trump for card in view.hand)

    def draw(self, view: View) -> Iterable[Card] | Awaitable[Iterable[Card]]:
        """The cards to discard, at most `view.max_discards`; none of them by default (R4.3)."""
        return ()

    def play(self, view: View) -> Card | Awaitable[Card]:
        """One of `view.legal`; the lowest by default."""
        return view.legal[0]

    def on_event(self, event: Event) -> None:
        """Hears everything that happens at the table, as far as this seat may know it."""

    def on_renege(self, renege: Reneged) -> None:
        """Hears that the own card broke a rule, before `play` is asked to correct it (R8.4)."""

    def on_match_end(self, balances: tuple[int, ...]) -> None:
        """Hears the final balance of every seat."""


async def decide(bot: Bot, view: View) -> Action:
    """Asks a bot for the decision that its view asks for; raises BotError, and whatever the bot raises."""
    if view.decision == Decision.PLAY:
        return Play(_card("play", await _awaited(bot.play(view)), view))
    if view.decision == Decision.DRAW:
        return Draw(await _discards(bot, view))
    if not await _awaited(bot.declare(view)):
        return Declare(False)
    return Declare(True, await _discards(bot, view.for_draw()))


async def _discards(bot: Bot, view: View) -> tuple[Card, ...]:
    chosen = await _awaited(bot.draw(view))
    if isinstance(chosen, str) or not isinstance(chosen, Iterable):
        raise BotError(f"draw returned {chosen!r}: return the cards to discard, as a list; hand {show(view.hand)}")
    return tuple(_card("draw", card, view) for card in chosen)


def _card(method: str, answer: object, view: View) -> Card:
    if isinstance(answer, Card):
        return answer
    raise BotError(f"{method} returned {answer!r}, which is no Card; hand {show(view.hand)}, legal {show(view.legal)}")


async def _awaited(answer: T | Awaitable[T]) -> T:
    return await answer if isawaitable(answer) else answer
