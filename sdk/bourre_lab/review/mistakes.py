"""Reviews the decisions of a bot: what each cost, how sure that is, and which were mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bourre.record import RecordedAsk
from bourre.rules.actions import Choice, Missing, Play
from bourre_lab.review.champion_actions import compared_choices
from bourre_lab.review.playing_out import Chips, ReviewQuestion, chips_of_choices

MOST_CHOICES: Final = 5
"""How many choices before the play are compared."""
SCREENING: Final = 16
"""Samples by which every decision is judged first."""
DECIDING: Final = 128
"""Fresh samples by which a decision that looks like a mistake is judged again."""
SUSPECT_CHIPS: Final = 1.0
MISTAKE_CHIPS: Final = 2.0
"""A mistake costs more than this,"""
MISTAKE_ERRORS: Final = 3.0
"""and more than so many standard errors."""
LARGEST_POT: Final = 10**9
"""Larger pots, which only houses without a limit have, are not judged."""
LIMITS: Final = (
    "What this cannot know: the champion judges by its own play, which is not perfect, and by opponents who play like "
    "it; yours may not.",
    "Hidden cards are sampled. When a seat declares, those before it are taken to have come in and drawn as the "
    "champion would; later, all cards that fit what the seat saw are equally likely, whatever led others to play so.",
    f"± is the standard error of chance alone. A mistake costs more than {MISTAKE_CHIPS:g} chips and "
    f"{MISTAKE_ERRORS:g} standard errors in {DECIDING} sampled deals; smaller ones are not listed.",
)
"""What a review cannot know."""
_ROWS: Final = 6000
"""Deals that are played in step: more need more memory, and are not faster."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A decision to review, and where it was taken."""

    match: str
    ask: RecordedAsk


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """What a decision cost, as far as the samples tell."""

    match: str
    ask: RecordedAsk
    better: Choice
    """The choice that the samples favour; the bot's own if none is better."""
    cost: float
    """Chips that the bot's choice brings less than the better one; by chance it may be below 0."""
    error: float
    """The standard error of the cost."""
    samples: int
    """How many deals it was judged by."""

    @property
    def chosen(self) -> Choice:
        """The bot's own choice."""
        assert not isinstance(self.ask.action, Missing)
        return self.ask.action

    @property
    def is_mistake(self) -> bool:
        """Whether the cost is well above what chance explains."""
        sure = self.samples >= DECIDING and self.cost > MISTAKE_ERRORS * self.error
        return sure and self.cost > MISTAKE_CHIPS


def reviewable(match: str, asks: Iterable[RecordedAsk]) -> Iterator[Reviewed]:
    """Yields the decisions that can be judged: lawful answers, in deals without a renege so far, for countable pots."""
    for ask in asks:
        view, action = ask.view, ask.action
        troubled = view.pot > LARGEST_POT or view.barred or view.recalled or view.correcting is not None
        illegal = isinstance(action, Missing) or (isinstance(action, Play) and action.card not in view.legal)
        if not troubled and not illegal and ask.recall is None:
            yield Reviewed(match, ask)


def review_decisions(decisions: Sequence[Reviewed]) -> list[ReviewedDecision]:
    """Judges these decisions, all of one house and number of seats; the same decisions give the same figures."""
    questions = [_question(one) for one in decisions]
    judged = [
        _screen(one, question, chips)
        for one, question, chips in zip(decisions, questions, _chips(questions, SCREENING), strict=True)
    ]
    suspects = [
        at for at, one in enumerate(judged) if one.better != one.chosen and one.cost + 2 * one.error > SUSPECT_CHIPS
    ]
    pairs = [_pair(judged[at]) for at in suspects]
    for at, chips in zip(suspects, _chips(pairs, DECIDING), strict=True):
        judged[at] = _decide(judged[at], chips)
    return judged


def _question(one: Reviewed) -> ReviewQuestion:
    view, chosen = one.ask.view, one.ask.action
    assert not isinstance(chosen, Missing)
    return ReviewQuestion(view, compared_choices(view, chosen, MOST_CHOICES), _seed(one.match, one.ask, "first"))


def _pair(one: ReviewedDecision) -> ReviewQuestion:
    return ReviewQuestion(one.ask.view, (one.chosen, one.better), _seed(one.match, one.ask, "second"))


def _seed(match: str, ask: RecordedAsk, purpose: str) -> str:
    return f"{match} {ask.view.deal} {ask.seating} {ask.number} {purpose}"


def _chips(questions: Sequence[ReviewQuestion], samples: int) -> Iterator[Chips]:
    """Yields what the choices of each question bring, shape (choices, samples), as many at once as fit."""
    batch: list[ReviewQuestion] = []
    rows = 0
    for question in questions:
        batch.append(question)
        rows += len(question.choices) * samples
        if rows >= _ROWS:
            yield from chips_of_choices(batch, samples)
            batch, rows = [], 0
    if batch:
        yield from chips_of_choices(batch, samples)


def _screen(one: Reviewed, question: ReviewQuestion, chips: Chips) -> ReviewedDecision:
    """Judges by few samples: the choice that half of them favour is measured on the other half, and vice versa.

    To measure it on the samples that favour it would flatter it.
    """
    halves = chips[:, ::2], chips[:, 1::2]
    losses = [
        measured[seen.mean(axis=1).argmax()] - measured[0] for seen, measured in (halves, tuple(reversed(halves)))
    ]
    better = question.choices[int(chips.mean(axis=1).argmax())]
    return _judged(one.match, one.ask, better, np.concatenate(losses))


def _decide(one: ReviewedDecision, chips: Chips) -> ReviewedDecision:
    return _judged(one.match, one.ask, one.better, chips[1] - chips[0])


def _judged(match: str, ask: RecordedAsk, better: Choice, losses: Chips) -> ReviewedDecision:
    error = losses.std(ddof=1) / np.sqrt(len(losses))
    return ReviewedDecision(match, ask, better, float(losses.mean()), float(error), len(losses))
