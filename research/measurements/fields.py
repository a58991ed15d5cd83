"""The tables of example bots for the calibration: at each, every two bots are a pair."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bourre.bot import Bot
from bourre.rules.deck import derive, master_seed
from examples.counter import Counter
from examples.drawer import Drawer
from examples.follower import Follower
from examples.loose import Loose
from examples.lowest import Lowest
from examples.monte_carlo import MonteCarlo
from examples.pot_aware import PotAware
from examples.random_bot import RandomBot
from examples.tight import Tight


@dataclass(frozen=True, slots=True)
class Field:
    """The bots of one table, by number."""

    bots: tuple[type[Bot], ...]

    @property
    def slow(self) -> bool:
        """Whether a bot is slow: then fewer deals are played."""
        return MonteCarlo in self.bots

    def share(self, deals: int, slowly: int = 10) -> int:
        """Returns how many of these deals this table plays: one out of `slowly` if a bot is slow."""
        return deals // slowly if self.slow else deals

    def seed(self, use: str) -> bytes:
        """Returns the master seed for one use of this table; two uses share no deal."""
        return derive(master_seed(2025), f"{use} {self}")

    def __str__(self) -> str:
        return ", ".join(bot.__name__ for bot in self.bots)


FIELDS = (
    Field((Tight, Counter, Drawer)),
    Field((Loose, PotAware, Follower)),
    Field((RandomBot, Lowest, Counter)),
    Field((MonteCarlo, Tight, PotAware)),
    Field((Tight, Counter, Drawer, PotAware, Follower)),
    Field((RandomBot, Lowest, Loose, Counter, Follower)),
    Field((MonteCarlo, Tight, Counter, Drawer, Loose)),
    Field((Tight, Counter, Drawer, PotAware, Follower, Loose, Lowest)),
)
"""12 pairs at three seats, 30 at five, 21 at seven."""
