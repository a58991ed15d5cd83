"""The choices of each decision of a deal as bars, in the champion's judgement, where its extra is installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre.record import Record, asks_of_all
from bourre.rules.actions import Choice, Missing
from bourre.words.table_words import choice_words, show_glyphs
from bourre_referee.model.lab import open_lab

MOST_BARS = 5
"""The most choices that are shown, with the one that was made."""

LEAST_COST = 1.0
"""The fewest chips that a decision worth telling lost."""


@dataclass(frozen=True, slots=True)
class ChoiceBar:
    """A choice."""

    words: str
    chips: float
    """Its expected chips to the end of the deal, with an equal share of the pot that stays (see `Judged`)."""
    start: float
    """Where its bar starts and how long it is, in per cent of the longest range."""
    length: float
    is_best: bool
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class WeighedMove:
    """A decision with its choices."""

    number: int
    """The number of the answer among the actions of the deal, from 1."""
    seat: int
    chosen: str
    """The choice of the bot, in words."""
    bars: tuple[ChoiceBar, ...]
    """The best first, and always the choice of the bot, if the champion weighed it."""

    @property
    def cost(self) -> float:
        """The chips that the choice lost against the best one. 0 if the champion did not weigh it."""
        return max((self.bars[0].chips - bar.chips for bar in self.bars if bar.is_chosen), default=0.0)


def weigh_moves(record: Record, deal: int, seating: int | None) -> tuple[WeighedMove, ...]:
    """Weighs the decisions of a deal. Empty without the champion."""
    try:
        lab = open_lab()
    except ImportError:  # the extra is not installed
        return ()
    asks = [ask for _, ask in asks_of_all(record) if (ask.view.deal, ask.seating) == (deal, seating)]
    return tuple(
        WeighedMove(
            ask.place,
            ask.view.seat,
            choice_words(ask.action, show_glyphs),
            tuple(_bars([(one.choice, one.chips) for one in judged], ask.action)),
        )
        for ask, judged in lab.weighed_choices(record.header.match, asks)
        if not isinstance(ask.action, Missing)
    )


def _bars(judged: Sequence[tuple[Choice, float]], chosen: Choice) -> Iterator[ChoiceBar]:
    later = [one for one in judged[MOST_BARS:] if one[0] == chosen]
    first = [*judged[: MOST_BARS - len(later)], *later]
    worst, best = min(0.0, *(chips for _, chips in first)), max(0.0, *(chips for _, chips in first))
    scale = 100 / ((best - worst) or 1)
    for choice, chips in first:
        yield ChoiceBar(
            words=choice_words(choice, show_glyphs),
            chips=chips,
            start=(min(chips, 0) - worst) * scale,
            length=abs(chips) * scale,
            is_best=choice == judged[0][0],
            is_chosen=choice == chosen,
        )
