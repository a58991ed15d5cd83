"""The bot: three decisions, each with a default that plays legally, and hooks for those who want to listen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterable
from inspect import isawaitable

from bourre.rules.actions import Choice, Decision, Declare, Draw, Play
from bourre.rules.cards import Card, show
from bourre.rules.errors import BourreError
from bourre.rules.events import Event, Reneged
from bourre.rules.view import View


class BotError(BourreError):
    """A bot's method returned something that is no answer: names the method, the value and the hand."""


class Bot:
    """A bot for one match: override what you like. The three decisions may be plain methods or `async` ones."""

    def declare(self, view: View) -> bool | Awaitable[bool]:
        """Whether to play this deal: True plays, False passes (R4.1). By default with any trump."""
        return any(card.suit == view.trump for card in view.hand)

    def draw(self, view: View) -> Iterable[Card] | Awaitable[Iterable[Card]]:
        """The cards to discard, at most `view.max_discards`; none of them by default (R4.3)."""
        return ()

    def play(self, view: View) -> Card | Awaitable[Card]:
        """One of `view.legal`; the lowest by default. Not asked where only one card is legal."""
        return view.legal[0]

    def on_event(self, event: Event) -> None:
        """Hears everything that happens at the table, as far as this seat may know it."""

    def on_renege(self, renege: Reneged) -> None:
        """Hears that the own card broke a rule, before `play` is asked to correct it (R8.4)."""

    def on_match_end(self, balances: tuple[int, ...]) -> None:
        """Hears the final balance of every seat."""


Consultation = Generator[object, object, Choice]
"""Gives what the bot's methods return, takes it back once it has been waited for, and ends with the action."""


async def decide(bot: Bot, view: View) -> Choice:
    """Asks a bot for the decision that its view asks for; raises BotError, and whatever the bot raises."""
    consultation = _consult(bot, view)
    answer: object = None
    try:
        while True:
            answer = consultation.send(answer)
            if isawaitable(answer):
                answer = await answer
    except StopIteration as end:
        action: Choice = end.value
        return action


def decide_now(bot: Bot, view: View, wait: Callable[[Awaitable[object]], object]) -> Choice:
    """Like `decide`, for callers that are not `async`: `wait` gives the result of an awaitable."""
    consultation = _consult(bot, view)
    answer: object = None
    try:
        while True:
            answer = consultation.send(answer)
            if isawaitable(answer):
                answer = wait(answer)
    except StopIteration as end:
        action: Choice = end.value
        return action


def _consult(bot: Bot, view: View) -> Consultation:
    if view.decision == Decision.PLAY:
        return Play(_card("play", (yield bot.play(view)), view))
    if view.decision == Decision.DRAW:
        return Draw((yield from _discards(bot, view)))
    plays = yield bot.declare(view)
    if plays is None:
        raise BotError(f"declare returned None: return True to play or False to pass; hand {show(view.hand)}")
    return Declare(True, (yield from _discards(bot, view.for_draw()))) if plays else Declare(False)


def _discards(bot: Bot, view: View) -> Generator[object, object, tuple[Card, ...]]:
    chosen = yield bot.draw(view)
    if isinstance(chosen, str) or not isinstance(chosen, Iterable):
        raise BotError(f"draw returned {chosen!r}: return the cards to discard, as a list; hand {show(view.hand)}")
    return tuple(_card("draw", card, view) for card in chosen)


def _card(method: str, answer: object, view: View) -> Card:
    if isinstance(answer, Card):
        return answer
    hint = f": return Card({answer!r})" if isinstance(answer, str) else ""
    raise BotError(
        f"{method} returned {answer!r}, which is no Card{hint}; hand {show(view.hand)}, legal {show(view.legal)}"
    )
