"""Measures the field model: how often it parts equal bots, how many unequal ones, and which figure ranks them best.

    .venv/bin/python research/measurements/field_model.py BANKS OUT [--contests 1200] [--processes 2] [--only equal]

BANKS is a folder that `play_banks.py` wrote. Writes `equal.csv`, `unequal.csv` and `ranking.csv` into OUT. A contest
depends on the name of its cell and its number alone, so more processes change nothing. research/field-model.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from math import sqrt
from multiprocessing import Pool
from pathlib import Path
from zlib import crc32

import numpy as np
from field_contests import (
    Design,
    Field,
    Part,
    adaptive,
    balanced,
    both,
    by_strength,
    circular,
    drawn,
    drawn_at_one_table,
    exponential,
    gauntlet_of,
    late_and_leaving,
    moody,
    normal,
    play_contest,
    worst_leave,
)
from numpy.typing import NDArray
from rows import add_to_csv
from session_bank import BOTS, SEATS, Array, Bank, Indices

from bourre_referee.model.results import ranks_of
from bourre_referee.ratings.batch import rate_outcomes
from bourre_referee.ratings.belief import Outcome
from bourre_referee.statistics.estimates import t_p_value
from bourre_referee.statistics.field_model import FieldBlocks, fit
from bourre_referee.statistics.pair_findings import LEVEL, holm
from bourre_referee.statistics.pair_tests import compare_pairs
from bourre_referee.statistics.ranking import INNER_LEVEL

CHUNK = 10
"""Contests that a process simulates at once."""
CLEAR = 200.0
"""Chips per 100 deals between two bots that should be told apart."""
SESSIONS = ("limit", "short", "pagat")
DEALS = 10
"""Deals of a duplicate match."""

SAID = ("own matches", "pairs", "brackets by effect", "brackets by TrueSkill")
"""The ways to tell bots apart."""

Verdicts = NDArray[np.bool_]
"""Whether the row's bot is said to be better than the column's."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of contest, simulated many times."""

    name: str
    matches: str
    field: Field
    design: Design
    truth: Array
    """The true effect of each bot; in the table of rankings, by chips and by places."""

    @property
    def bots(self) -> int:
        """The number of bots."""
        return int(self.truth.shape[-1])

    def contests(self, numbers: range) -> Iterator[Part]:
        """Simulates the contests with these numbers."""
        for number in numbers:
            dice = np.random.default_rng([crc32(f"{self.name}, {self.matches}".encode()), number])
            yield play_contest(self.field, self.design, dice)


# What a contest is said to show


def verdicts_of(part: Part, bots: int) -> list[Verdicts]:
    """Returns what a contest shows in each of the ways of SAID."""
    model = fit([FieldBlocks(part.line_ups, part.chips)], bots)
    pairs = _ahead(model.effects[:, None] - model.effects) & compare_pairs(model, INNER_LEVEL).apart
    said = [by_own_matches(part, bots), pairs]
    if not pairs.any():
        return [*said, pairs, pairs]
    rankings = ranking_by(model.effects), ranking_by(trueskill_scores(part, bots))
    return [*said, *(as_shown(pairs, ranking) for ranking in rankings)]


def as_shown(pairs: Verdicts, ranking: Indices) -> Verdicts:
    """Returns the verdicts of brackets: two bots are apart if every two that enclose them in the ranking are."""
    ranked = pairs[np.ix_(ranking, ranking)]
    from_above = np.logical_and.accumulate(ranked, axis=0)
    enclosed = np.logical_and.accumulate(from_above[:, ::-1], axis=1)[:, ::-1]
    shown = np.zeros_like(pairs)
    shown[np.ix_(ranking, ranking)] = np.triu(enclosed, 1)
    return shown


