"""What one match of single players says about each of them, given what is known of them from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, sqrt

from bourre_referee.ratings.belief import BETA
from bourre_referee.ratings.gaussian import NOTHING, Gaussian
from bourre_referee.ratings.truncated import quantile, v_draw, v_win, w_draw, w_win

PRECISE = 1e-5
"""Passes end when no message moves the mean of a difference by more than this."""
MOST_PASSES = 100
NOISE = BETA * BETA


def draw_margin(draw_probability: float) -> float:
    """The largest difference in play between two players that counts as a draw."""
    return quantile((draw_probability + 1) / 2) * sqrt(2) * BETA


class FreeForAll:
    """One match: players by rank, and between neighbours the difference of their play, cut off by the result.

    Expectation propagation along that chain, to and fro. It keeps its messages, so that asking again costs little.
    """

    def __init__(self, ranks: Sequence[int], margin: float) -> None:
        """`ranks`, best first; `margin` as from `draw_margin`."""
        self._tied = [better == worse for better, worse in pairwise(ranks)]
        self._margin = margin
        self._players: list[Gaussian] = []
        self._to_better = [NOTHING] * len(self._tied)
        self._to_worse = [NOTHING] * len(self._tied)
        self._differences = [inf] * len(self._tied)

    def evidence(self, players: Sequence[Gaussian], passes: int = MOST_PASSES) -> list[Gaussian]:
        """The message of the match to the skill of each player, best first, given what is known of them otherwise.

        Passes go to and fro until they change no more, `passes` at most.
        """
        self._players = [player.widened(NOISE) for player in players]
        links = range(len(self._tied))
        to_and_fro = [*links, *links[-2::-1]]
        for _ in range(passes):
            if max([self._update(link) for link in to_and_fro]) < PRECISE or len(links) == 1:
                break
        above, below = [NOTHING, *self._to_worse], [*self._to_better, NOTHING]
        return [one.times(other).widened(NOISE) for one, other in zip(above, below, strict=True)]

    def _update(self, link: int) -> float:
        """Passes the messages of one link; returns how far the mean of the difference moved."""
        better, worse = self._players[link], self._players[link + 1]
        if link:
            better = better.times(self._to_worse[link - 1])
        if link + 1 < len(self._tied):
            worse = worse.times(self._to_better[link + 1])
        difference = better.mu - worse.mu
        pi, tau = _cut(difference, 1 / better.pi + 1 / worse.pi, self._margin, self._tied[link])
        self._to_better[link] = Gaussian(
            pi * worse.pi / (pi + worse.pi), (worse.pi * tau + pi * worse.tau) / (pi + worse.pi)
        )
        self._to_worse[link] = Gaussian(
            pi * better.pi / (pi + better.pi), (pi * better.tau - better.pi * tau) / (pi + better.pi)
        )
        moved, self._differences[link] = abs(difference - self._differences[link]), difference
        return moved


def _cut(mean: float, variance: float, margin: float, tied: bool) -> Gaussian:
    """What the result says of a difference of which this is known otherwise."""
    sigma = sqrt(variance)
    t, e = mean / sigma, margin / sigma
    v, w = (v_draw(t, e), w_draw(t, e)) if tied else (v_win(t, e), w_win(t, e))
    cut_variance = variance * (1 - w)
    return Gaussian(1 / cut_variance - 1 / variance, (mean + sigma * v) / cut_variance - mean / variance)
