"""Reviews the decisions of a bot: their costs, the standard errors, and the mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bourre.record import RecordedAsk
from bourre.rules.actions import Choice, Missing, Play
from bourre_lab.champion import judge_views
from bourre_lab.review.compared_choices import compared_choices
from bourre_lab.review.playing_out import Chips, ReviewQuestion, chips_of_choices

MOST_CHOICES: Final = 5
"""The most choices before the play that are compared."""
SCREENING: Final = 16
"""The samples for the first judgement of every decision."""
DECIDING: Final = 128
"""The fresh samples for a second judgement of a likely mistake."""
SETTLING: Final = 256
"""The fresh samples for a third judgement where the second is close."""
_JUDGEMENTS: Final = (("first", SCREENING, 2), ("second", DECIDING, 1), ("third", SETTLING, 1))
"""Each judgement, its samples, and how many of the best other choices it leaves to the next one."""
_CLOSE_ERRORS: Final = 2.0
"""A judgement is close within this many standard errors."""
MISTAKE_SHARE: Final = 0.1
"""A mistake costs more than this share of what going bourré costs: the pot, at most the pot limit."""
MISTAKE_ERRORS: Final = 3.0
"""A mistake costs more than this many standard errors."""
LARGEST_POT: Final = 10**9
"""The largest pot of a judged decision. Only house rules without a pot limit have larger ones."""
LIMITS: Final = (
    "What this cannot know: the champion judges by its own play, which is not perfect. It assumes opponents who play "
    "like it. Yours may not.",
    "Hidden cards are sampled. The review assumes that the other seats came in, passed and drew like the champion. It "
    "does not learn from the cards they chose to play, only from those that the rules made them play.",
    f"± is the standard error of chance alone. A mistake costs more than {MISTAKE_SHARE:.0%} of the pot, at most the "
    f"limit, and {MISTAKE_ERRORS:g} standard errors in {DECIDING} or more sampled deals. Smaller ones are not listed.",
)
"""The limits of a review."""
_ROWS: Final = 6000
"""The deals that are played in step. More need more memory and are not faster."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A decision to review, and its place."""

    match: str
    ask: RecordedAsk

    @property
    def chosen(self) -> Choice:
        """The bot's choice."""
        assert not isinstance(self.ask.action, Missing)
        return self.ask.action


@dataclass(frozen=True, slots=True)
class ReviewedDecision(Reviewed):
    """The cost of a decision by the samples."""

    better: Choice
    """The best choice by the samples, or the bot's choice if none is better."""
    cost: float
    """The loss of the bot's choice against the best one, in chips. It is estimated too low rather than too high, and
    may be below 0, because half of the samples choose the best one and may choose wrongly."""
    error: float
    """The standard error of the cost."""
    samples: int
    """The number of sampled deals."""
    chips: float
    """The average gain by the bot's choice until the deal ends, in chips."""
    lost: float = 0.0
    """What the champion's choice, made without samples, brings more in the first samples, in chips. As they choose
    nothing, sums are neither too low nor too high."""
    lost_error: float = 0.0
    """The standard error of `lost`."""
    defended: bool = False
    """Whether the champion, without samples, would choose as the bot did."""

    @property
    def bar(self) -> float:
        """The chips that a mistake exceeds, without regard to chance."""
        return MISTAKE_SHARE * max(1, self.ask.view.match)

    @property
    def is_mistake(self) -> bool:
        """Whether the cost hurts, and is well above chance."""
        return self.samples >= DECIDING and self.cost > max(self.bar, MISTAKE_ERRORS * self.error)

    @property
    def is_doubtful(self) -> bool:
        """Whether the champion's own judgement contradicts this mistake, by more than the bar."""
        return self.is_mistake and self.defended

    @property
    def is_close(self) -> bool:
        """Whether more samples may show that it is a mistake, or that it is none."""
        if self.better == self.chosen or self.cost + _CLOSE_ERRORS * self.error <= self.bar:
            return False
        beyond = self.cost - max(self.bar, MISTAKE_ERRORS * self.error)
        return self.samples < DECIDING or abs(beyond) < _CLOSE_ERRORS * self.error


