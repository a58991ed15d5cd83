"""Seeds: a series of matches, the same as those that practice and a referee play from this seed."""

from __future__ import annotations

from secrets import randbelow

from bourre.rules.deck import SeededChance, derive, master_seed


class MatchSeries:
    """The chance of match 1, 2, 3, ... under one seed, as in `bourre practice --seed`."""

    def __init__(self) -> None:
        self._master: bytes | None = None
        self.number = 0
        """The number of the match begun last, from 1."""

    def restart(self, seed: int | None) -> None:
        """Begins again at match 1 of this seed; None goes on, or begins with a random seed if there is none yet."""
        if seed is not None:
            self._master, self.number = master_seed(seed), 0
        elif self._master is None:
            self._master = master_seed(randbelow(2**63))

    def next(self) -> SeededChance:
        """Returns the chance of the next match."""
        if self._master is None:
            self.restart(None)
        assert self._master is not None
        self.number += 1
        return SeededChance(derive(self._master, f"match {self.number}"))
