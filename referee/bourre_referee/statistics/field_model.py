"""One linear model of a contest: how many chips each bot wins over this field, from all matches together.

The chips of a bot in a match are its effect less the mean effect of its table, and luck that the bots of the match
share. Least squares give the effects. Their errors are clustered by match (CR2: Bell and McCaffrey, Survey Methodology
28, 2002), and the degrees of freedom follow Satterthwaite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bourre_referee.statistics.fixed_order import (
    Floats,
    inverse_roots,
    invert,
    scale_of,
    sums_of_cubes,
    sums_of_squares,
)

Places = NDArray[np.int64]

EXACT_FREEDOM = 4e8
"""Up to this many numbers, the degrees of freedom are exact. Beyond, a bot has its matches less one."""

NO_VARIANCE = 1e-20
"""Results are at most 1 in their scale, so a variance up to this comes from rounding alone."""

_BLOCKS = 2048
"""How many blocks are summed at once, so that they fit in a processor's cache."""

_PART = 400_000
"""How many numbers a sum over line-ups holds at once."""

_CACHED = 20_000
"""How many numbers of it are computed at once, so that they fit in a processor's cache."""


@dataclass(frozen=True, slots=True)
class FieldBlocks:
    """The blocks at tables of one size: matches, or deals if all matches have one line-up."""

    bots: Places
    """Blocks x seats: the number of each bot, from 0."""
    chips: Floats
    """Blocks x seats: chips per 100 deals."""


@dataclass(frozen=True, slots=True)
class FieldModel:
    """The effects of n bots, and how certain their differences are. Matrices are n x n."""

    effects: Floats
    """Chips per 100 deals above the mean of the bots that the blocks link."""
    variance: Floats
    """Of each difference, in the square of `scale`. 0 where nothing links the two, or a bot has fewer than 2 blocks."""
    skewness: Floats
    """Of each difference."""
    freedom: Floats
    """The degrees of freedom of each variance."""
    blocks: Places
    """How many blocks each bot has."""
    scale: float
    """A power of two, near the largest result of a block."""

    def of(self, bots: Sequence[int]) -> FieldModel:
        """Returns the part of the model about these bots, in this order."""
        chosen = np.array(bots, np.int64)
        pairs = np.ix_(chosen, chosen)
        return replace(
            self,
            effects=self.effects[chosen],
            variance=self.variance[pairs],
            skewness=self.skewness[pairs],
            freedom=self.freedom[pairs],
            blocks=self.blocks[chosen],
        )


def fit(tables: Sequence[FieldBlocks], bots: int, quantum: float = 0.0, exact_freedom: bool = True) -> FieldModel:
    """Fits the model to all blocks of this many bots. A bot may sit in two seats of a table.

    Results are multiples of `quantum`. Equal ones may hide some variance, so each gets the variance within a quantum,
    1/12 of its square (Sheppard 1898). Without `exact_freedom`, which takes most of the time, the degrees of freedom
    are those of huge contests.
    """
    tables = [table for table in tables if len(table.bots)]
    scale = max((scale_of(table.chips) for table in tables), default=1.0)
    counts, linked = _count(tables, bots)
    inverse = _invert_linked(_normal_matrix(tables, bots), linked)
    centred = [_centre(table.chips / scale) for table in tables]
    effects = _effects(tables, centred, inverse)
    variance, third = np.zeros((bots, bots)), np.zeros((bots, bots))
    lengths, squares = np.zeros((bots, bots)), np.zeros((bots, bots))
    parts = [_LineUps.of(table, inverse) for table in tables]
    exact = exact_freedom and sum(part.bots.size for part in parts) * bots * bots <= EXACT_FREEDOM
    for table, chips, part in zip(tables, centred, parts, strict=True):
        order = np.argsort(table.bots, axis=1, kind="stable")
        for columns in part.influences(np.take_along_axis(chips, order, axis=1), effects):
            variance += sums_of_squares(columns)
            third += sums_of_cubes(columns)
        for lines, times in part.lines() if exact else ():
            length = _lengths(lines)
            lengths += np.add.reduce(length * times, axis=0)
            length *= length
            length *= times
            squares += np.add.reduce(length, axis=0)
    own = np.diag(inverse)
    spread = own[:, None] + own - 2.0 * inverse
    variance += spread * (quantum / scale) * (quantum / scale) / 12.0
    fewest = np.minimum(counts[:, None], counts)
    known = (linked[:, None] == linked) & (fewest > 1) & (variance > NO_VARIANCE) & ~np.eye(bots, dtype=bool)
    variance = np.where(known, variance, 0.0)
    at_least = np.where(known, variance, 1.0)
    skewness = np.where(known, third / (at_least * np.sqrt(at_least)), 0.0)
    freedom = np.where(squares > 0.0, lengths * lengths / np.where(squares > 0.0, squares, 1.0), fewest) - 1.0
    return FieldModel(effects * scale, variance, skewness, freedom, counts, scale)


