"""Reviews the decisions of a bot: their costs, the standard errors, and the mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bourre.record import RecordedAsk
from bourre.rules.actions import Choice, Missing, Play
from bourre_lab.review.compared_choices import compared_choices
from bourre_lab.review.playing_out import Chips, ReviewQuestion, chips_of_choices

MOST_CHOICES: Final = 5
"""The most choices before the play that are compared."""
SCREENING: Final = 16
"""The samples for the first judgement of every decision."""
DECIDING: Final = 128
"""The fresh samples for a second judgement of a likely mistake."""
SUSPECT_CHIPS: Final = 1.0
MISTAKE_CHIPS: Final = 2.0
"""A mistake costs more than this many chips."""
MISTAKE_ERRORS: Final = 3.0
"""A mistake costs more than this many standard errors."""
LARGEST_POT: Final = 10**9
"""The largest pot of a judged decision. Only house rules without a pot limit have larger ones."""
LIMITS: Final = (
    "What this cannot know: the champion judges by its own play, which is not perfect. It assumes opponents who play "
    "like it. Yours may not.",
    "Hidden cards are sampled. For a declaration, the review assumes that earlier seats came in and drew like the "
    "champion. For later decisions, all cards that fit the view are equally likely.",
    f"± is the standard error of chance alone. A mistake costs more than {MISTAKE_CHIPS:g} chips and "
    f"{MISTAKE_ERRORS:g} standard errors in {DECIDING} sampled deals. Smaller ones are not listed.",
)
"""The limits of a review."""
_ROWS: Final = 6000
"""The deals that are played in step. More need more memory and are not faster."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A decision to review, and its place."""

    match: str
    ask: RecordedAsk


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """The cost of a decision by the samples."""

    match: str
    ask: RecordedAsk
    better: Choice
    """The best choice by the samples, or the bot's choice if none is better."""
    cost: float
    """The loss of the bot's choice against the better one, in chips. By chance, it may be below 0."""
    error: float
    """The standard error of the cost."""
    samples: int
    """The number of sampled deals."""

    @property
    def chosen(self) -> Choice:
        """The bot's choice."""
        assert not isinstance(self.ask.action, Missing)
        return self.ask.action

    @property
    def is_mistake(self) -> bool:
        """Whether the cost is well above chance."""
        sure = self.samples >= DECIDING and self.cost > MISTAKE_ERRORS * self.error
        return sure and self.cost > MISTAKE_CHIPS


def reviewable(match: str, asks: Iterable[RecordedAsk]) -> Iterator[Reviewed]:
    """Yields the decisions that can be judged: legal answers, in deals without an earlier renege, for limited pots."""
    for ask in asks:
        view, action = ask.view, ask.action
        troubled = view.pot > LARGEST_POT or view.barred or view.recalled or view.correcting is not None
        illegal = isinstance(action, Missing) or (isinstance(action, Play) and action.card not in view.legal)
        if not troubled and not illegal and ask.recall is None:
            yield Reviewed(match, ask)


def review_decisions(decisions: Sequence[Reviewed]) -> list[ReviewedDecision]:
    """Judges decisions with the same house rules and number of seats. The same decisions give the same figures."""
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
    """Yields the chips of each question's choices, of shape (choices, samples), in batches."""
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
    """Judges by few samples. The best choice of each half is measured on the other half.

    Measuring it on the samples that favour it would overestimate it.
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
