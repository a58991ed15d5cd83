"""Reads what an agent answers, and says what is wrong with it."""

from __future__ import annotations

from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Recall, Stay, parse_action
from bourre.rules.errors import BourreError
from bourre.words.table_words import as_codes
from bourre_seats.desk.question import Question

KEEP = "keep"
"""The word that lets an illegal card stand (R8.4, `silent`)."""
_WORDS = ("in", "pass", "draw", "trump", "stay", "leave", "recall", "take", "play", KEEP)
_KINDS: dict[Decision, type[Choice]] = {
    Decision.NAME_TRUMP: NameTrump,
    Decision.DECLARE: Declare,
    Decision.DRAW: Draw,
    Decision.STAY: Stay,
    Decision.PLAY: Play,
}


class AnswerError(BourreError):
    """An answer cannot be used; the message says why, and what to answer instead."""


def read_answer(text: str, question: Question) -> Choice | Recall | None:
    """Reads an answer to this question; None keeps an illegal card. Raises AnswerError.

    The rules are the referee's: a card that is held but illegal is an answer, and so are too many discards.
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
    kind = Recall if question.reneged is not None else _KINDS[question.view.decision]
    if not isinstance(action, kind):
        raise AnswerError(f"{text!r} does not answer question {question.number}. Answer with {question.answers}")
    _check_cards(action, question)
    return action


def _check_cards(action: Choice | Recall, question: Question) -> None:
    """Raises AnswerError for what no player could do: discard without being asked, or use a card that it lacks."""
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
