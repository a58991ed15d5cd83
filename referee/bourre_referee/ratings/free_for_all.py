"""Computes the messages of one match to the skill of each player, with the truncated normal distribution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import erfc, exp, expm1, inf, pi, sqrt
from statistics import NormalDist

from bourre_referee.ratings.belief import BETA, UNIFORM, Gaussian

TAIL = 5.0
"""Beyond this point, probabilities are computed relative to the density, which itself underflows to 0."""

MAX_SHARE = 1 - 1e-9
"""The variance never shrinks to 0."""

MILLS_TERMS = 50
"""The number of terms of the continued fraction."""


def pdf(x: float) -> float:
    """Returns the standard normal density at x."""
    return exp(-x * x / 2) / sqrt(2 * pi)


def cdf(x: float) -> float:
    """Returns the probability that a standard normal variable is below x."""
    return erfc(-x / sqrt(2)) / 2


def quantile(probability: float) -> float:
    """Returns the x with `cdf(x) == probability`."""
    return NormalDist().inv_cdf(probability)


def v_win(diff: float, margin: float) -> float:
    """Returns the mean of a standard normal variable above margin - diff."""
    x = diff - margin
    return 1 / _mills(-x) if x < -TAIL else pdf(x) / cdf(x)


def w_win(diff: float, margin: float) -> float:
    """Returns 1 minus the variance of a standard normal variable above margin - diff."""
    v = v_win(diff, margin)
    return _clip(v * (v + diff - margin))


def v_draw(diff: float, margin: float) -> float:
    """Returns the mean of a standard normal variable between -margin - diff and margin - diff."""
    mean = _draw_moments(abs(diff), margin)[0]
    return -mean if diff < 0 else mean


def w_draw(diff: float, margin: float) -> float:
    """Returns 1 minus the variance of a standard normal variable between -margin - diff and margin - diff."""
    mean, one_less_mean_square = _draw_moments(abs(diff), margin)
    return _clip(mean * mean + one_less_mean_square)


def _draw_moments(diff: float, margin: float) -> tuple[float, float]:
    """Returns the mean, and 1 minus the mean square, between -margin - diff and margin - diff, for diff >= 0."""
    near, far = diff - margin, diff + margin
    if near > TAIL:
        log_ratio = -2 * diff * margin  # of pdf(far) to pdf(near)
        mass = _mills(near) - exp(log_ratio) * _mills(far)
        return expm1(log_ratio) / mass, (far * exp(log_ratio) - near) / mass
    mass = cdf(-near) - cdf(-far)
    return (pdf(far) - pdf(near)) / mass, (far * pdf(far) - near * pdf(near)) / mass


def _mills(x: float) -> float:
    """Returns Mills' ratio for x >= 5, the probability above x over the density at x (Laplace's continued fraction)."""
    denominator = x
    for term in range(MILLS_TERMS, 0, -1):
        denominator = x + term / denominator
    return 1 / denominator


def _clip(w: float) -> float:
    return min(max(w, 0.0), MAX_SHARE)


TOLERANCE = 1e-5
"""Passes end when none of them moves the mean of a difference by more than this."""
MAX_PASSES = 100
PLAY_VARIANCE = BETA * BETA


def draw_margin(draw_probability: float) -> float:
    """Returns the largest difference in play between two players that counts as a draw."""
    return quantile((draw_probability + 1) / 2) * sqrt(2) * BETA


class FreeForAll:
    """One match as a chain: the players by rank, and the truncated difference in play of each two neighbours.

    Expectation propagation passes messages along the chain and back. They are kept, so later calls need few passes.
    """

    def __init__(self, ranks: Sequence[int], margin: float) -> None:
        """Takes the ranks, best first, and the `draw_margin`."""
        self._tied = [better == worse for better, worse in pairwise(ranks)]
        self._margin = margin
        self._players: list[Gaussian] = []
        self._to_better = [UNIFORM] * len(self._tied)
        self._to_worse = [UNIFORM] * len(self._tied)
        self._differences = [inf] * len(self._tied)

    def pass_messages(self, players: Sequence[Gaussian], passes: int = MAX_PASSES) -> list[Gaussian]:
        """Returns the match's message to the skill of each player, best first.

        `players` are the beliefs about each player without this match. Passes end when they change nothing more, or
        after `passes` of them.
        """
        self._players = [player.add_variance(PLAY_VARIANCE) for player in players]
        links = range(len(self._tied))
        there_and_back = [*links, *links[-2::-1]]
        for _ in range(passes):
            if max([self._update(link) for link in there_and_back]) < TOLERANCE or len(links) == 1:
                break
        above, below = [UNIFORM, *self._to_worse], [*self._to_better, UNIFORM]
        return [one.multiply(other).add_variance(PLAY_VARIANCE) for one, other in zip(above, below, strict=True)]

    def couplings(self) -> Iterator[tuple[int, int, float]]:
        """Yields each two neighbours by their places, with the precision by which the match couples their skills."""
        for link, pair in enumerate(zip(self._to_better, self._to_worse, strict=True)):
            yield link, link + 1, coupling_precision(*pair)

    def _update(self, link: int) -> float:
        """Recomputes the messages of one link, and returns how far the mean of its difference moved."""
        better, worse = self._players[link], self._players[link + 1]
        if link:
            better = better.multiply(self._to_worse[link - 1])
        if link + 1 < len(self._tied):
            worse = worse.multiply(self._to_better[link + 1])
        self._to_better[link], self._to_worse[link], difference = compare_pair(
            better, worse, self._margin, self._tied[link]
        )
        step, self._differences[link] = abs(difference - self._differences[link]), difference
        return step


def compare_pair(better: Gaussian, worse: Gaussian, margin: float, tied: bool) -> tuple[Gaussian, Gaussian, float]:
    """Returns the messages of one comparison to the play of each player, and the mean difference before it."""
    difference = better.mu - worse.mu
    variance = 1 / better.pi + 1 / worse.pi
    sigma = sqrt(variance)
    t, e = difference / sigma, margin / sigma
    v, w = (v_draw(t, e), w_draw(t, e)) if tied else (v_win(t, e), w_win(t, e))
    truncated = variance * (1 - w)
    pi, tau = 1 / truncated - 1 / variance, (difference + sigma * v) / truncated - difference / variance
    to_better = Gaussian(pi * worse.pi / (pi + worse.pi), (worse.pi * tau + pi * worse.tau) / (pi + worse.pi))
    to_worse = Gaussian(pi * better.pi / (pi + better.pi), (pi * better.tau - better.pi * tau) / (pi + better.pi))
    return to_better, to_worse, difference


def coupling_precision(one: Gaussian, other: Gaussian) -> float:
    """Returns a lower bound of the precision with which two messages about play couple two skills.

    The more certain the belief about a sender, the more precise is its message. The players' own noise lies between the
    two skills. It counts three times, as if each player had a neighbour on either side and shared its play with both.
    """
    precision = min(one.pi, other.pi)
    return precision / (1 + 3 * PLAY_VARIANCE * precision)
