"""Does a review find blunders, and only those? Bots that blunder on purpose, judged again by many fresh samples.

Run: OPENBLAS_NUM_THREADS=1 .venv/bin/python research/measurements/blunders.py [--seed N] [--deals N]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from time import process_time

from bourre.champion import ChampionBot, judge
from bourre.practice import practice
from bourre.record import asks, read
from bourre.review import ReviewedDecision, review_decisions, reviewable
from bourre.review.choices import compared_choices
from bourre.review.imagined_states import Question
from bourre.review.playing_out import chips_of_choices
from bourre.rules.actions import Choice, Declare, Draw, Play
from bourre.rules.cards import Card
from bourre.rules.view import View

BLUNDERS = 0.15
"""How often a bot takes the worst choice instead of the best."""
SAMPLES, CHOICES = 512, 5
BLUNDER_CHIPS, FALSE_CHIPS = 5.0, 1.0
OTHERS = ("club", "drawer", "counter", "champion")


def is_planted(view: View) -> bool:
    """Returns whether this decision is to be a blunder."""
    return view.rng.random() < BLUNDERS


class Blundering(ChampionBot):
    """The champion, which takes the choice that it judges worst at times."""

    def declare(self, view: View) -> bool:
        choice = chosen_by(view)
        return isinstance(choice, Declare) and choice.plays

    def draw(self, view: View) -> tuple[Card, ...]:
        choice = chosen_by(view)
        return choice.discards if isinstance(choice, Declare | Draw) else ()

    def play(self, view: View) -> Card:
        choice = chosen_by(view)
        assert isinstance(choice, Play)
        return choice.card


def chosen_by(view: View) -> Choice:
    """Returns the worst or the best choice; a bot that declares in turn is asked twice, for one decision."""
    pick = min if is_planted(view) else max
    judged = judge(view)
    if view.decision == "draw":
        judged = tuple(one for one in judged if one.choice != Declare(False))
    return pick(judged, key=lambda one: one.chips).choice


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision as reviewed, and its cost by many more samples, half to find the best choice, half to measure it."""

    reviewed: ReviewedDecision
    cost: float
    planted: bool


def verdict(one: ReviewedDecision) -> Verdict:
    """Judges a decision again."""
    view = one.ask.view
    choices = compared_choices(view, one.chosen, CHOICES)
    seed = f"reference {one.match} {view.deal} {one.ask.number}"
    (chips,) = chips_of_choices([Question(view, choices, seed)], SAMPLES)
    best = chips[:, ::2].mean(axis=1).argmax()
    cost = float((chips[best, 1::2] - chips[0, 1::2]).mean())
    return Verdict(one, cost, is_planted(view) or is_planted(view.for_draw()))


def main() -> None:
    """Prints how many blunders were found, and how many marks were false."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=500)
    given = parser.parse_args()
    played = practice(
        {"blundering": Blundering, **{name: name for name in OTHERS}}, deals=given.deals, seed=given.seed, strict=False
    )
    record = read(played.matches[0].record)
    begun = process_time()
    reviewed = review_decisions(list(reviewable("m0001", asks(record, 0))))
    seconds = process_time() - begun
    verdicts = [verdict(one) for one in reviewed if one.is_mistake or is_planted(one.ask.view) or one.cost > 1]
    blunders = [one for one in verdicts if one.cost > BLUNDER_CHIPS and one.planted]
    marks = [one for one in verdicts if one.reviewed.is_mistake]
    found = sum(one.reviewed.is_mistake for one in blunders)
    false = sum(one.cost < FALSE_CHIPS for one in marks)
    print(f"seed {given.seed}: {len(reviewed)} decisions of {given.deals} deals in {seconds:.0f} s of processor time")
    print(f"blunders worth over {BLUNDER_CHIPS:g} chips found: {found} of {len(blunders)}")
    print(
        f"marks: {len(marks)}; worth under {FALSE_CHIPS:g} chip: {false}; "
        f"worth under 2 chips: {sum(one.cost < 2 for one in marks)}"
    )


if __name__ == "__main__":
    main()
