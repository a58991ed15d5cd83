"""Sweeps that take all matches at once, for large contests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import erfc as erfc_of_one
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from bourre_referee.ratings.belief import Anchors, Gaussian, Outcome
from bourre_referee.ratings.convergence import Coupling
from bourre_referee.ratings.free_for_all import MAX_PASSES, MAX_SHARE, MILLS_TERMS, PLAY_VARIANCE, TAIL, TOLERANCE
from bourre_referee.ratings.sweeps import Sweeps
from bourre_referee.ratings.tied import has_one_order

Array = NDArray[np.float64]


def v_and_w_win(diff: Array, margin: Array) -> tuple[Array, Array]:
    """Returns V and W of a win. All arrays have the same shape."""
    x = diff - margin
    far = x < -TAIL
    v = np.empty_like(x)
    v[far] = 1 / _mills(-x[far])
    v[~far] = _pdf(x[~far]) / _cdf(x[~far])
    return v, np.clip(v * (v + x), 0.0, MAX_SHARE)


def v_and_w_draw(diff: Array, margin: Array) -> tuple[Array, Array]:
    """Returns V and W of a draw. All arrays have the same shape."""
    distance = np.abs(diff)
    far = distance - margin > TAIL
    mean, second_moment_less_one = np.empty_like(diff), np.empty_like(diff)
    mean[far], second_moment_less_one[far] = _between_far(distance[far], margin[far])
    mean[~far], second_moment_less_one[~far] = _between_near(distance[~far], margin[~far])
    return np.where(diff < 0, -mean, mean), np.clip(mean * mean + second_moment_less_one, 0.0, MAX_SHARE)


def _between_far(diff: Array, margin: Array) -> tuple[Array, Array]:
    """Returns the mean, and 1 minus the mean square, between -margin - diff and margin - diff, far from 0."""
    near, beyond = diff - margin, diff + margin
    fade = -2 * diff * margin  # exp(fade) is density(beyond) / density(near)
    mass = _mills(near) - np.exp(fade) * _mills(beyond)
    return np.expm1(fade) / mass, (beyond * np.exp(fade) - near) / mass


def _between_near(diff: Array, margin: Array) -> tuple[Array, Array]:
    """Returns the same near 0, from the densities themselves."""
    near, beyond = diff - margin, diff + margin
    mass = _cdf(-near) - _cdf(-beyond)
    at_near, at_beyond = _pdf(near), _pdf(beyond)
    return (at_beyond - at_near) / mass, (beyond * at_beyond - near * at_near) / mass


def _pdf(x: Array) -> Array:
    return np.exp(-x * x / 2) / sqrt(2 * pi)


def _cdf(x: Array) -> Array:
    """Returns the probability below x. NumPy has no error function, so each value comes from the C library."""
    scaled = x / -sqrt(2)
    return np.fromiter(map(erfc_of_one, scaled.ravel().tolist()), float, x.size).reshape(x.shape) / 2


def _mills(x: Array) -> Array:
    if not x.size:  # most often nothing is that far: MILLS_TERMS steps on nothing
        return x
    below = x
    for term in range(MILLS_TERMS, 0, -1):
        below = x + term / below
    return 1 / below


Pair = tuple[int, int]
"""Two players of a match, the better one first."""


class MatchGroup:
    """All matches of a contest whose ranks form one pattern, with their messages about each bot.

    Every pattern is a chain of links between neighbouring places. Tied players may stand at each other's places, so a
    link joins every pair that may stand there. The message to a player at a place from one side is the mean over all
    players who may stand there. One small matrix for each link and side computes it.
    """

    def __init__(self, ranks: Sequence[int], bots: NDArray[np.intp], margin: float) -> None:
        """`ranks` are best first, `bots` are numbers of shape (players, matches), `margin` is from `draw_margin`."""
        self.bots = bots
        places = range(len(ranks))
        tied = [[other for other in places if ranks[other] == ranks[place]] for place in places]
        open_to = [[place] for place in places] if has_one_order(ranks) else tied
        pairs = [
            [(better, worse) for better in better_of for worse in worse_of if better != worse]
            for better_of, worse_of in pairwise(open_to)
        ]
        matches = bots.shape[1]
        self._links = [
            _Link(here, before, behind, ranks[here[0][0]] == ranks[here[0][1]], margin, matches)
            for before, here, behind in zip([[], *pairs[:-1]], pairs, [*pairs[1:], []], strict=True)
        ]
        times = [sum(player in group for group in open_to) for player in places]
        self._from_worse = [_share(here, 0, times) for here in pairs]
        self._from_better = [_share(here, 1, times) for here in pairs]
        self.messages = np.zeros((2, len(ranks), matches))
        """The matches' messages to each player's skill, by place."""

    def pass_messages(self, beliefs: Array, passes: int = MAX_PASSES) -> None:
        """Recomputes the messages from the `beliefs` about every bot, of shape (2, bots).

        Passes go to and fro along the links until they move no mean, at most `passes` times.
        """
        play = _add_play_variance(beliefs[:, self.bots] - self.messages)
        to_and_fro = [*range(len(self._links)), *range(len(self._links) - 2, -1, -1)]
        for _ in range(passes):
            if max([self._update(link, play) for link in to_and_fro]) < TOLERANCE or len(self._links) == 1:
                break
        received = [share @ link.to_better for share, link in zip(self._from_worse, self._links, strict=True)]
        received += [share @ link.to_worse for share, link in zip(self._from_better, self._links, strict=True)]
        self.messages = _add_play_variance(sum(received[1:], received[0]))

    def shift(self, moves: Array) -> None:
        """Moves the mean of every message, with `moves` by bot."""
        self.messages[1] += self.messages[0] * moves[self.bots]

    def couplings(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp], Array]]:
        """Yields for each pair of a link its two bots and their precision, as `TiedMatch.couplings` does."""
        for link in self._links:
            for row, (better, worse) in enumerate(link.pairs):
                precision = np.minimum(link.to_better[0, row], link.to_worse[0, row])
                coupling = precision / (1 + 3 * PLAY_VARIANCE * precision) / len(link.pairs)
                yield self.bots[better], self.bots[worse], coupling

    def _update(self, number: int, play: Array) -> float:
        before = self._links[number - 1].to_worse if number else None
        behind = self._links[number + 1].to_better if number + 1 < len(self._links) else None
        return self._links[number].update(play, before, behind)


class _Link:
    """The pairs that may stand at one place and the next, in every match of the group."""

    def __init__(
        self, pairs: list[Pair], before: list[Pair], behind: list[Pair], tied: bool, margin: float, matches: int
    ) -> None:
        self.pairs = pairs
        self.to_better = np.zeros((2, len(pairs), matches))
        self.to_worse = np.zeros((2, len(pairs), matches))
        self._better, self._worse = np.array(pairs).T
        self._from_before = _mean(pairs, before, lambda pair: pair)
        self._from_behind = _mean([(worse, better) for better, worse in pairs], behind, lambda pair: pair[::-1])
        self._cut = v_and_w_draw if tied else v_and_w_win
        self._margin = margin
        self._differences = np.full((len(pairs), matches), np.inf)

    def update(self, play: Array, before: Array | None, behind: Array | None) -> float:
        """Passes the messages of all pairs, and returns how far the mean of a difference moved at most.

        `before` are the messages of the link before to its worse players, `behind` those of the next link to its better
        players.
        """
        better, worse = play[:, self._better], play[:, self._worse]
        if before is not None:
            better = better + self._from_before @ before
        if behind is not None:
            worse = worse + self._from_behind @ behind
        difference = better[1] / better[0] - worse[1] / worse[0]
        variance = 1 / better[0] + 1 / worse[0]
        sigma = np.sqrt(variance)
        v, w = self._cut(difference / sigma, self._margin / sigma)
        cut = variance * (1 - w)
        pi, tau = 1 / cut - 1 / variance, (difference + sigma * v) / cut - difference / variance
        self.to_better = np.stack((pi * worse[0], worse[0] * tau + pi * worse[1])) / (pi + worse[0])
        self.to_worse = np.stack((pi * better[0], pi * better[1] - better[0] * tau)) / (pi + better[0])
        moved = float(np.max(np.abs(difference - self._differences)))
        self._differences = difference
        return moved


def _mean(pairs: Sequence[Pair], others: Sequence[Pair], turned: Callable[[Pair], Pair]) -> Array:
    """Returns the matrix that averages the messages of a neighbouring link's pairs.

    Each pair here is a player and the one on its other side, who cannot also stand on this side. Rows are the pairs
    here. Columns are the pairs of the neighbouring link, `turned` so that the player comes last.
    """
    matrix = np.zeros((len(pairs), len(others)))
    for row, (player, elsewhere) in enumerate(pairs):
        received = [
            column
            for column, (neighbour, other) in enumerate(map(turned, others))
            if other == player and neighbour != elsewhere
        ]
        matrix[row, received] = 1 / max(1, len(received))
    return matrix


def _share(pairs: Sequence[Pair], side: int, times: Sequence[int]) -> Array:
    """Returns the matrix that averages a link's messages to the players on one side, over `times` places of each."""
    matrix = np.zeros((len(times), len(pairs)))
    for player, places in enumerate(times):
        received = [column for column, pair in enumerate(pairs) if pair[side] == player]
        matrix[player, received] = 1 / (max(1, len(received)) * places)
    return matrix


