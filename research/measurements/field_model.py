"""Measures the field model: how often it parts equal bots, how many unequal ones, and which figure ranks them best.

    .venv/bin/python research/measurements/field_model.py BANKS OUT [--contests 1200] [--processes 2] [--only equal]

BANKS is a folder that `play_banks.py` wrote; `--only again` needs none. Writes `equal.csv`, `again.csv`,
`unequal.csv` and `ranking.csv` into OUT. A contest depends on the name of its cell and its number alone, so more
processes change nothing. research/field-model.md.
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

import numpy as np
from field_cells import CLEAR, Cell, again_cells, equal_cells, ranking_cells, unequal_cells
from rows import add_to_csv
from session_bank import Array
from verdicts import RANKED_BY, SAID, share_in_order, verdicts_of

CHUNK = 10
"""Contests that a process simulates at once."""


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


EQUAL_HEAD = (*SAID, "pairs within the bar", "brackets within the bar")

TABLES = (
    Table("equal", EQUAL_HEAD, equal_cells, verdict_figures, equal_row),
    Table("again", EQUAL_HEAD, again_cells, verdict_figures, equal_row),
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
