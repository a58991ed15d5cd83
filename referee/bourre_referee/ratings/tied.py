"""Computes the messages of one match with ties, averaged over all orders of the tied players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import fsum, inf

from bourre_referee.ratings.belief import UNIFORM, Gaussian
from bourre_referee.ratings.free_for_all import (
    MAX_PASSES,
    PLAY_VARIANCE,
    TOLERANCE,
    FreeForAll,
    compare_pair,
    coupling_precision,
)

Messages = dict[int, dict[int, Gaussian]]
"""By player, the message from each neighbour that it may have on one side."""


class TiedMatch:
    """The chain of `FreeForAll`, with each place open to all players who are tied for it.

    All orders of a tied group count alike: the message to a player at a place from one side is the mean over all
    players who may be its neighbour there. This covers every order at the cost of pairs. The pairs of a link are
    updated at once, and sums are rounded once, so the result does not depend to the last bit on the order in which tied
    players are listed.
    """

    def __init__(self, ranks: Sequence[int], margin: float) -> None:
        """Takes the ranks, best first, and the `draw_margin`."""
        self._margin = margin
        groups = {rank: [place for place, each in enumerate(ranks) if each == rank] for rank in ranks}
        self._candidates = [groups[rank] for rank in ranks]
        """By place, the players who may hold it."""
        self._links = [
            [(better, worse) for better in better_ones for worse in worse_ones if better != worse]
            for better_ones, worse_ones in pairwise(self._candidates)
        ]
        """By place, the pairs of players who may hold it and the next."""
        self._from_better: list[Messages] = [{player: {} for player in group} for group in self._candidates]
        self._from_worse: list[Messages] = [{player: {} for player in group} for group in self._candidates]
        self._differences: dict[tuple[int, int, int], float] = {}

    def pass_messages(self, players: Sequence[Gaussian], passes: int = MAX_PASSES) -> list[Gaussian]:
        """Returns the match's message to the skill of each player, as `FreeForAll.pass_messages` does."""
        play = [player.add_variance(PLAY_VARIANCE) for player in players]
        links = range(len(self._links))
        there_and_back = [*links, *links[-2::-1]]
        for _ in range(passes):
            if max([self._update(link, play) for link in there_and_back]) < TOLERANCE:
                break
        return [self._mean_message(player).add_variance(PLAY_VARIANCE) for player in range(len(players))]

    def couplings(self) -> Iterator[tuple[int, int, float]]:
        """Yields couplings as `FreeForAll` does, weighted by the share of orders in which two are neighbours here."""
        for link, pairs in enumerate(self._links):
            for better, worse in pairs:
                pair = self._from_worse[link][better][worse], self._from_better[link + 1][worse][better]
                yield better, worse, coupling_precision(*pair) / len(pairs)

    def _update(self, link: int, play: Sequence[Gaussian]) -> float:
        """Recomputes the messages between this place and the next, and returns how far the mean of a difference moved.

        It reads no message that it writes, so the order of the pairs does not matter.
        """
        from_better = {player: _MeanMessage(received) for player, received in self._from_better[link].items()}
        from_worse = {player: _MeanMessage(received) for player, received in self._from_worse[link + 1].items()}
        tied = self._candidates[link] is self._candidates[link + 1]
        largest_step = 0.0
        for better, worse in self._links[link]:
            to_better, to_worse, difference = compare_pair(
                play[better].multiply(from_better[better].excluding(worse)),
                play[worse].multiply(from_worse[worse].excluding(better)),
                self._margin,
                tied,
            )
            self._from_worse[link][better][worse] = to_better
            self._from_better[link + 1][worse][better] = to_worse
            largest_step = max(largest_step, abs(difference - self._differences.get((link, better, worse), inf)))
            self._differences[link, better, worse] = difference
        return largest_step

    def _mean_message(self, player: int) -> Gaussian:
        """Returns the mean of all messages to this player, over the places that it may hold."""
        places = [place for place, group in enumerate(self._candidates) if player in group]
        sides = [
            _MeanMessage(side[place][player]).value
            for place in places
            for side in (self._from_better, self._from_worse)
        ]
        return _product(sides).power(1 / len(places))


class _MeanMessage:
    """The mean of the messages to one player from one side, over all neighbours that it may have there."""

    def __init__(self, received: dict[int, Gaussian]) -> None:
        self._received = received
        self._product = _product(received.values())

    @property
    def value(self) -> Gaussian:
        """The mean over all neighbours."""
        return self._product.power(1 / len(self._received)) if len(self._received) > 1 else self._product

    def excluding(self, neighbour: int) -> Gaussian:
        """Returns the mean over all neighbours but this one, which holds another place."""
        if neighbour not in self._received:
            return self.value
        if len(self._received) == 1:
            return UNIFORM
        return self._product.divide(self._received[neighbour]).power(1 / (len(self._received) - 1))


def match_model(ranks: Sequence[int], margin: float) -> FreeForAll | TiedMatch:
    """Returns the model of one match by its ranks, best first."""
    return FreeForAll(ranks, margin) if has_one_order(ranks) else TiedMatch(ranks, margin)


def has_one_order(ranks: Sequence[int]) -> bool:
    """Returns whether tied players may be listed in any order: without ties, or with only two players."""
    return len(ranks) == 2 or len(set(ranks)) == len(ranks)


def _product(factors: Iterable[Gaussian]) -> Gaussian:
    """Returns the product of all factors, the same to the last bit in any order."""
    factors = list(factors)
    if len(factors) < 2:
        return factors[0] if factors else UNIFORM
    return Gaussian(fsum(factor.pi for factor in factors), fsum(factor.tau for factor in factors))
