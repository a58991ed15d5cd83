"""Measures how good the prediction is of how many more matches part two neighbours.

    .venv/bin/python research/measurements/predicted_matches.py BANKS FILE [--contests 300]

BANKS is a folder that `play_banks.py` wrote. A round robin goes on to 17 times the matches after which a prediction was
made, or until the two are apart. Writes rows into the CSV file. research/field-model.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf, isinf
from pathlib import Path

import numpy as np
from adaptive_contests import STEPS
from field_contests import Field, balanced, drawn, exponential, normal, play_contest
from rows import add_to_csv
from session_bank import BOTS, Array, Bank
from simulated_matches import names, pairs_apart, results_of

from bourre_referee.statistics.field_rows import FieldRows
from bourre_referee.statistics.field_verdict import FieldVerdict, judge_field
from bourre_referee.statistics.ranking import INNER_LEVEL

STARTS = (16, 40)
"""After how many matches a prediction is made."""
LONGEST = 17
"""Times as many matches are played at most."""
GROWTH = 1.1
"""From one look at the same contest to the next."""
WITHIN = 4.0
"""Predictions up to so many times the matches so far are judged: later ones could not be seen to be right."""

HEAD = (
    *("contest", "matches", "contests", "predictions", "needed over predicted: lower quartile", "median"),
    *("upper quartile", "apart when predicted", "within twice of it"),
)


class GrowingContest:
    """A contest that is looked at now and then."""

    def __init__(self, field: Field, matches: int, dice: np.random.Generator) -> None:
        part = play_contest(field, balanced(BOTS, matches), dice)
        self._results = list(results_of(part.line_ups, part.chips))
        self._rows = FieldRows()

    def verdict(self, matches: int) -> FieldVerdict:
        """Judges the first so many matches, which are more than at the last call."""
        for number in range(len(self._rows.matches), matches):
            self._rows.add(self._results[number], number + 1)
        return judge_field(self._rows, sorted(names()), INNER_LEVEL)


def needed_over_predicted(field: Field, start: int, dice: np.random.Generator) -> Iterator[float]:
    """Yields for the neighbours after the first matches how many more they needed, over how many were predicted.

    Infinity where they were not apart at the end.
    """
    contest = GrowingContest(field, LONGEST * start, dice)
    begun = contest.verdict(start)
    numbers = {name: number for number, name in enumerate(names())}
    predicted = {
        (numbers[upper], numbers[lower]): more
        for upper, lower in pairwise(begun.effects)
        if (more := begun.matches_to_part.get(upper)) and more <= WITHIN * start
    }
    needed = dict.fromkeys(predicted, inf)
    matches = start
    while (matches := int(np.ceil(matches * GROWTH))) < LONGEST * start and inf in needed.values():
        verdict = contest.verdict(matches)
        for pair in pairs_apart(verdict.effects, verdict.brackets):
            if isinf(needed.get(pair, 0.0)):
                needed[pair] = matches - start
    yield from (needed[pair] / predicted[pair] for pair in predicted)


def row_of(name: str, start: int, contests: int, found: Array) -> list[str]:
    """Returns the row of the table."""
    quartiles = np.quantile(found, (0.25, 0.5, 0.75), method="nearest")
    by_then, soon = (found <= 1).mean(), (found <= 2).mean()
    shares = [f"{100 * share:.0f}" for share in (by_then, soon)]
    return [name, f"{start}", f"{contests}", f"{len(found)}", *(f"{each:.2f}" for each in quartiles), *shares]


def main(arguments: Sequence[str]) -> None:
    """Writes a row for each kind of contest and number of matches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("banks", type=Path, help="the folder of the banks")
    parser.add_argument("file", type=Path, help="the file to which the rows are added")
    parser.add_argument("--contests", type=int, default=300, help="contests of each kind")
    options = parser.parse_args(arguments)
    fields = {"real, quick": drawn(Bank.read(options.banks / "quick.npz")), "steps, normal": normal(STEPS)}
    fields |= {"steps, opposite exponential": exponential(STEPS)}
    for place, (name, field) in enumerate(fields.items()):
        for start in STARTS:
            seeds = ([place, start, number] for number in range(options.contests))
            found = [each for s in seeds for each in needed_over_predicted(field, start, np.random.default_rng(s))]
            row = row_of(name, start, options.contests, np.array(found))
            add_to_csv(options.file, HEAD, [row])
            print(", ".join(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