def by_own_matches(part: Part, bots: int) -> Verdicts:
    """Tests each pair by the matches of both alone (Student's t, Holm), as letters did."""
    chips = np.full((len(part.chips), bots), np.nan)
    np.put_along_axis(chips, part.line_ups, part.chips, axis=1)
    one, other = np.triu_indices(bots, 1)
    gaps = chips[:, one] - chips[:, other]
    number, total = np.isfinite(gaps).sum(axis=0), np.nansum(gaps, axis=0)
    spread = np.nansum(gaps * gaps, axis=0) - total * total / np.maximum(1, number)
    tested = np.flatnonzero((number > 1) & (spread > 0))
    sizes = np.abs(total[tested]) * np.sqrt((number[tested] - 1) / (number[tested] * spread[tested]))
    found = holm([t_p_value(size, met - 1) for size, met in zip(sizes.tolist(), number[tested].tolist(), strict=True)])
    significant = np.zeros(len(one), dtype=bool)
    significant[tested] = np.array(found) < LEVEL
    square = np.zeros((bots, bots))
    square[one, other], square[other, one] = total, -total
    return _ahead(square) & _symmetric(significant.tolist(), bots)


def _ahead(gaps: Array) -> Verdicts:
    ahead: Verdicts = gaps > 0
    return ahead


def _symmetric(pairs: Sequence[bool], bots: int) -> Verdicts:
    square = np.zeros((bots, bots), dtype=bool)
    square[np.triu_indices(bots, 1)] = pairs
    return square | square.T


# What ranks the bots


def effects_of(part: Part, bots: int) -> Array:
    """Returns the joint effects."""
    return fit([FieldBlocks(part.line_ups, part.chips)], bots).effects


def place_effects(part: Part, bots: int) -> Array:
    """Returns the joint effects on the number of bots of a table that have less."""
    ahead = np.sign(part.chips[:, :, None] - part.chips[:, None, :]).sum(axis=2) / 2
    return effects_of(Part(part.line_ups, ahead), bots)


def raw_chips(part: Part, bots: int) -> Array:
    """Returns the chips per 100 deals."""
    played = np.bincount(part.line_ups.ravel(), minlength=bots)
    return np.bincount(part.line_ups.ravel(), part.chips.ravel(), bots) / np.maximum(1, played)


def trueskill_scores(part: Part, bots: int) -> Array:
    """Returns mu - 3 sigma of the batch rating."""
    names = [f"{bot:03}" for bot in range(bots)]
    outcomes = []
    for match, (line_up, chips) in enumerate(zip(part.line_ups, part.chips, strict=True)):
        rows = sorted(zip(ranks_of([round(840 * one) for one in chips]), (names[bot] for bot in line_up), strict=True))
        outcomes.append(Outcome(f"m{match:05}", tuple(bot for _, bot in rows), tuple(rank for rank, _ in rows)))
    ratings = rate_outcomes(outcomes, names)
    return np.array([ratings[name].score for name in names])


def ranking_by(figures: Array) -> Indices:
    """Returns the bots, the highest figure first."""
    return np.argsort(-figures, kind="stable")


RANKED_BY: dict[str, Callable[[Part, int], Array]] = {
    "TrueSkill": trueskill_scores,
    "chips per 100": raw_chips,
    "joint effect": effects_of,
    "joint effect on places": place_effects,
}


def share_in_order(figures: Array, truth: Array) -> float:
    """Returns the share of pairs in the right order. Half of the tied ones count."""
    pairs = np.triu_indices(len(truth), 1)
    signs = np.sign(figures[:, None] - figures)[pairs] * np.sign(truth[:, None] - truth)[pairs]
    return float((1 + signs.mean()) / 2)


# The tables


def verdict_figures(cell: Cell, numbers: range) -> list[list[float]]:
    """Returns for each contest: whether each way of SAID has any wrong pair, and its number of clear pairs."""
    bots = cell.bots
    gaps = cell.truth[:, None] - cell.truth
    rows = []
    for part in cell.contests(numbers):
        said = verdicts_of(part, bots)
        rows.append([*(float(one[gaps <= 0].any()) for one in said), *(one[gaps >= CLEAR].sum() for one in said)])
    return rows


def ranking_figures(cell: Cell, numbers: range) -> list[list[float]]:
    """Returns for each contest the share of pairs in the right order of chips, then of places, by each figure."""
    rows = []
    for part in cell.contests(numbers):
        found = [rank(part, cell.bots) for rank in RANKED_BY.values()]
        rows.append([share_in_order(figures, truth) for truth in cell.truth for figures in found])
    return rows


@dataclass(frozen=True, slots=True)
class Table:
    """A file of results, a row for each cell."""

    name: str
    head: tuple[str, ...]
    cells: Callable[[Path], Iterator[Cell]]
    figures: Callable[[Cell, range], list[list[float]]]
    row: Callable[[Cell, Array], list[str]]


