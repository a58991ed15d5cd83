"""Measures what the matches of a stand-in do to the places of bots, by the method of today and by the one before.

    .venv/bin/python research/measurements/no_shows.py BANKS FILE [--contests 300] [--processes 2]

BANKS is a folder that `play_banks.py` wrote. In round robins of 16 matches, in which each of eight bots plays 10, one
is absent from its last matches. Writes a row for each method and number of these into the CSV file.
research/field-model.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from field_cells import read_equal, true_effects
from field_contests import balanced, drawn, play_contest
from numpy.random import Generator
from rows import add_to_csv
from session_bank import BOTS, SEATS, Array, Bank, Indices, places_of
from simulated_matches import names, results_of
from verdicts import share_in_order

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.batch import VERSION
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.ranking import INNER_LEVEL, rank_bots
from bourre_referee.statistics.standing import Standing
from bourre_referee.statistics.tied_letters import share_letter

MATCHES, OF_EACH = 16, 10
"""The matches of a contest, and of each bot."""
ABSENT = (0, 3, 5, 10)
"""From how many of its matches the bot is absent."""
METHODS = {"before": 3, "today": VERSION}
"""The versions of the rating method."""

HEAD = (
    *("method", "absent from", "of its matches", "contests", "place of the absent bot among 8 equal bots"),
    *("equal bots told apart, % of contests", "places lost by another equal bot, a match against the stand-in"),
    *("its error", "real others in the right order, %", "without the matches of the stand-in, %"),
)


@dataclass(frozen=True, slots=True)
class AbsentContest:
    """A contest, a bot that is absent from its last matches, and how often each bot met its stand-in."""

    results: tuple[MatchResult, ...]
    absent: int
    met: Array

    @property
    def others(self) -> Indices:
        """The bots that are always there."""
        return np.delete(np.arange(BOTS), self.absent)


@dataclass(frozen=True, slots=True)
class Banks:
    """Matches of five bots, and of four and a stand-in."""

    bots: Bank
    with_stand_in: Array

    def contest(self, absent_from: int, dice: Generator) -> AbsentContest:
        """Plays a contest."""
        part = play_contest(drawn(self.bots), balanced(BOTS, MATCHES), dice)
        absent, chips = int(dice.integers(BOTS)), part.chips.copy()
        left = np.flatnonzero((part.line_ups == absent).any(axis=1))[OF_EACH - absent_from :]
        for match in left:
            line_up = part.line_ups[match]
            table = self.with_stand_in[places_of(np.delete(line_up, line_up == absent)[None], BOTS)[0]]
            *others, stand_in = table[dice.integers(len(table))]
            chips[match] = np.insert(others, np.flatnonzero(line_up == absent), stand_in)
        missing = [(absent,) if match in left else () for match in range(MATCHES)]
        met = np.bincount(part.line_ups[left].ravel(), minlength=BOTS).astype(float)
        return AbsentContest(tuple(results_of(part.line_ups, chips, absent=missing)), absent, met)


@cache
def banks(folder: Path, equal: bool) -> Banks:
    """Reads the banks, and perhaps makes the bots equal. The stand-in keeps its mean, at the cost of the others."""
    with np.load(folder / "stand-in.npz") as file:
        chips = file["chips"]
    if not equal:
        return Banks(Bank.read(folder / "quick.npz"), chips)
    loss = chips[:, :, -1].mean()
    means = np.append(np.full(SEATS - 1, -loss / (SEATS - 1)), loss)
    return Banks(read_equal(folder, "quick"), chips - chips.mean(axis=1, keepdims=True) + means)


def ranked(results: Sequence[MatchResult], version: int) -> list[Standing]:
    """Returns the ranked rows of the standings by a version of the method."""
    by_effect = version == VERSION
    ratings = dict.fromkeys(names(), Rating()) if by_effect else rate(results, names(), version=version)
    level = INNER_LEVEL if by_effect else None
    return list(rank_bots("", "session", "", tally_of(results), ratings, level).ranked)


def places(rows: Sequence[Standing]) -> Array:
    """Returns the place of each bot. Unknown ones are NaN."""
    found = {row.bot: place for place, row in enumerate(rows, start=1)}
    return np.array([found.get(name, np.nan) for name in names()])


def equal_figures(contest: AbsentContest, version: int) -> list[float]:
    """Returns the absent bot's place, whether any two are told apart, and the places lost by meeting the stand-in."""
    rows = ranked(contest.results, version)
    found, others = places(rows), contest.others
    wrong = any(not share_letter(one.tied, other.tied) for one, other in combinations(rows, 2))
    return [found[contest.absent], float(wrong), slope(contest.met[others], found[others])]


def slope(of: Array, figures: Array) -> float:
    """Returns the slope of the regression of figures on a variable. 0 if it does not vary."""
    rest = of - of.mean()
    return float(rest @ figures / (rest @ rest)) if rest.any() else 0.0


def real_figures(contest: AbsentContest, truth: Array, version: int) -> list[float]:
    """Returns the share of pairs of the others in the right order, with and without the matches of the stand-in."""
    alone = [match for match in contest.results if not any(map(match.is_by_stand_in, match.seats))]
    orders = (places(ranked(of, version))[contest.others] for of in (contest.results, alone))
    return [share_in_order(-order, truth[contest.others]) for order in orders]


def figures(folder: Path, absent_from: int, version: int, number: int) -> list[float]:
    """Returns the figures of one contest of equal bots, and of one of the real bots."""
    dice = np.random.default_rng([absent_from, number])
    equal, real = banks(folder, True), banks(folder, False)
    found = equal_figures(equal.contest(absent_from, dice), version)
    return [*found, *real_figures(real.contest(absent_from, dice), true_effects(real.bots), version)]


def row_of(method: str, absent_from: int, found: Array) -> list[str]:
    """Returns the row of the table."""
    place, wrong, lost, right, alone = found.mean(axis=0).tolist()
    error = float(found[:, 2].std()) / len(found) ** 0.5
    head = [method, f"{absent_from}", f"{OF_EACH}", f"{len(found)}"]
    shares = [f"{lost:.3f}", f"{error:.3f}", f"{100 * right:.1f}", f"{100 * alone:.1f}"]
    return [*head, "" if np.isnan(place) else f"{place:.2f}", f"{100 * wrong:.1f}", *shares]


def rows(folder: Path, contests: int, processes: int) -> Iterator[list[str]]:
    """Yields the rows once their contests are done."""
    with Pool(processes) as pool:
        for absent_from in ABSENT:
            for method, version in METHODS.items():
                of = partial(figures, folder, absent_from, version)
                yield row_of(method, absent_from, np.array(pool.map(of, range(contests))))


def main(arguments: Sequence[str]) -> None:
    """Writes the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("banks", type=Path, help="the folder of the banks")
    parser.add_argument("file", type=Path, help="the file to which the rows are added")
    parser.add_argument("--contests", type=int, default=300, help="contests of each kind")
    parser.add_argument("--processes", type=int, default=1, help="how many simulate at once")
    options = parser.parse_args(arguments)
    for row in rows(options.banks, options.contests, options.processes):
        add_to_csv(options.file, HEAD, [row])
        print(", ".join(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
