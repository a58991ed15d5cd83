"""How far ratings still are from where their sweeps lead, and how much faster they may go there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from operator import mul

Vector = Sequence[float]
Coupling = tuple[int, int, float]
"""Two bots by number, and the precision with which results tie the one's skill to the other's."""

SLACK = 4.0
"""With it, ten chains and clusters had an eighth of the bound still to go, or less; the rest is for other shapes."""
CLOSE_ENOUGH = 0.01
"""The share of the residual that may be left of it; small beside the slack."""

ALIKE, SLOW, PATIENCE = 0.99, 0.99, 100
"""A leap needs a cosine of two steps above `ALIKE`, a ratio above `SLOW`, and this many sweeps since the last leap."""


def remaining(residual: Vector, prior: float, couplings: Iterable[Coupling]) -> list[float]:
    """Bounds how far the mean of each bot is from where it will rest; `residual` is its last step times its precision.

    The step alone says little: news passes slowly along a chain of tables, so that every step is small while the way is
    long. The resting means solve a linear system whose matrix describes springs: `couplings` between bots, and a spring
    of stiffness `prior` (a precision) from each bot to 25. The way that remains is the solution for this residual; the
    bound is `SLACK` times that, found by conjugate gradients. Couplings must not be overstated, and the residual must
    add up to 0 in every set of bots that they connect.
    """
    network = _Network(len(residual), prior, couplings)
    solution = [0.0] * len(residual)
    enough = CLOSE_ENOUGH**2 * network.weigh(residual)
    direction = network.relaxed(residual)
    weight = _dot(residual, direction)
    for _ in range(2 * len(residual)):
        if network.weigh(residual) <= enough:
            break
        pull = network.pull(direction)
        length = weight / _dot(direction, pull)
        solution = [one + length * other for one, other in zip(solution, direction, strict=True)]
        residual = [one - length * other for one, other in zip(residual, pull, strict=True)]
        last, weight = weight, network.weigh(residual)
        direction = [
            one + weight / last * other for one, other in zip(network.relaxed(residual), direction, strict=True)
        ]
    return [SLACK * abs(way) for way in solution]


class _Network:
    """The matrix of the springs: symmetric, positive definite, sparse."""

    def __init__(self, size: int, prior: float, couplings: Iterable[Coupling]) -> None:
        self._rows: list[dict[int, float]] = [{} for _ in range(size)]
        for one, other, precision in couplings:
            self._rows[one][other] = self._rows[one].get(other, 0.0) + precision
            self._rows[other][one] = self._rows[other].get(one, 0.0) + precision
        self._diagonal = [prior + fsum(row.values()) for row in self._rows]

    def pull(self, places: Vector) -> list[float]:
        """The matrix times this vector."""
        return [
            own * place - fsum(precision * places[other] for other, precision in row.items())
            for own, place, row in zip(self._diagonal, places, self._rows, strict=True)
        ]

    def relaxed(self, residual: Vector) -> list[float]:
        """The residual over the diagonal, which preconditions it."""
        return [one / own for one, own in zip(residual, self._diagonal, strict=True)]

    def weigh(self, residual: Vector) -> float:
        """The square of the residual's norm, preconditioned."""
        return _dot(residual, self.relaxed(residual))


class Pace:
    """The steps of one sweep after another, in sigmas: whether they have become copies of one another."""

    def __init__(self) -> None:
        self._last: Vector = ()
        self._sweeps = 0
        self._leaped = False

    @property
    def settled(self) -> bool:
        """Whether a leap, if there was one, has been smoothed out by sweeps since."""
        return not self._leaped or self._sweeps >= PATIENCE

    def leap(self, steps: Vector) -> float:
        """How many times this step may be added at once: the sum of the geometric series, or 0 where it is none.

        Aitken's method, for groups of bots that hardly met and creep towards each other, or apart, as wholes.
        """
        self._sweeps += 1
        before, self._last = self._last, steps
        if not before or self._sweeps <= PATIENCE:
            return 0.0
        along, square = _dot(steps, before), _dot(before, before)
        ratio = along / square if square else 0.0
        if not SLOW < ratio < 1 or along < ALIKE * sqrt(square * _dot(steps, steps)):
            return 0.0
        self._last, self._sweeps, self._leaped = (), 0, True
        return ratio / (1 - ratio)


def connected(companies: Iterable[Iterable[str]]) -> list[list[str]]:
    """The bots of these companies in sets, so that a chain of meetings leads from each bot to all others of its set."""
    set_of: dict[str, dict[str, None]] = {}
    for company in companies:
        together: dict[str, None] = {}
        for bot in company:
            known = set_of.get(bot, {bot: None})
            if known is not together:
                together |= known
                for member in known:
                    set_of[member] = together
    return [list(members) for members in {id(members): members for members in set_of.values()}.values()]


def centred(moves: Mapping[str, float], sets: Iterable[Sequence[str]]) -> dict[str, float]:
    """The moves of these bots, less what all of a set have in common."""
    found: dict[str, float] = {}
    for members in sets:
        common = fsum(moves[bot] for bot in members) / len(members)
        found |= {bot: moves[bot] - common for bot in members}
    return found


def _dot(one: Vector, other: Vector) -> float:
    return fsum(map(mul, one, other))
