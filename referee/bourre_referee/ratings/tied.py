"""One match with ties: what it says of each player, averaged over the orders in which tied players could stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import fsum, inf

from bourre_referee.ratings.free_for_all import MOST_PASSES, NOISE, PRECISE, FreeForAll, coupling, messages
from bourre_referee.ratings.gaussian import NOTHING, Gaussian

Told = dict[int, dict[int, Gaussian]]
"""By player, what it is told by each neighbour that it may have on one side."""


class TiedMatch:
    """The chain of `FreeForAll`, in which each place is open to all who are tied for it.

    All orders of a tied group count alike: what a player is told at a place from one side is the mean over all who
    may stand beside it there. So every order is heard, at the cost of pairs. The pairs of a link are updated at once,
    and sums are rounded once, so that the order in which tied players are listed leaves no trace, to the last bit.
    """

    def __init__(self, ranks: Sequence[int], margin: float) -> None:
        """`ranks`, best first; `margin` as from `draw_margin`."""
        self._margin = margin
        groups = {rank: [place for place, each in enumerate(ranks) if each == rank] for rank in ranks}
        self._open_to = [groups[rank] for rank in ranks]
        """By place, who may stand there."""
        self._links = [
            [(better, worse) for better in better_of for worse in worse_of if better != worse]
            for better_of, worse_of in pairwise(self._open_to)
        ]
        """By place, the pairs that may stand there and right behind."""
        self._from_better: list[Told] = [{player: {} for player in group} for group in self._open_to]
        self._from_worse: list[Told] = [{player: {} for player in group} for group in self._open_to]
        self._differences: dict[tuple[int, int, int], float] = {}

    def evidence(self, players: Sequence[Gaussian], passes: int = MOST_PASSES) -> list[Gaussian]:
        """The message of the match to the skill of each player, best first, given what is known of them otherwise.

        Passes go to and fro until they change no more, `passes` at most.
        """
        play = [player.widened(NOISE) for player in players]
        links = range(len(self._links))
        to_and_fro = [*links, *links[-2::-1]]
        for _ in range(passes):
            if max([self._update(link, play) for link in to_and_fro]) < PRECISE:
                break
        return [self._told(player).widened(NOISE) for player in range(len(players))]

    def couplings(self) -> Iterator[tuple[int, int, float]]:
        """As of `FreeForAll`, each pair by its share of the orders in which it stands at these places."""
        for link, pairs in enumerate(self._links):
            for better, worse in pairs:
                told = self._from_worse[link][better][worse], self._from_better[link + 1][worse][better]
                yield better, worse, coupling(*told) / len(pairs)

    def _update(self, link: int, play: Sequence[Gaussian]) -> float:
        """Passes the messages between this place and the next; returns how far the mean of a difference moved at most.

        Nothing that is read here is written here.
        """
        from_better = {player: _Mean(told) for player, told in self._from_better[link].items()}
        from_worse = {player: _Mean(told) for player, told in self._from_worse[link + 1].items()}
        tied = self._open_to[link] is self._open_to[link + 1]
        moved = 0.0
        for better, worse in self._links[link]:
            to_better, to_worse, difference = messages(
                play[better].times(from_better[better].without(worse)),
                play[worse].times(from_worse[worse].without(better)),
                self._margin,
                tied,
            )
            self._from_worse[link][better][worse] = to_better
            self._from_better[link + 1][worse][better] = to_worse
            moved = max(moved, abs(difference - self._differences.get((link, better, worse), inf)))
            self._differences[link, better, worse] = difference
        return moved

    def _told(self, player: int) -> Gaussian:
        """The mean over all places where it may stand."""
        places = [place for place, group in enumerate(self._open_to) if player in group]
        sides = [
            _Mean(side[place][player]).without() for place in places for side in (self._from_better, self._from_worse)
        ]
        return _total(sides).raised(1 / len(places))


class _Mean:
    """What a player is told from one side, whoever stands there."""

    def __init__(self, told: dict[int, Gaussian]) -> None:
        self._told = told
        self._total = _total(told.values())

    def without(self, neighbour: int = -1) -> Gaussian:
        """The mean, once it is known that this player stands elsewhere."""
        if neighbour not in self._told:
            return self._total.raised(1 / len(self._told)) if len(self._told) > 1 else self._total
        if len(self._told) == 1:
            return NOTHING
        return self._total.over(self._told[neighbour]).raised(1 / (len(self._told) - 1))


def single_match(ranks: Sequence[int], margin: float) -> FreeForAll | TiedMatch:
    """One match by rank, best first."""
    return FreeForAll(ranks, margin) if has_one_order(ranks) else TiedMatch(ranks, margin)


def has_one_order(ranks: Sequence[int]) -> bool:
    """Whether a chain of these players is the same whoever is listed first: without ties, or with two players."""
    return len(ranks) == 2 or len(set(ranks)) == len(ranks)


def _total(pieces: Iterable[Gaussian]) -> Gaussian:
    """All of it together, the same to the last bit in whatever order it comes."""
    pieces = list(pieces)
    if len(pieces) < 2:
        return pieces[0] if pieces else NOTHING
    return Gaussian(fsum(piece.pi for piece in pieces), fsum(piece.tau for piece in pieces))
