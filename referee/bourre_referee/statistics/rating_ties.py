"""Which of many bots their ratings tell apart: `games_needed` for all pairs at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bourre_referee.statistics.games_needed import RatedBot
from bourre_referee.statistics.stopping_boundary import LEVEL, RATIO


def told_apart(bots: Sequence[RatedBot], level: float = LEVEL) -> list[list[bool]]:
    """Returns, for every bot and every other one, whether they need no more games (`games_needed` is 0).

    The level is that of each pair.
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
