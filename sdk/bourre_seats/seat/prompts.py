"""What a person is asked, in words."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.rules.actions import Choice, Decision
from bourre.rules.sentences import sentence
from bourre.rules.tricks import broken_rule
from bourre.rules.view import View
from bourre.words.table_words import card_name, choice_words, name_cards
from bourre_seats.question_queue.question import QueuedQuestion
from bourre_seats.question_queue.view_description import describe_correction
from bourre_seats.seat.hints import ENTRY, PLAYOUT, Hint

HOUR = 3600.0
"""A deadline beyond this, in seconds, is not shown to a person."""


def ask_words(question: QueuedQuestion) -> str:
    """Returns the question for the person."""
    if question.reneged is not None:
        return f"Take the {card_name(question.reneged)} back and choose another card, or let it stand?"
    return _decision_words(question.view)


def _decision_words(view: View) -> str:
    match view.decision:
        case Decision.NAME_TRUMP:
            return "You deal: which suit is trump?"
        case Decision.DECLARE:
            also = f" If you play, {_exchange_words(view)}." if view.house.declares_in_turn else ""
            return f"Do you play this deal for {view.pot} chips, or pass?{also}"
        case Decision.DRAW:
            return f"Now {_exchange_words(view)}."
        case Decision.STAY:
            return f"Stay for another {view.house.cost_to_enter} chips, or leave the deal?"
        case Decision.PLAY:
            return _card_words(view)


def _card_words(view: View) -> str:
    if view.correcting:
        return "Choose another card."
    return "Your turn: choose a card." if view.trick else "You lead: choose a card."


def _exchange_words(view: View) -> str:
    return f"choose the cards that you exchange, at most {view.max_discards}"


def warning_words(question: QueuedQuestion) -> str:
    """Returns the broken rule and the cost of the last card, if the person may still change it; otherwise nothing."""
    view = question.view
    if view.correcting:
        return describe_correction(view, view.correcting)
    if question.reneged is None:
        return ""
    rule = broken_rule(question.reneged, view.position)
    cost = "Taken back now, it costs you this pot and your next turn to deal."
    return f"Your {question.reneged} breaks {sentence(rule)}. {cost}"


def hint_lines(hint: Hint) -> Iterator[str]:
    """Yields the lines of a hint, one for each choice, the best first."""
    if hint.legal:
        yield f"Legal: {name_cards(hint.legal)}."
    for estimate in hint.estimates:
        yield f"{button_words(estimate.choice)}: {estimate.chips:+.1f} chips on average."
    others = "" if hint.legal else f"{ENTRY} "
    yield f"Averages over {hint.samples} sampled deals. {others}{PLAYOUT}"


def button_words(choice: Choice) -> str:
    """Returns a choice as a button says it."""
    return choice_words(choice, name_cards).capitalize()
