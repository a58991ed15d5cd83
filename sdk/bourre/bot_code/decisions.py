"""Asks a bot's methods for a decision and checks the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Final, TypeGuard

from bourre.bot import Bot
from bourre.rules.actions import PLAYS, Choice, Decision, Declare, Draw, NameTrump, Play, Recall, Stay
from bourre.rules.card import Ordinal
from bourre.rules.cards import Card, Suit, show
from bourre.rules.errors import BourreError
from bourre.rules.view import View

Reply = tuple[object, View, Callable[[Bot, View, object], "Choice | Reply"]]
"""The value that a bot's method returned, its view, and the function that reads both into a choice or a further reply.

It is a plain tuple, because a NamedTuple would slow practice by 3 %."""
_NEVER_AWAITABLE = (int, list, tuple)
"""The types that most methods return, including cards and booleans. Asking whether they are `Awaitable` is too slow."""
_DISCARD_TYPES = (tuple, list, Iterable)
"""The types that may hold the cards to discard. Python recognises the first two quickly."""
_PLAY: Final = Decision.PLAY  # reading `Decision.PLAY` takes 0.13 µs in Python 3.11, a constant 0.006 µs
Wait = Callable[[Awaitable[object]], object]
"""A function that returns the result of an awaitable."""


class BotError(BourreError):
    """A bot's method returned something that is not an answer. The message has the method, the value and the hand."""

    def __init__(self, reason: str, cards: str) -> None:
        super().__init__(f"{reason}; {cards}")
        self.reason = reason
        """The reason without the hand, for callers that show the hand themselves."""


async def decide(bot: Bot, view: View) -> Choice:
    """Asks a bot for the decision of its view; raises BotError and the bot's own errors."""
    reply: Choice | Reply = _ask(bot, view)
    while isinstance(reply, tuple):
        answer, view, read = reply
        reply = read(bot, view, await answer if _is_awaitable(answer) else answer)
    return reply


def decide_now(bot: Bot, view: View, wait: Wait) -> Choice:
    """Works like `decide` for callers that are not `async`; `wait` returns the result of an awaitable."""
    reply: Choice | Reply = _ask(bot, view)
    while isinstance(reply, tuple):
        answer, view, read = reply
        reply = read(bot, view, wait(answer) if _is_awaitable(answer) else answer)
    return reply


async def recall(bot: Bot, view: View, choice: Choice) -> Recall | None:
    """Asks a bot whether it takes back the card that it has just chosen, if that is a silent renege (R8.4)."""
    if not _is_silent_renege(choice, view):
        return None
    answer: object = bot.recall(view, choice.card)
    return _read_recall(await answer if _is_awaitable(answer) else answer, view)


def recall_now(bot: Bot, view: View, choice: Choice, wait: Wait) -> Recall | None:
    """Works like `recall` for callers that are not `async`."""
    if not _is_silent_renege(choice, view):
        return None
    answer: object = bot.recall(view, choice.card)
    return _read_recall(wait(answer) if _is_awaitable(answer) else answer, view)


def _is_awaitable(answer: object) -> TypeGuard[Awaitable[object]]:
    return not isinstance(answer, _NEVER_AWAITABLE) and isinstance(answer, Awaitable)


def _is_silent_renege(choice: Choice, view: View) -> TypeGuard[Play]:
    if not view.house.allows_recall or not isinstance(choice, Play):
        return False
    return choice.card not in view.legal and choice.card in view.hand


def _read_recall(answer: object, view: View) -> Recall | None:
    return None if answer is None else Recall(_check_card("recall", answer, view))


def _ask(bot: Bot, view: View) -> Reply:
    if view.decision == _PLAY:  # the most frequent decision
        return bot.play(view), view, _read_play
    return _ASK_BEFORE_PLAY[view.decision](bot, view)


def _read_play(_: Bot, view: View, answer: object) -> Choice:
    return PLAYS[_check_card("play", answer, view)]


def _read_declaration(bot: Bot, view: View, answer: object) -> Choice | Reply:
    if not _check_bool("declare", answer, view):
        return Declare(False)
    if not view.house.declares_in_turn:
        return Declare(True)
    view = view.for_draw()
    return bot.draw(view), view, _read_declared_discards


def _read_discards(
    make_choice: Callable[[tuple[Card, ...], bool], Choice], bot: Bot, view: View, answer: object
) -> Choice | Reply:
    if isinstance(answer, str) or not isinstance(answer, _DISCARD_TYPES):
        raise BotError(f"draw returned {answer!r}: return the cards to discard, as a list", f"hand {show(view.hand)}")
    discards = tuple([_check_card("draw", card, view) for card in answer])
    if not discards or not view.may_take_turned:
        return make_choice(discards, False)

    def read_taking(_: Bot, view: View, answer: object) -> Choice:
        return make_choice(discards, _check_bool("take_turned", answer, view))

    return bot.take_turned(view), view, read_taking


_read_draw: Final = partial(_read_discards, Draw)
_read_declared_discards: Final = partial(_read_discards, partial(Declare, True))


def _read_trump(_: Bot, view: View, answer: object) -> Choice:
    return NameTrump(_check_suit(answer, view))


def _read_stay(_: Bot, view: View, answer: object) -> Choice:
    return Stay(_check_bool("stay", answer, view))


_YES_OR_NO: Final[tuple[object, ...]] = (True, False)
"""Objects, because compiled code treats each item of a tuple of bool as a bool."""


def _check_bool(method: str, answer: object, view: View) -> bool:
    if answer is True or answer is False:
        return answer
    if isinstance(answer, Ordinal) or answer not in _YES_OR_NO:  # accepts 1, 0 and NumPy booleans
        raise BotError(f"{method} returned {answer!r}: return True or False", f"hand {show(view.hand)}")
    return bool(answer)


def _check_suit(answer: object, view: View) -> Suit:
    if isinstance(answer, Suit):
        return answer
    raise BotError(f"name_trump returned {answer!r}: return a Suit, such as Suit.S", f"hand {show(view.hand)}")


def _check_card(method: str, answer: object, view: View) -> Card:
    if isinstance(answer, Card):
        return answer
    raise BotError(
        f"{method} returned {answer!r}, which is not a Card: {_card_hint(method, answer)}",
        f"hand {show(view.hand)}, legal {show(view.legal)}",
    )


def _card_hint(method: str, answer: object) -> str:
    """Returns the fix for an answer that is no card."""
    if method == "draw":
        return "return a list of cards of view.hand, such as [view.hand[0]]"
    if answer is None:
        return "end every path with a return, such as return view.legal[0]"
    return "return a card of view.legal, such as view.legal[0]"


_ASK_BEFORE_PLAY: Final[dict[Decision, Callable[[Bot, View], Reply]]] = {
    Decision.NAME_TRUMP: lambda bot, view: (bot.name_trump(view), view, _read_trump),
    Decision.DECLARE: lambda bot, view: (bot.declare(view), view, _read_declaration),
    Decision.DRAW: lambda bot, view: (bot.draw(view), view, _read_draw),
    Decision.STAY: lambda bot, view: (bot.stay(view), view, _read_stay),
}
"""The function that asks for each decision except a card."""
