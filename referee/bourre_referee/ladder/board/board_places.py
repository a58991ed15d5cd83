"""Where rated entrants stand, who is tied, and how much play would part neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from bourre_referee.ladder.board.board_rows import BoardPlace
from bourre_referee.statistics.games_needed import RatedBot, games_needed
from bourre_referee.statistics.rating_ties import told_apart
from bourre_referee.statistics.stopping_boundary import LEVEL
from bourre_referee.statistics.tied_letters import assign_letters, tied_groups

_Comparison = tuple[RatedBot, RatedBot, float]


class BoardPlaces:
    """Ranks entrants by their scores; computes anew only what has changed since it was last asked."""

    def __init__(self) -> None:
        self._rated: dict[str, RatedBot] = {}
        self._places: dict[str, BoardPlace] = {}
        self._needed: dict[_Comparison, int | None] = {}

    def of(self, rated: Mapping[str, RatedBot]) -> Mapping[str, BoardPlace]:
        """Returns the places of these entrants, best first; equal scores are ordered by name.

        At most 5 in 100 ladders ever tell any two entrants of equal skill apart, as far as the ratings' model holds:
        the level is divided among all pairs.
        """
        if rated != self._rated:
            self._rated = dict(rated)
            self._places = self._rank(sorted(rated, key=lambda entrant: (-rated[entrant].rating.score, entrant)))
        return self._places

    def _rank(self, order: Sequence[str]) -> dict[str, BoardPlace]:
        bots = [self._rated[entrant] for entrant in order]
        level = LEVEL / max(1, len(order) * (len(order) - 1) // 2)
        apart = dict(zip(order, (dict(zip(order, row, strict=True)) for row in told_apart(bots, level)), strict=True))
        letters = assign_letters(order, tied_groups(order, lambda one, other: apart[one][other]))
        needed = [*self._games_needed(bots, level), None]
        return {
            entrant: BoardPlace(rank, tied, games)
            for rank, (entrant, tied, games) in enumerate(zip(order, letters, needed, strict=False), start=1)
        }

    def _games_needed(self, bots: Sequence[RatedBot], level: float) -> list[int | None]:
        """Returns for each bot but the last the games that would tell it from the next."""
        comparisons = [(one, other, level) for one, other in pairwise(bots)]
        known = self._needed
        self._needed = {each: known[each] if each in known else games_needed(*each) for each in comparisons}
        return [self._needed[each] for each in comparisons]
