"""Does a review find blunders, and only those? Bots that blunder on purpose, judged again by many fresh samples.

Run: OPENBLAS_NUM_THREADS=1 .venv/bin/python research/measurements/blunders.py [--bots NAME ...] [--seeds N ...]

Blunders are planted into the champion and into examples. Tables in Markdown on stdout; research/review.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from time import process_time
from typing import Protocol, cast

from rows import head, line

from bourre import Bot
from bourre.bot_code.bot_file import find, load
from bourre.bot_code.example_folders import example_folders
from bourre.practice import practice
from bourre.practice.session import BotSource
from bourre.record import asks, read
from bourre.rules.actions import Choice, Declare, Draw, Play
from bourre.rules.cards import Card
from bourre.rules.view import View
from bourre_lab.champion import judge
from bourre_lab.champion.weights import CHAMPION, SHA256
from bourre_lab.review import ReviewedDecision, review_decisions, reviewable
from bourre_lab.review.compared_choices import compared_choices
from bourre_lab.review.mistakes import MISTAKE_SHARE
from bourre_lab.review.playing_out import ReviewQuestion, chips_of_choices

BLUNDERS = 0.15
"""How often a bot takes the choice that the champion judges worst."""
SAMPLES, CHOICES = 512, 5
BLUNDER_SHARE, FALSE_SHARE = 0.25, 0.05
"""Costs as shares of the pot, at most the limit."""
OTHERS = ("club", "drawer", "counter", "champion")


def is_planted(view: View) -> bool:
    """Returns whether this decision is to be a blunder."""
    return view.rng.random() < BLUNDERS


class Sound(Protocol):
    """A bot that answers at once."""

    def declare(self, view: View) -> bool:
        """Returns whether it comes in."""

    def draw(self, view: View) -> Iterable[Card]:
        """Returns its discards."""

    def play(self, view: View) -> Card:
        """Returns a card."""


class Blundering(Bot):
    """Plays as another bot, but at times takes the choice that the champion judges worst."""

    def __init__(self, sound: Sound) -> None:
        self._sound = sound

    def declare(self, view: View) -> bool:
        if not is_planted(view):
            return self._sound.declare(view)
        choice = worst(view)
        return isinstance(choice, Declare) and choice.plays

    def draw(self, view: View) -> tuple[Card, ...]:
        if not is_planted(view):
            return tuple(self._sound.draw(view))
        choice = worst(view)
        return choice.discards if isinstance(choice, Declare | Draw) else ()

    def play(self, view: View) -> Card:
        if not is_planted(view):
            return self._sound.play(view)
        choice = worst(view)
        assert isinstance(choice, Play)
        return choice.card


def worst(view: View) -> Choice:
    """Returns the worst choice; a bot that declares in turn is asked twice, for one decision."""
    judged = [one for one in judge(view) if view.decision != "draw" or one.choice != Declare(False)]
    return min(judged, key=lambda one: one.chips).choice


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision as reviewed, and its cost by many more samples, half to find the best choice, half to measure it."""

    reviewed: ReviewedDecision
    cost: float
    planted: bool

    @property
    def share(self) -> float:
        """The cost as a share of the pot, at most the limit."""
        return self.cost / max(1, self.reviewed.ask.view.match)


def verdict(one: ReviewedDecision) -> Verdict:
    """Judges a decision again."""
    view = one.ask.view
    choices = compared_choices(judge(view), one.chosen, CHOICES)
    seed = f"reference {one.match} {view.deal} {one.ask.number}"
    (chips,) = chips_of_choices([ReviewQuestion(view, choices, seed)], SAMPLES)
    best = chips[:, ::2].mean(axis=1).argmax()
    cost = float((chips[best, 1::2] - chips[0, 1::2]).mean())
    return Verdict(one, cost, is_planted(view) or is_planted(view.for_draw()))


@dataclass(frozen=True, slots=True)
class Counts:
    """What a review found."""

    deals: int = 0
    decisions: int = 0
    blunders: int = 0
    found: int = 0
    marks: int = 0
    false: int = 0
    small: int = 0
    seconds: float = 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(one + another for one, another in zip(astuple(self), astuple(other), strict=True)))

    @property
    def cells(self) -> Iterator[str]:
        """The cells of a row."""
        yield from (f"{self.deals}", f"{self.decisions}", f"{self.found} of {self.blunders}")
        yield from (f"{self.marks}", f"{self.false}", f"{self.small}", f"{self.seconds:.0f} s")


def count(bot: str, seed: int, deals: int) -> Counts:
    """Lets this bot blunder in so many deals, reviews them, and judges the review."""
    sound = cast(Callable[[], Sound], load(find(bot, tuple(example_folders()))))
    seated: dict[str, BotSource] = {"blundering": lambda: Blundering(sound()), **{name: name for name in OTHERS}}
    record = read(practice(seated, deals=deals, seed=seed, strict=False).matches[0].record)
    begun = process_time()
    reviewed = review_decisions(list(reviewable("m0001", asks(record, 0))))
    seconds = process_time() - begun
    verdicts = [verdict(one) for one in reviewed if one.is_mistake or is_planted(one.ask.view)]
    blunders = [one for one in verdicts if one.share > BLUNDER_SHARE and one.planted]
    marks = [one for one in verdicts if one.reviewed.is_mistake]
    return Counts(
        deals=deals,
        decisions=len(reviewed),
        blunders=len(blunders),
        found=sum(one.reviewed.is_mistake for one in blunders),
        marks=len(marks),
        false=sum(one.share < FALSE_SHARE for one in marks),
        small=sum(one.share < MISTAKE_SHARE for one in marks),
        seconds=seconds,
    )


def main() -> None:
    """Prints for each bot and seed how many blunders were found, and how many marks were false."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", nargs="+", default=["champion", "drawer", "counter"])
    parser.add_argument("--seeds", type=int, nargs="+", default=[101, 102, 103, 104])
    parser.add_argument("--deals", type=int, default=200)
    given = parser.parse_args()
    print(f"champion {SHA256[CHAMPION]}\n")
    shares = (f"under {share:.0%}" for share in (FALSE_SHARE, MISTAKE_SHARE))
    headings = ("deals", "decisions", "blunders found", "marks", *shares, "time")
    print(head(("bot", "seed", *headings)))
    for bot in given.bots:
        total = Counts()
        for seed in given.seeds:
            counts = count(bot, seed, given.deals)
            total += counts
            print(line([bot, f"{seed}", *counts.cells]), flush=True)
        print(line([bot, "all", *total.cells]), flush=True)


if __name__ == "__main__":
    main()
