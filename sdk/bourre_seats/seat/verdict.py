"""The verdict on an answer to a puzzle: every judged choice with its worth in sampled deals, and who chose it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bourre.rules.actions import Choice
from bourre.words.table_words import choice_words, show_glyphs
from bourre_seats.seat.hints import Hint, HintEstimate, with_sorted_cards


@dataclass(frozen=True, slots=True)
class JudgedChoice:
    """A choice, and its worth."""

    words: str
    chips: float
    """The average gain, in chips."""
    lag: float
    """The chips by which the best choice is better."""
    error: float
    """The standard error of the lag."""
    yours: bool
    """Whether the person chose it."""
    others: tuple[str, ...]
    """The bots that chose it."""


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """The verdict on one answer."""

    right: bool
    """Whether the samples know of no better choice."""
    heading: str
    choices: tuple[JudgedChoice, ...]
    """The judged choices, the best first."""
    samples: int
    said: str
    """What else the bot did and said."""


def judge_answer(hint: Hint, own: Choice, others: Mapping[str, Choice], said: str) -> AnswerVerdict:
    """Judges the person's own choice, which must be in the hint, beside the choices of `others` by name."""
    own = with_sorted_cards(own)
    chosen = {name: with_sorted_cards(choice) for name, choice in others.items()}
    choices = tuple(
        JudgedChoice(
            words=choice_words(one.choice, show_glyphs),
            chips=one.chips,
            lag=one.lag,
            error=one.error,
            yours=one.choice == own,
            others=tuple(name for name, choice in chosen.items() if choice == one.choice),
        )
        for one in hint.estimates
    )
    judged = next(one for one in hint.estimates if one.choice == own)
    return AnswerVerdict(judged.is_best, _heading(hint, judged), choices, hint.samples, said)


def _heading(hint: Hint, own: HintEstimate) -> str:
    if not own.is_best:
        return f"It costs {own.lag:.1f} chips"
    behind = [one for one in hint.estimates if not one.is_best]
    return f"Best by {behind[0].lag:.1f} chips" if behind else "Every choice is worth the same here"


def choice_lines(verdict: AnswerVerdict) -> Iterator[str]:
    """Yields a line for each choice: its worth, how far it is behind the best one, and who chose it."""
    for one in verdict.choices:
        lag = f" ({-one.lag:+.1f} ± {one.error:.1f})" if one.lag else ""
        who = " and ".join([*["you"] * one.yours, *one.others])
        yield f"  {one.chips:>+6.1f} {one.words}{lag}{f', {who}' if who else ''}"