def reviewable(match: str, asks: Iterable[RecordedAsk]) -> Iterator[Reviewed]:
    """Yields the decisions that can be judged: legal answers, in deals without an earlier renege, for limited pots."""
    return (Reviewed(match, ask) for ask in asks if not unjudged(ask))


def unjudged(ask: RecordedAsk) -> str:
    """Returns why a decision cannot be judged, such as `without a legal answer`, or nothing if it can."""
    view, action = ask.view, ask.action
    if view.pot > LARGEST_POT:
        return f"about a pot over {LARGEST_POT:,} chips"
    if view.barred or view.recalled or view.correcting is not None:
        return "after a renege or a fault"
    if isinstance(action, Missing) or (isinstance(action, Play) and action.card not in view.legal):
        return "without a legal answer"
    return "about a card that was taken back" if ask.recall is not None else ""


def review_decisions(decisions: Sequence[Reviewed]) -> list[ReviewedDecision]:
    """Judges decisions with the same house rules and number of seats. The same decisions give the same figures."""
    judgements = judge_views([one.ask.view for one in decisions])
    pairs = zip(judgements, decisions, strict=True)
    compared = [compared_choices(judgement, one.chosen, MOST_CHOICES) for judgement, one in pairs]
    favourites = [max(judgement, key=lambda choice: choice.chips).choice for judgement in judgements]
    judged: dict[int, ReviewedDecision] = {}
    lost: dict[int, tuple[float, float]] = {}
    close: Sequence[int] = range(len(decisions))
    for name, samples, left in _JUDGEMENTS:
        questions = [_question(decisions[at], compared[at], name) for at in close]
        for at, question, chips in zip(close, questions, _chips(questions, samples), strict=True):
            judged[at] = _judge(decisions[at], question.choices, chips)
            if at not in lost:
                lost[at] = _mean_and_error(chips[question.choices.index(favourites[at])] - chips[0])
            compared[at] = _best(question.choices, chips, left)
        close = [at for at in close if judged[at].is_close]
    return [
        replace(judged[at], lost=lost[at][0], lost_error=lost[at][1], defended=favourites[at] == judged[at].chosen)
        for at in range(len(decisions))
    ]


def _best(choices: tuple[Choice, ...], chips: Chips, left: int) -> tuple[Choice, ...]:
    """Returns the bot's choice, which is the first, and this many of the best others."""
    others = 1 + np.argsort(-chips[1:].mean(axis=1), kind="stable")
    return choices[0], *(choices[at] for at in others[:left].tolist())


def _question(one: Reviewed, choices: tuple[Choice, ...], judgement: str) -> ReviewQuestion:
    view = one.ask.view
    seed = f"{one.match} {view.deal} {one.ask.seating} {one.ask.number} {judgement}"
    return ReviewQuestion(view, choices, seed)


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


def _judge(one: Reviewed, choices: tuple[Choice, ...], chips: Chips) -> ReviewedDecision:
    """Measures the best choice of each half of the samples on the other half.

    Measuring it on the samples that favour it would overestimate it.
    """
    halves = chips[:, ::2], chips[:, 1::2]
    losses = np.concatenate(
        [measured[seen.mean(axis=1).argmax()] - measured[0] for seen, measured in (halves, halves[::-1])]
    )
    cost, error = _mean_and_error(losses)
    better = choices[int(chips.mean(axis=1).argmax())]
    return ReviewedDecision(one.match, one.ask, better, cost, error, len(losses), float(chips[0].mean()))


def _mean_and_error(losses: NDArray[np.float64]) -> tuple[float, float]:
    """Returns the mean and its standard error."""
    return float(losses.mean()), float(losses.std(ddof=1) / np.sqrt(len(losses)))
