"""Asks a bot's methods for a decision, and sees to it that the answer is one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterable
from inspect import isawaitable
from typing import Final, TypeGuard, TypeVar

from bourre.bot import Bot
from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Recall, Stay
from bourre.rules.cards import DECK, Card, Suit, show
from bourre.rules.errors import BourreError
from bourre.rules.view import View

T = TypeVar("T")
Consultation = Generator[object, object, Choice]
"""Gives what the bot's methods return, takes it back once it has been waited for, and ends with the action."""
_PLAIN = (int, list, tuple)
"""What most methods return, cards and yes or no among it: nobody need ask twice whether it is to be waited for."""
_MANY = (tuple, list, Iterable)
"""What cards to discard may come in; the first two are told without a look at their methods."""
_PLAY: Final = Decision.PLAY  # Python 3.11 takes its time to look up a member of an enumeration
_PLAYS: Final = {card: Play(card) for card in DECK}
"""The play of every card, made once."""
Wait = Callable[[Awaitable[object]], object]
"""Gives the result of an awaitable."""


class BotError(BourreError):
    """A bot's method returned something that is no answer: names the method, the value and the hand."""

    def __init__(self, reason: str, cards: str) -> None:
        super().__init__(f"{reason}; {cards}")
        self.reason = reason
        """Without the hand, for those who show it anyway."""


async def decide(bot: Bot, view: View) -> Choice:
    """Asks a bot for the decision that its view asks for; raises BotError, and whatever the bot raises."""
    return await _awaited(_consult(bot, view))


def decide_now(bot: Bot, view: View, wait: Wait) -> Choice:
    """Like `decide`, for callers that are not `async`: `wait` gives the result of an awaitable."""
    return _waited(_consult(bot, view), wait)


async def recall(bot: Bot, view: View, choice: Choice) -> Recall | None:
    """Asks a bot whether it takes back what it has just chosen, if that is a silent renege (R8.4)."""
    return await _awaited(_consult_on_recall(bot, view, choice.card)) if _is_silent_renege(choice, view) else None


def recall_now(bot: Bot, view: View, choice: Choice, wait: Wait) -> Recall | None:
    """Like `recall`, for callers that are not `async`."""
    return _waited(_consult_on_recall(bot, view, choice.card), wait) if _is_silent_renege(choice, view) else None


async def _awaited(consultation: Generator[object, object, T]) -> T:
    answer: object = None
    try:
        while True:
            answer = consultation.send(answer)
            if not isinstance(answer, _PLAIN) and isawaitable(answer):
                answer = await answer
    except StopIteration as end:
        result: T = end.value
        return result


def _waited(consultation: Generator[object, object, T], wait: Wait) -> T:
    answer: object = None
    try:
        while True:
            answer = consultation.send(answer)
            if not isinstance(answer, _PLAIN) and isawaitable(answer):
                answer = wait(answer)
    except StopIteration as end:
        result: T = end.value
        return result


def _is_silent_renege(choice: Choice, view: View) -> TypeGuard[Play]:
    if view.house.renege_policy != "silent" or not isinstance(choice, Play):
        return False
    return choice.card not in view.legal and choice.card in view.hand


def _consult_on_recall(bot: Bot, view: View, card: Card) -> Generator[object, object, Recall | None]:
    better = yield bot.recall(view, card)
    return None if better is None else Recall(_card("recall", better, view))


def _consult(bot: Bot, view: View) -> Consultation:
    if view.decision == _PLAY:  # by far the most
        return _consult_on_play(bot, view)
    return _BEFORE_THE_PLAY[view.decision](bot, view)


def _consult_on_play(bot: Bot, view: View) -> Consultation:
    return _PLAYS[_card("play", (yield bot.play(view)), view)]


def _consult_on_declaration(bot: Bot, view: View) -> Consultation:
    if not _yes_or_no("declare", (yield bot.declare(view)), view):
        return Declare(False)
    if view.house.declare_mode != "turn":
        return Declare(True)
    return Declare(True, *(yield from _discards(bot, view.for_draw())))


def _consult_on_draw(bot: Bot, view: View) -> Consultation:
    return Draw(*(yield from _discards(bot, view)))


def _consult_on_trump(bot: Bot, view: View) -> Consultation:
    return NameTrump(_suit((yield bot.name_trump(view)), view))


def _consult_on_staying(bot: Bot, view: View) -> Consultation:
    return Stay(_yes_or_no("stay", (yield bot.stay(view)), view))


def _discards(bot: Bot, view: View) -> Generator[object, object, tuple[tuple[Card, ...], bool]]:
    chosen = yield bot.draw(view)
    if isinstance(chosen, str) or not isinstance(chosen, _MANY):
        raise BotError(f"draw returned {chosen!r}: return the cards to discard, as a list", f"hand {show(view.hand)}")
    discards = tuple([_card("draw", card, view) for card in chosen])
    if not discards or not view.may_take_turned:
        return discards, False
    return discards, _yes_or_no("take_turned", (yield bot.take_turned(view)), view)


def _yes_or_no(method: str, answer: object, view: View) -> bool:
    if answer is None:
        raise BotError(f"{method} returned None: return True or False", f"hand {show(view.hand)}")
    return bool(answer)


def _suit(answer: object, view: View) -> Suit:
    if isinstance(answer, Suit):
        return answer
    raise BotError(f"name_trump returned {answer!r}: return a Suit, such as Suit.S", f"hand {show(view.hand)}")


def _card(method: str, answer: object, view: View) -> Card:
    if isinstance(answer, Card):
        return answer
    hint = f": return Card({answer!r})" if isinstance(answer, str) else ""
    cards = f"hand {show(view.hand)}, legal {show(view.legal)}"
    raise BotError(f"{method} returned {answer!r}, which is no Card{hint}", cards)


_BEFORE_THE_PLAY: Final[dict[Decision, Callable[[Bot, View], Consultation]]] = {
    Decision.NAME_TRUMP: _consult_on_trump,
    Decision.DECLARE: _consult_on_declaration,
    Decision.DRAW: _consult_on_draw,
    Decision.STAY: _consult_on_staying,
}
"""How a bot is asked for each decision but a card."""
