"""Counts the calls until `bourre compare` tells two models apart: `python research/measurements/model_calls.py`.

Two models as good as two example bots: every decision that a model would be asked for is a call. The matches and the
verdicts are those of the command. The outcome is in research/comparing.md.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bourre.bot import Bot
from bourre.bot_code.bot_file import load
from bourre.rules.cards import Card
from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.evaluation.compare.comparison import RunningComparison
from bourre_referee.evaluation.compare.comparison_contest import contest_of, play_in_process, schedule_of, stopping_rule
from bourre_referee.statistics.stopping_boundary import Verdict

EXAMPLES = Path(__file__).parents[2] / "examples"
FIELDS = ((), ("random_bot",), ("lowest",), ("loose",), ("loose", "follower", "pot_aware"))
FIRST, SECOND = "first", "second"


@dataclass(frozen=True, slots=True)
class Ended:
    """How one comparison ended."""

    verdict: Verdict
    calls: int
    deals: int


def example(name: str) -> type[Bot]:
    """Returns the example bot of this name."""
    return load(str(EXAMPLES / f"{name}.py"))


def counting(skill: type[Bot], calls: Counter[str], *, together: bool) -> type[Bot]:
    """Returns a bot that plays like this one, and counts what a model would be asked."""

    class Counting(skill):  # type: ignore[misc, valid-type]  # a class chosen at run time
        def declare(self, view: View) -> bool:
            calls["declare"] += 1
            return bool(super().declare(view))

        def draw(self, view: View) -> list[Card]:
            calls["draw"] += view.max_discards > 0 and not together
            return list(super().draw(view))

        def play(self, view: View) -> Card:
            calls["play"] += len(view.legal) > 1
            card: Card = super().play(view)
            return card

    return Counting


def compare(skills: tuple[str, str], field: tuple[str, ...], seed: int, budget: int, *, together: bool) -> Ended:
    """Compares two models as good as these bots, at a table with these others."""
    calls: Counter[str] = Counter()
    bots = {
        **{
            name: counting(example(skill), calls, together=together)
            for name, skill in zip((FIRST, SECOND), skills, strict=True)
        },
        **{f"{name}-{number}": example(name) for number, name in enumerate(field)},
    }
    paths = {name: Path(name) for name in bots}
    contest = contest_of(paths, seed, budget, HouseRules.preset("limit"), EXAMPLES)
    running = RunningComparison(FIRST, SECOND, schedule_of(contest), stopping_rule(contest))
    for result in play_in_process(contest, matches_of(contest, master_seed(seed)), bots):
        running.hear(result)
        if running.decided:
            break
    return Ended(running.comparison.verdict, calls.total(), running.comparison.deals)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", nargs=2, default=("counter", "tight"), help="the better one first")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--budget", type=int, default=100, help="--deals of each comparison")
    parser.add_argument("--most", type=int, default=400, help="calls of both models together")
    parser.add_argument("--apart", action="store_true", help="as with --no-together")
    asked = parser.parse_args()
    for field in FIELDS:
        ended = [
            compare(tuple(asked.skills), field, seed, asked.budget, together=not asked.apart)
            for seed in range(asked.runs)
        ]
        soon = sum(one.verdict is Verdict.FIRST and one.calls <= asked.most for one in ended)
        verdicts = Counter(one.verdict for one in ended)
        shares = [100 * number / asked.runs for number in (soon, *(verdicts[verdict] for verdict in SHOWN))]
        cells = [", ".join(field) or "alone", *(f"{share:.0f} %" for share in shares)]
        cells += [f"{median(one.calls for one in ended):.0f}", f"{median(one.deals for one in ended):.0f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


SHOWN = (Verdict.FIRST, Verdict.SECOND, Verdict.UNDECIDED)

if __name__ == "__main__":
    main()
