"""The questions for an agent, the form of the answers, and their reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from bourre.rules.actions import ACTION_WORDS, CHOICE_TYPES, Choice, Decision, Declare, Draw, Play, Recall, parse_action
from bourre.rules.cards import Card, show
from bourre.rules.errors import BourreError
from bourre.rules.view import View
from bourre.words.table_words import as_codes


@dataclass(frozen=True, slots=True)
class QueuedQuestion:
    """A decision that waits for the agent."""

    number: int
    match: str
    view: View
    reneged: Card | None = None
    """The agent's illegal card, which it may still take back (R8.4, `silent`)."""
    deadline: float | None = None
    """The end of the referee's wait, by the desk's clock in seconds; None means without a limit."""

    @property
    def answers(self) -> str:
        """The forms of an answer, in one sentence."""
        if self.reneged is not None:
            return f"`keep` plays {self.reneged}, or `recall` and another card of your hand takes it back."
        return _ANSWERS[self.view.decision](self.view)


class Reply(NamedTuple):
    """The agent's answer; None lets an illegal card stand (R8.4, `silent`)."""

    said: Choice | Recall | None
    note: str = ""


def _declare_answers(view: View) -> str:
    if not view.house.declares_in_turn:
        return "`pass`, or `in` to play this deal."
    return f"`pass`, or `in` and the cards that you exchange, {_exchange(view, 'in')}"


def _exchange(view: View, word: str) -> str:
    """Describes the cards that may follow this word."""
    some = " ".join(map(str, view.hand[: min(2, view.max_discards)]))
    take = f" Add `take` to take {view.dead} for one of them." if view.may_take_turned else ""
    return f"at most {view.max_discards}: `{word}` keeps all, `{word} {some}` exchanges these.{take}"


_ANSWERS: dict[Decision, Callable[[View], str]] = {
    Decision.NAME_TRUMP: lambda view: "`trump` and a suit: `trump C`, `trump D`, `trump H` or `trump S`.",
    Decision.DECLARE: _declare_answers,
    Decision.DRAW: lambda view: f"`draw` and the cards that you exchange, {_exchange(view, 'draw')}",
    Decision.STAY: lambda view: f"`stay` pays another {view.house.cost_to_enter}, `leave` passes.",
    Decision.PLAY: lambda view: f"one card of your hand: {show(view.hand)}.",
}


KEEP = "keep"
"""The word that lets an illegal card stand (R8.4, `silent`)."""
_WORDS = (*ACTION_WORDS, "play", KEEP)


class AnswerError(BourreError):
    """An answer is unusable. The message has the reason and the right form."""


def read_answer(text: str, question: QueuedQuestion) -> Choice | Recall | None:
    """Reads an answer to this question; None keeps an illegal card. Raises AnswerError.

    The referee judges legality: an illegal card of the hand is an answer, and so are too many discards.
    """
    words = [word.lower() if word.lower() in _WORDS else word.upper() for word in as_codes(text).split()]
    if words[:1] == ["play"]:
        words = words[1:]
    if question.reneged is not None and words == [KEEP]:
        return None
    try:
        action = parse_action(" ".join(words))
    except BourreError as error:
        raise AnswerError(f"{error}. Answer with {question.answers}") from None
    kind = Recall if question.reneged is not None else CHOICE_TYPES[question.view.decision]
    if not isinstance(action, kind):
        raise AnswerError(f"{text!r} does not answer question {question.number}. Answer with {question.answers}")
    _check_cards(action, question)
    return action


def _check_cards(action: Choice | Recall, question: QueuedQuestion) -> None:
    """Raises AnswerError for an impossible action: discards without a question, or cards that the hand lacks."""
    if isinstance(action, Declare) and action.discards and not question.view.house.declares_in_turn:
        raise AnswerError(f"You exchange cards after everyone has declared. Answer with {question.answers}")
    cards = action.discards if isinstance(action, (Declare, Draw)) else ()
    cards = (action.card,) if isinstance(action, (Play, Recall)) else cards
    for card in cards:
        if card not in question.view.hand:
            hand = " ".join(map(str, question.view.hand))
            raise AnswerError(f"{card} is not in your hand: {hand}. Answer with {question.answers}")
    if len(set(cards)) < len(cards):
        raise AnswerError(f"You named a card twice. Answer with {question.answers}")