def _count(tables: Sequence[FieldBlocks], bots: int) -> tuple[Places, Places]:
    """Returns how many blocks each bot has, and for each bot the first of those that the blocks link with it."""
    counts = np.zeros(bots, dtype=np.int64)
    linked = np.eye(bots, dtype=bool)
    for table in tables:
        for seat in range(table.bots.shape[1]):
            counts += np.bincount(table.bots[:, seat], minlength=bots)
            linked[table.bots[:, 0], table.bots[:, seat]] = True
    linked |= linked.T
    first = np.arange(bots)
    while True:
        nearer = np.where(linked, first, bots).min(axis=1, initial=bots)
        nearer = nearer[nearer]
        if (nearer == first).all():
            return counts, first
        first = nearer


def _normal_matrix(tables: Sequence[FieldBlocks], bots: int) -> Floats:
    """Returns the sum of X'X over all blocks. X has a row a seat: 1 for its bot, less 1 / seats for the table's."""
    matrix = np.zeros((bots, bots))
    for table in tables:
        size = table.bots.shape[1]
        together = np.zeros(bots * bots, dtype=np.int64)
        seats = np.zeros(bots, dtype=np.int64)
        for one in range(size):
            seats += np.bincount(table.bots[:, one], minlength=bots)
            for other in range(size):
                pairs = table.bots[:, one] * bots + table.bots[:, other]
                together += np.bincount(pairs, minlength=bots * bots)
        matrix += np.diag(seats) - together.reshape(bots, bots) / size
    return matrix


def _invert_linked(matrix: Floats, linked: Places) -> Floats:
    """Returns the generalised inverse, in which the effects of linked bots add up to 0."""
    inverse = np.zeros_like(matrix)
    for first in np.unique(linked):
        among = np.flatnonzero(linked == first)
        share = 1.0 / len(among)
        if len(among) > 1:
            inverse[np.ix_(among, among)] = invert(matrix[np.ix_(among, among)] + share) - share
    return inverse


def _effects(tables: Sequence[FieldBlocks], centred: Sequence[Floats], inverse: Floats) -> Floats:
    target = np.zeros(len(inverse))
    for table, chips in zip(tables, centred, strict=True):
        for seat in range(chips.shape[1]):
            np.add.at(target, table.bots[:, seat], chips[:, seat])
    effects = np.zeros(len(inverse))
    for column, total in zip(inverse.T, target, strict=True):
        effects += column * total
    return effects


@dataclass(frozen=True, slots=True)
class _LineUps:
    """The different line-ups at tables of one size."""

    bots: Places
    """Line-ups x seats, in the order of their numbers."""
    which: Places
    """The line-up of each block."""
    inverse: Floats

    @classmethod
    def of(cls, table: FieldBlocks, inverse: Floats) -> _LineUps:
        bots, which = np.unique(np.sort(table.bots, axis=1), axis=0, return_inverse=True)
        return cls(bots, which.reshape(-1), inverse)

    def influences(self, chips: Floats, effects: Floats) -> Iterator[Floats]:
        """Yields how far some blocks move each effect (blocks x bots), by their residuals corrected as in CR2."""
        size = chips.shape[1]
        leverage = self.inverse[self.bots[:, :, None], self.bots[:, None, :]]
        leverage = _centre(_centre(leverage).swapaxes(1, 2))
        roots, fitted = inverse_roots(np.eye(size) - leverage), _centre(effects[self.bots])
        for start in range(0, len(chips), _BLOCKS):
            which = self.which[start : start + _BLOCKS]
            residuals = chips[start : start + _BLOCKS] - fitted[which]
            corrected = np.zeros_like(residuals)
            for seat in range(size):
                corrected += roots[which, :, seat] * residuals[:, seat : seat + 1]
            corrected = _centre(corrected)
            found = np.zeros((len(which), len(effects)))
            for seat in range(size):
                found += corrected[:, seat : seat + 1] * self.inverse[self.bots[which, seat]]
            yield found

    def lines(self) -> Iterator[tuple[Floats, Floats]]:
        """Yields X times the inverse for some line-ups (line-ups x seats x bots), and how often each was played."""
        times = np.bincount(self.which, minlength=len(self.bots)).astype(float)
        step = max(1, _PART // self.inverse.size)
        for start in range(0, len(self.bots), step):
            chosen = slice(start, start + step)
            yield _centre(self.inverse[self.bots[chosen]]), times[chosen, None, None]


def _centre(values: Floats) -> Floats:
    """Subtracts from each seat, the second axis, the mean of its table."""
    total = np.zeros_like(values[:, 0])
    for seat in range(values.shape[1]):
        total += values[:, seat]
    centred: Floats = values - total[:, None] / values.shape[1]
    return centred


def _lengths(lines: Floats) -> Floats:
    """Returns the squared length of the difference of every two columns of each line-up."""
    bots = lines.shape[2]
    length = np.zeros((len(lines), bots, bots))
    step = max(1, _CACHED // (bots * bots))
    for start in range(0, len(lines), step):
        some, found = lines[start : start + step], length[start : start + step]
        gap = np.empty_like(found)
        for seat in range(lines.shape[1]):
            np.subtract(some[:, seat, :, None], some[:, seat, None, :], out=gap)
            gap *= gap
            found += gap
    return length