def _add_play_variance(messages: Array) -> Array:
    """Returns the messages with the noise of play added."""
    widened: Array = messages / (1 + PLAY_VARIANCE * messages[0])
    return widened


class ParallelSweeps(Sweeps):
    """Sweeps in which every match starts from the beliefs after the last sweep, so that NumPy takes them together.

    They end within the same bound as `SerialSweeps`, after a few more sweeps. The last bits of sums depend on the order
    of the bots' names, far below any published digit.
    """

    def __init__(self, outcomes: Sequence[Outcome], bots: Sequence[str], margin: float, anchors: Anchors) -> None:
        super().__init__(outcomes, bots, anchors)
        self._numbers = {bot: number for number, bot in enumerate(bots)}
        tables: defaultdict[tuple[int, ...], list[list[int]]] = defaultdict(list)
        for outcome in outcomes:
            tables[outcome.ranks].append([self._numbers[bot] for bot in outcome.bots])
        self._groups = [MatchGroup(ranks, np.array(rows).T, margin) for ranks, rows in sorted(tables.items())]
        self._moving: Array = np.array([float(bot not in anchors) for bot in bots])
        """By bot: 0 for an anchor, which receives no message, otherwise 1."""

    def _sweep(self, passes: int) -> None:
        beliefs = np.array(list(self._beliefs.values())).T
        totals = np.array(list(self._priors.values())).T
        for group in self._groups:
            group.pass_messages(beliefs, passes)
            group.messages *= self._moving[group.bots]
            for total, messages in zip(totals, group.messages, strict=True):
                total += np.bincount(group.bots.ravel(), messages.ravel(), len(self._numbers))
        for bot, number in self._numbers.items():
            self._beliefs[bot] = Gaussian(*totals[:, number].tolist())

    def _couplings(self, bots: Sequence[str]) -> Iterator[Coupling]:
        places = {self._numbers[bot]: place for place, bot in enumerate(bots)}
        size = len(self._numbers)
        totals = np.zeros(size * size)
        for group in self._groups:
            for better, worse, precision in group.couplings():
                totals += np.bincount(better * size + worse, precision, size * size)
        for pair in np.flatnonzero(totals).tolist():
            one, other = divmod(pair, size)
            yield places[one], places[other], float(totals[pair])

    def _shift_messages(self, moves: Mapping[str, float]) -> None:
        by_number: Array = np.array([moves.get(bot, 0.0) for bot in self._numbers])
        for group in self._groups:
            group.shift(by_number)
