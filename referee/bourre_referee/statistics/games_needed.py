"""Predicts how many more games tell two neighbours of a ranking apart, by their ratings alone, and finds ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from bourre_referee.ratings import Rating
from bourre_referee.ratings.belief import SIGMA
from bourre_referee.statistics.stopping_boundary import LEVEL, RATIO, boundary
from bourre_referee.statistics.undecided_pairs import fewest_blocks


@dataclass(frozen=True, slots=True)
class RatedBot:
    """The rating and the games of a bot. With drift, games add less information, so more bots seem tied."""

    rating: Rating
    games: int
    is_anchor: bool = False
    """Whether the rating is given, so that its mu is exact."""

    @property
    def information(self) -> float:
        """The precision that a game added on average, in 1 / mu squared. 0 for a bot without games."""
        if self.is_anchor:
            return inf
        return (self.rating.sigma**-2 - SIGMA**-2) / self.games if self.games else 0.0

    def variance(self, games: int) -> float:
        """Returns the variance of the skill after this many games, if each adds the average precision so far."""
        return 0.0 if self.is_anchor else 1 / (SIGMA**-2 + games * self.information)


def games_needed(one: RatedBot, other: RatedBot, level: float = LEVEL) -> int | None:
    """Predicts how many more games each bot plays until they are told apart. 0 if they already are.

    Let d be the difference of the mus, and V the precision that games have added to it. Robbins' normal-mixture
    boundary (`stopping_boundary`) limits S = d V: |S| >= sqrt((V + r) ln((V + r) / (r a^2))). Here r is RATIO times the
    V of a game, and a is `level` divided by the number of pairs under test. The test may be repeated after every game.
    The prediction assumes that d stays and V grows as before. It is poor while d is small against its sigma. V comes
    from the rating model, which may misjudge how much luck a game contains.

    Returns None if a bot has no games, if games have added no precision, or if it would take more than `MAX_BLOCKS`.
    Anchors are exact, so two anchors are told apart unless their mus are equal.
    """
    if one.is_anchor and other.is_anchor:
        return None if one.rating.mu == other.rating.mu else 0
    if min(one.information, other.information) <= 0:
        return None
    difference = abs(one.rating.mu - other.rating.mu)
    scale = RATIO / (1 / one.information + 1 / other.information)

    def decides(more: int) -> bool:
        added = _precision(one, other, one.games + more, other.games + more) - _precision(one, other, 0, 0)
        return difference * added >= boundary(added, scale, level)

    return fewest_blocks(decides, known=0)


def _precision(one: RatedBot, other: RatedBot, games: int, others_games: int) -> float:
    """Returns the precision of the difference of two skills after this many games of each."""
    return 1 / (one.variance(games) + other.variance(others_games))


def told_apart(bots: Sequence[RatedBot], level: float = LEVEL) -> list[list[bool]]:
    """Returns for every two bots whether they need no more games (`games_needed` is 0).

    The level applies to each pair.
    """
    anchors = np.array([bot.is_anchor for bot in bots], bool)
    mus = np.array([bot.rating.mu for bot in bots])
    after, before = (np.array([bot.variance(games * bot.games) for bot in bots]) for games in (1, 0))
    information = np.array([bot.information for bot in bots])
    differences = np.abs(mus[:, None] - mus)
    with np.errstate(divide="ignore", invalid="ignore"):  # two anchors, and bots without games
        added = 1 / (after[:, None] + after) - 1 / (before[:, None] + before)
        scale = RATIO / (1 / information[:, None] + 1 / information)
        whole = added + scale
        apart = differences * added >= np.sqrt(whole * np.log(whole / (scale * level**2)))
    known = information > 0
    apart &= known[:, None] & known
    exact = anchors[:, None] & anchors
    found: list[list[bool]] = np.where(exact, differences > 0, apart).tolist()
    return found
