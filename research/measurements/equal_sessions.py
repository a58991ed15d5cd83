"""Sessions of equal bots: the results of real tables, dealt out to the bots by chance, so that seats do not matter."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean

from intervals import Moody
from playings import LIMIT, play_session

from bourre.practice.session import BotMaker
from bourre.rules.deck import derive, master_seed
from bourre_referee.model.results import MatchResult, SeatResult, ranks_of

SEATS = 5
SEED = derive(master_seed(2026), "letters")
POOL = 3000
"""Number of table results to draw from."""


class Sessions:
    """Sessions of a given number of deals."""

    def __init__(self, deals: int) -> None:
        dice = Random(deals)
        bots: list[BotMaker] = [lambda: Moody(dice)] * SEATS
        self._deals = deals
        self._pool = [play_session(bots, deals, LIMIT, derive(SEED, f"{deals} {table}")) for table in range(POOL)]

    def play(self, match: str, bots: Sequence[str], dice: Random, leads: Sequence[float] = (0,) * SEATS) -> MatchResult:
        """Plays a match of bots that are equal except for their leads."""
        drawn = dice.sample(dice.choice(self._pool), SEATS)
        mean = fmean(leads)
        chips = [won + round(self._deals * (lead - mean) / 100) for won, lead in zip(drawn, leads, strict=True)]
        chips[0] -= sum(chips)
        return MatchResult(match, self._deals, _seats(bots, chips))


def _seats(bots: Sequence[str], chips: Sequence[int]) -> tuple[SeatResult, ...]:
    rows = zip(bots, chips, ranks_of(chips), strict=True)
    return tuple(SeatResult(bot, won, rank, 0, 0, 0, 0, 0) for bot, won, rank in rows)