NOISES: dict[str, Callable[[Array], Field]] = {"normal": normal, "opposite exponential": exponential}
DESIGNS: dict[str, Callable[[int, int], Design]] = {
    "late and leaving": late_and_leaving,
    "the worst leave": worst_leave,
    "adaptive": adaptive,
    "by strength": by_strength,
}
RANKED_DESIGNS: dict[str, Callable[[int, int], Design]] = {
    "balanced": balanced,
    "adaptive": adaptive,
    "late and leaving": late_and_leaving,
    "by strength": by_strength,
}


def equal_row(cell: Cell, figures: Array) -> list[str]:
    """Returns in how many contests any equal bots are told apart, and whether pairs and brackets are within the bar."""
    wrong = figures.mean(axis=0)[: len(SAID)]
    bar = 0.06 + 2 * sqrt(0.06 * 0.94 / len(figures))
    return [*(f"{100 * share:.1f}" for share in wrong), *("yes" if share <= bar else "no" for share in wrong[1:3])]


def unequal_row(cell: Cell, figures: Array) -> list[str]:
    """Returns how many clearly different pairs are told apart, and in how many contests any pair wrongly."""
    clear = float((cell.truth[:, None] - cell.truth >= CLEAR).sum())
    power = figures.mean(axis=0)[len(SAID) :] / clear
    wrong = figures.mean(axis=0)[: len(SAID)]
    return [f"{clear:.0f}", *(f"{100 * share:.1f}" for share in (*power, *wrong))]


def ranking_row(cell: Cell, figures: Array) -> list[str]:
    """Returns the shares in the right order, and the standard error of the difference of TrueSkill and joint effect."""
    error = (figures[:, 0] - figures[:, 2]).std() / sqrt(len(figures))
    return [*(f"{100 * share:.2f}" for share in figures.mean(axis=0)), f"{100 * error:.2f}"]


def equal_cells(folder: Path) -> Iterator[Cell]:
    """Yields contests of equal bots."""
    real = {name: drawn(read_equal(folder, name)) for name in SESSIONS}
    nobody = np.zeros(BOTS)
    for name, field in real.items():
        for matches in (8, 16, 40):
            yield Cell(f"real, {name}", f"{matches}", field, balanced(BOTS, matches), nobody)
    for kind, noise in NOISES.items():
        for bots, numbers in {5: (10, 40), 8: (8, 16, 40), 12: (12, 24, 60), 30: (30, 60, 90)}.items():
            for matches in numbers:
                truth = np.zeros(bots)
                yield Cell(f"{kind}, {bots} bots", f"{matches}", noise(truth), balanced(bots, matches), truth)
    fields = {"real, limit": real["limit"], "real, pagat": real["pagat"]}
    fields |= {f"{kind}, {BOTS} bots": noise(nobody) for kind, noise in NOISES.items()}
    for name, field in fields.items():
        for way, design in DESIGNS.items():
            for matches in (16, 40):
                yield Cell(f"{name}, {way}", f"{matches}", field, design(BOTS, matches), nobody)
        for rounds in (1, 2):
            yield Cell(f"{name}, gauntlet", f"{35 * rounds}", field, gauntlet_of(BOTS, rounds), nobody)
    yield from circle_cells(read_equal(folder, "duplicate"))


def read_equal(folder: Path, name: str) -> Bank:
    """Reads a bank, and makes its bots equal."""
    return Bank.read(folder / f"{name}.npz").without_differences()


def circle_cells(deals: Bank) -> Iterator[Cell]:
    """Yields contests of bots that are equal over the field, but not at a table."""
    bots = 9
    truth = np.zeros(bots)
    for matches in (45, 180):
        for kind, noise in NOISES.items():
            for name, misfit in {"circle": circular(bots, 1.0), "moody": moody(bots, 2.0)}.items():
                field = both(misfit, noise(truth))
                yield Cell(f"{name}, sessions, {kind}", f"{matches}", field, balanced(bots, matches), truth)
    spread = float(deals.chips.std()) / sqrt(DEALS)
    nobody = np.zeros(BOTS)
    for matches in (16, 56):
        for times in (1, 3):
            field = both(moody(BOTS, times * spread), drawn(deals, DEALS))
            name = f"moody {times}x, duplicate of {DEALS} deals"
            yield Cell(name, f"{matches}", field, balanced(BOTS, matches), nobody)
    for number in (60, 200):
        table = drawn_at_one_table(deals)
        yield Cell("one line-up, a block a deal", f"{number}", table, balanced(SEATS, number), truth[:SEATS])


