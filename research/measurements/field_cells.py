"""The kinds of contests on which the field model is tried: of equal bots, of unequal ones, and for their ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
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
from session_bank import BOTS, SEATS, Array, Bank
from verdicts import effects_of, place_effects

CLEAR = 200.0
"""Chips per 100 deals between two bots that should be told apart."""
SESSIONS = ("limit", "short", "pagat")
DEALS = 10
"""Deals of a duplicate match."""


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


def again_cells(_: Path) -> Iterator[Cell]:
    """Yields the contests of equal bots in which most are told apart, with other seeds."""
    nobody = np.zeros(BOTS)
    name = f"opposite exponential, {BOTS} bots, by strength, other seeds"
    yield Cell(name, "40", exponential(nobody), by_strength(BOTS, 40), nobody)


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
