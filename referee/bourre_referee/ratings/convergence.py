"""Bounds how far ratings are from convergence, and speeds convergence up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from operator import mul

Vector = Sequence[float]
Coupling = tuple[int, int, float]
"""Two bots by number, and the precision with which results couple their skills."""

SAFETY_FACTOR = 4.0
"""In ten chains and clusters, the error was at most an eighth of the bound. The rest is for other structures."""
RESIDUAL_TOLERANCE = 0.01
"""Conjugate gradients end at this share of the residual, which is small next to the safety factor."""

MIN_COSINE, MIN_RATIO, SWEEPS_PER_LEAP = 0.99, 0.99, 100
"""A leap needs a larger cosine between two steps, a larger ratio of them, and this many sweeps since the last leap."""


def bound_errors(residual: Vector, prior: float, couplings: Iterable[Coupling], held: int = 0) -> list[float]:
    """Bounds the distance of each bot's mean from its limit. `residual` is its last step times its precision.

    The step alone is no bound: information passes slowly along a chain of tables, so steps are small while the distance
    is still large. The limits solve a linear system with the matrix of a spring network: `couplings` between bots, and
    a spring of stiffness `prior` (a precision) from each bot to 25. The error is the solution for this residual. The
    bound is `SAFETY_FACTOR` times that solution, found by conjugate gradients. Couplings must not be overstated. The
    residual must add up to 0 in every connected component, except in components with a coupling to one of the `held`
    bots. Held bots do not move, and their numbers follow those of the residual.
    """
    matrix = _StiffnessMatrix(len(residual), prior, couplings, held)
    solution = [0.0] * len(residual)
    enough = RESIDUAL_TOLERANCE**2 * matrix.squared_norm(residual)
    direction = matrix.precondition(residual)
    weight = _dot(residual, direction)
    for _ in range(2 * len(residual)):
        if matrix.squared_norm(residual) <= enough:
            break
        image = matrix.multiply(direction)
        length = weight / _dot(direction, image)
        solution = [one + length * other for one, other in zip(solution, direction, strict=True)]
        residual = [one - length * other for one, other in zip(residual, image, strict=True)]
        last, weight = weight, matrix.squared_norm(residual)
        direction = [
            one + weight / last * other for one, other in zip(matrix.precondition(residual), direction, strict=True)
        ]
    return [SAFETY_FACTOR * abs(error) for error in solution]


class _StiffnessMatrix:
    """The matrix of the spring network, without the held bots: symmetric, positive definite and sparse."""

    def __init__(self, size: int, prior: float, couplings: Iterable[Coupling], held: int) -> None:
        rows: list[dict[int, float]] = [{} for _ in range(size + held)]
        for one, other, precision in couplings:
            rows[one][other] = rows[one].get(other, 0.0) + precision
            rows[other][one] = rows[other].get(one, 0.0) + precision
        self._diagonal = [prior + fsum(row.values()) for row in rows[:size]]
        self._rows = [{other: precision for other, precision in row.items() if other < size} for row in rows[:size]]

    def multiply(self, vector: Vector) -> list[float]:
        """Returns the matrix times this vector."""
        return [
            own * place - fsum(precision * vector[other] for other, precision in row.items())
            for own, place, row in zip(self._diagonal, vector, self._rows, strict=True)
        ]

    def precondition(self, residual: Vector) -> list[float]:
        """Returns the residual divided by the diagonal (Jacobi's preconditioner)."""
        return [one / own for one, own in zip(residual, self._diagonal, strict=True)]

    def squared_norm(self, residual: Vector) -> float:
        """Returns the squared norm of the preconditioned residual."""
        return _dot(residual, self.precondition(residual))


class StepExtrapolation:
    """Aitken's method: once the steps of the sweeps form a slow geometric series, it adds up the remaining steps.

    It helps where groups of bots hardly met: such groups creep slowly towards each other, or apart.
    """

    def __init__(self) -> None:
        self._last: Vector = ()
        self._sweeps = 0
        self._leaped = False

    @property
    def allows_end(self) -> bool:
        """Whether enough sweeps have smoothed out the last leap."""
        return not self._leaped or self._sweeps >= SWEEPS_PER_LEAP

    def leap(self, steps: Vector) -> float:
        """Returns how many times this step (in sigmas) may be added at once, or 0 if no leap is allowed."""
        self._sweeps += 1
        before, self._last = self._last, steps
        if not before or self._sweeps <= SWEEPS_PER_LEAP:
            return 0.0
        along, square = _dot(steps, before), _dot(before, before)
        ratio = along / square if square else 0.0
        if not MIN_RATIO < ratio < 1 or along < MIN_COSINE * sqrt(square * _dot(steps, steps)):
            return 0.0
        self._last, self._sweeps, self._leaped = (), 0, True
        return ratio / (1 - ratio)


def connected_components(tables: Iterable[Iterable[str]]) -> list[list[str]]:
    """Returns the components of the graph in which bots that share a table are connected."""
    component_of: dict[str, dict[str, None]] = {}
    for table in tables:
        joined: dict[str, None] = {}
        for bot in table:
            component = component_of.get(bot, {bot: None})
            if component is not joined:
                joined |= component
                for member in component:
                    component_of[member] = joined
    return [list(members) for members in {id(members): members for members in component_of.values()}.values()]


def centre_moves(moves: Mapping[str, float], components: Iterable[Sequence[str]]) -> dict[str, float]:
    """Subtracts the mean move of its component from the move of each bot. Leaves out bots of no component."""
    centred: dict[str, float] = {}
    for members in components:
        common = fsum(moves[bot] for bot in members) / len(members)
        centred |= {bot: moves[bot] - common for bot in members}
    return centred


def _dot(one: Vector, other: Vector) -> float:
    return fsum(map(mul, one, other))