def unequal_cells(folder: Path) -> Iterator[Cell]:
    """Yields contests of the real bots, and of two groups of equal bots."""
    for name in SESSIONS:
        bank = Bank.read(folder / f"{name}.npz")
        for matches in (8, 16, 40):
            yield Cell(f"real, {name}", f"{matches}", drawn(bank), balanced(BOTS, matches), true_effects(bank))
    groups = np.repeat([0.0, 1000.0], BOTS // 2)
    for kind, noise in NOISES.items():
        for matches in (16, 40):
            yield Cell(f"{kind}, two groups", f"{matches}", noise(groups), balanced(BOTS, matches), groups)


def true_effects(bank: Bank) -> Array:
    """Returns the effects over all matches of a bank."""
    return effects_of(Part(*bank.matches()), BOTS)


def ranking_cells(folder: Path) -> Iterator[Cell]:
    """Yields contests of the real bots by design, whose right orders are those of all matches by chips and places."""
    for name in ("limit", "pagat"):
        bank = Bank.read(folder / f"{name}.npz")
        every = Part(*bank.matches())
        orders = np.array([effects_of(every, BOTS), place_effects(every, BOTS)])
        for way, design in RANKED_DESIGNS.items():
            for matches in (2, 4, 8, 16, 40):
                yield Cell(f"{name}, {way}", f"{matches}", drawn(bank), design(BOTS, matches), orders)


TABLES = (
    Table("equal", (*SAID, "pairs within the bar", "brackets within the bar"), equal_cells, verdict_figures, equal_row),
    Table(
        "unequal",
        ("clear pairs", *SAID, *(f"wrong, {name}" for name in SAID)),
        unequal_cells,
        verdict_figures,
        unequal_row,
    ),
    Table(
        "ranking",
        (*RANKED_BY, *(f"{name}, by places" for name in RANKED_BY), "error of TrueSkill - joint effect"),
        ranking_cells,
        ranking_figures,
        ranking_row,
    ),
)


@dataclass(frozen=True, slots=True)
class Job:
    """Some contests of one cell, for one process."""

    folder: Path
    table: int
    cell: int
    numbers: range

    def run(self) -> list[list[float]]:
        """Simulates the contests."""
        return TABLES[self.table].figures(all_cells(self.folder, self.table)[self.cell], self.numbers)


@cache
def all_cells(folder: Path, table: int) -> tuple[Cell, ...]:
    """Returns the cells of a table; each process makes them once."""
    return tuple(TABLES[table].cells(folder))


def jobs_of(folder: Path, table: int, contests: int) -> list[Job]:
    """Returns the jobs of a table, cell by cell."""
    starts = range(0, contests, CHUNK)
    chunks = [range(start, min(contests, start + CHUNK)) for start in starts]
    return [Job(folder, table, cell, chunk) for cell in range(len(all_cells(folder, table))) for chunk in chunks]


def main(arguments: Sequence[str]) -> None:
    """Simulates all tables; each row is written once its contests are done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("banks", type=Path, help="the folder of the banks")
    parser.add_argument("out", type=Path, help="the folder of the results")
    parser.add_argument("--contests", type=int, default=1200, help="contests of each cell")
    parser.add_argument("--processes", type=int, default=1, help="how many simulate at once")
    parser.add_argument("--only", choices=[table.name for table in TABLES], help="this table alone")
    options = parser.parse_args(arguments)
    options.out.mkdir(exist_ok=True)
    with Pool(options.processes) as pool:
        for number, table in enumerate(TABLES):
            if options.only in (None, table.name):
                jobs = jobs_of(options.banks, number, options.contests)
                done = pool.imap(Job.run, jobs)
                for cell in all_cells(options.banks, number):
                    figures = np.array(list(chain.from_iterable(islice(done, -(-options.contests // CHUNK)))))
                    row = [cell.name, cell.matches, f"{len(figures)}", *table.row(cell, figures)]
                    add_to_csv(options.out / f"{table.name}.csv", ("contest", "matches", "runs", *table.head), [row])
                    print(", ".join(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
