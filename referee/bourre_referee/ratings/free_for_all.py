"""What one match of single players says about each of them, given what is known of them from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    def couplings(self) -> Iterator[tuple[int, int, float]]:
        """Neighbours by their places, and the precision with which the match ties the skill of one to the other's."""
        for link, told in enumerate(zip(self._to_better, self._to_worse, strict=True)):
            yield link, link + 1, coupling(*told)

    def _update(self, link: int) -> float:
        """Passes the messages of one link; returns how far the mean of the difference moved."""
        better, worse = self._players[link], self._players[link + 1]
        if link:
            better = better.times(self._to_worse[link - 1])
        if link + 1 < len(self._tied):
            worse = worse.times(self._to_better[link + 1])
        self._to_better[link], self._to_worse[link], difference = messages(
            better, worse, self._margin, self._tied[link]
        )
        moved, self._differences[link] = abs(difference - self._differences[link]), difference
        return moved


def messages(better: Gaussian, worse: Gaussian, margin: float, tied: bool) -> tuple[Gaussian, Gaussian, float]:
    """What the result of two players says of the play of each, given the rest; and how far apart their means were."""
    difference = better.mu - worse.mu
    variance = 1 / better.pi + 1 / worse.pi
    sigma = sqrt(variance)
    t, e = difference / sigma, margin / sigma
    v, w = (v_draw(t, e), w_draw(t, e)) if tied else (v_win(t, e), w_win(t, e))
    cut_variance = variance * (1 - w)
    pi, tau = 1 / cut_variance - 1 / variance, (difference + sigma * v) / cut_variance - difference / variance
    to_better = Gaussian(pi * worse.pi / (pi + worse.pi), (worse.pi * tau + pi * worse.tau) / (pi + worse.pi))
    to_worse = Gaussian(pi * better.pi / (pi + better.pi), (pi * better.tau - better.pi * tau) / (pi + better.pi))
    return to_better, to_worse, difference


def coupling(one: Gaussian, other: Gaussian) -> float:
    """The precision with which two messages about play tie two skills, at the least.

    Each is the bolder for what is known of the sender. A player's own noise lies between both, and is counted
    threefold, as if each had a neighbour on either side, to whom half of its play belonged.
    """
    precision = min(one.pi, other.pi)
    return precision / (1 + 3 * NOISE * precision)
