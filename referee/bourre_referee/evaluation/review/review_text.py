"""Writes a review in words: a table by kind of decision, the habits, the worst mistakes with cards, and its limits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from bourre.rules.cards import show
from bourre.rules.view import View
from bourre.words.table_words import SUIT_NAMES, CardWriter, choice_words
from bourre_referee.evaluation.review.habits import Habit, habits_of
from bourre_referee.evaluation.review.reviewed_play import KindSummary, Review, summarize, worst
from bourre_referee.text.names import printable

if TYPE_CHECKING:
    from bourre_lab.review import ReviewedDecision


WORST: Final = 10
"""The number of mistakes shown."""


DOUBT: Final = "doubtful: without sampled deals, the champion would choose like the bot"
"""Marks a mistake that the champion's own judgement contradicts."""


def review_lines(review: Review, most: int = WORST, cards: CardWriter = show) -> Iterator[str]:
    """Yields the review as lines of text, with the worst mistakes."""
    decisions = review.decisions
    yield f"{printable(review.bot)}: {summary_line(review)}"
    yield from review.warnings
    yield ""
    yield from _table(review)
    if habits := list(habit_lines(decisions)):
        yield from ("", "Habits:", *habits)
    found = worst(decisions, most)
    if found:
        yield from ("", f"The worst {len(found)}:" if len(found) > 1 else "The worst:")
    for number, one in enumerate(found, start=1):
        yield from ("", *mistake_lines(number, one, cards))
    yield from ("", *review.limits)


def _table(review: Review) -> Iterator[str]:
    yield f"{'kind':10} {'decisions':>9} {'mistakes':>9}   lost per 100 deals against the champion's choices"
    for one in summarize(review.decisions):
        yield f"{one.kind:10} {one.decisions:>9} {one.mistakes:>9}   {lost_per_100(one, review.deals)}"


def summary_line(review: Review) -> str:
    """Returns the number of judged decisions and of mistakes."""
    mistakes = sum(one.is_mistake for one in review.decisions)
    decisions, deals = (
        f"{number} {word}{'s' * (number != 1)}"
        for number, word in ((len(review.decisions), "decision"), (review.deals, "deal"))
    )
    return f"{decisions} in {deals}, mistakes: {mistakes}"


def lost_per_100(kind: KindSummary, deals: int) -> str:
    """Returns how many chips the champion's choices of this kind bring more in 100 deals, with the standard error."""
    per_100, error = (100 * chips / max(1, deals) for chips in (kind.lost, kind.error))
    return f"{per_100:.1f} ± {error:.1f}"


def cost_words(one: ReviewedDecision) -> str:
    """Returns the cost of a decision, with the standard error."""
    return f"{one.cost:.1f} ± {one.error:.1f}"


def habit_lines(decisions: Sequence[ReviewedDecision]) -> Iterator[str]:
    """Yields each habit, with how often it showed and what it cost."""
    for habit in habits_of(decisions):
        yield f"  {habit_words(habit)}"


def habit_words(habit: Habit) -> str:
    """Returns a habit, with how often it showed and what it cost."""
    return f"{habit.name} {habit.times} times, {habit.cost:.1f} ± {habit.error:.1f} chips in all"


def mistake_lines(number: int, one: ReviewedDecision, cards: CardWriter = show) -> Iterator[str]:
    """Yields the place of a mistake, the seat's view, its choice, and a better choice."""
    view = one.ask.view
    yield f"{number}. {place_text(one)}"
    yield from (f"   {line}" for line in position_lines(view, cards))
    yield f"   it chose to {choice_words(one.chosen, cards)}"
    yield f"   to {choice_words(one.better, cards)} brings {cost_words(one)} chips more"
    if one.is_doubtful:
        yield f"   {DOUBT}"


def place_text(one: ReviewedDecision) -> str:
    """Returns the place of a decision, as `bourre replay` names it."""
    seating = "" if one.ask.seating is None else f", seating {one.ask.seating}"
    return f"{one.match}, deal {one.ask.view.deal}{seating}"


def position_lines(view: View, cards: CardWriter = show) -> Iterator[str]:
    """Yields the seat's view: its hand, trumps and pot, the other seats, and the trick."""
    trump = "not named yet" if view.named is None else SUIT_NAMES[view.named]
    yield f"hand {cards(view.hand)}, trumps {trump}, pot {view.pot}"
    yield f"{_company(view)}{_tricks(view)}"
    if view.trick and view.leader is not None:
        yield f"on the table {cards(view.trick)}, led by {_place(view, view.leader)}"


def _company(view: View) -> str:
    others = [plays for seat, plays in enumerate(view.plays) if seat != view.seat]
    parts = [(others.count(True), "in"), (others.count(False), "out"), (others.count(None), "to declare")]
    told = ", ".join(f"{count} {word}" for count, word in parts if count)
    return f"{_place(view, view.seat)} at {view.seats} seats, others: {told}"


def _place(view: View, seat: int) -> str:
    return "the dealer" if seat == view.dealer else f"place {(seat - view.dealer) % view.seats} from the dealer's left"


def _tricks(view: View) -> str:
    return f", tricks: {view.tricks_won[view.seat]} of {len(view.tricks)}" if view.tricks else ""


_DIGITS: Final = 4


def review_json(review: Review) -> str:
    """Returns the document: sums by kind, the habits, every decision with its cost in chips, and the limits."""
    document = {
        "bot": review.bot,
        "deals": review.deals,
        "kinds": [
            {
                "kind": one.kind,
                "decisions": one.decisions,
                "mistakes": one.mistakes,
                "lost": round(one.lost, _DIGITS),
                "lost_error": round(one.error, _DIGITS),
            }
            for one in summarize(review.decisions)
        ],
        "habits": [
            {
                "habit": one.name,
                "times": one.times,
                "cost": round(one.cost, _DIGITS),
                "error": round(one.error, _DIGITS),
            }
            for one in habits_of(review.decisions)
        ],
        "decisions": [_decision(one) for one in review.decisions],
        "limits": list(review.limits),
        "warnings": list(review.warnings),
    }
    return json.dumps(document, indent=1)


def _decision(one: ReviewedDecision) -> dict[str, object]:
    view = one.ask.view
    return {
        "match": one.match,
        "deal": view.deal,
        "seating": one.ask.seating,
        "ask": one.ask.number,
        "decision": str(view.decision),
        "hand": show(view.hand),
        "pot": view.pot,
        "chosen": str(one.chosen),
        "better": str(one.better),
        "cost": round(one.cost, _DIGITS),
        "error": round(one.error, _DIGITS),
        "samples": one.samples,
        "lost": round(one.lost, _DIGITS),
        "lost_error": round(one.lost_error, _DIGITS),
        "mistake": one.is_mistake,
        "doubtful": one.is_doubtful,
    }
