"""Measures how many chips one player wins more than another in the same seat of the same deals.

The old player plays its seats, and the new one is asked the same at each decision. Where the new one first chooses
otherwise, the deal branches, and is played on with it in that seat. A seat where both agree gains exactly 0. The mean
is that of playing every deal again with the new player in each of the seats, one at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import LockstepDeals, random_decks
from bourre_lab.batch_deals.card_sets import Ints
from bourre_lab.batch_deals.table import BatchPlayer, chosen_actions, settled_chips
from bourre_lab.policy_gains.branches import Branches
from bourre_lab.policy_gains.differences import FirstDifference

AT_ONCE: Final = 5_000
SAMPLES: Final = 4
QUANTILE: Final = 1.96
_NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class SettledTable:
    """A table at which deals are settled one by one."""

    house: HouseRules
    seats: int
    others: tuple[BatchPlayer, ...] = ()
    """The players of all seats but one, in an order drawn for each deal; if empty, the old player has all seats."""


class Gain(NamedTuple):
    """A gain in chips per 100 deals."""

    mean: float
    half_width: float
    """Half of its 95 % interval."""


@dataclass(frozen=True, slots=True)
class PolicyGains:
    """What the new player wins more than the old one in one of the seats."""

    chips: NDArray[np.float32]
    """By deal and by the kind of the first difference, the mean over the seats, of shape (deals, differences)."""
    counts: Ints
    """How often the players parted, by the kind of difference."""

    @property
    def total(self) -> Gain:
        """The gain of all differences."""
        return self.of(FirstDifference)

    def of(self, kinds: Iterable[FirstDifference]) -> Gain:
        """Returns the part of the gain that follows from first differences of these kinds."""
        chips = self.chips[:, list(kinds)].sum(axis=1, dtype=np.float64) * 100
        return Gain(float(chips.mean()), float(QUANTILE * chips.std() / np.sqrt(len(chips))))


def measure_gains(
    table: SettledTable, new: BatchPlayer, old: BatchPlayer, decks: int, seed: int, samples: int = SAMPLES
) -> PolicyGains:
    """Returns the gain over this many fresh decks; the same seed gives the same decks and dice.

    Before the play, branches are played `samples` times, each with other hidden cards.
    """
    sizes = [min(AT_ONCE, decks - begin) for begin in range(0, decks, AT_ONCE)]
    players = (old, *table.others, new)
    played = [_Part(table, players, size, [seed, part]).play(samples) for part, size in enumerate(sizes)]
    return PolicyGains(np.concatenate([one.chips for one in played]), np.sum([one.counts for one in played], axis=0))


class _Part:
    """The decks that are played at once."""

    def __init__(self, table: SettledTable, players: Sequence[BatchPlayer], decks: int, seed: Sequence[int]) -> None:
        """The first player is the old one, the last the new one; those between have the other seats."""
        self._players = players
        self._seed = seed
        self._rng = np.random.default_rng(seed)
        self._deals = LockstepDeals(table.house, table.seats)
        self._deals.reset(random_decks(decks, self._rng), table.seats * table.house.ante)
        self._seating = np.zeros((decks, table.seats), dtype=np.int64)
        if table.others:
            self._seating = self._rng.random((decks, table.seats)).argsort(axis=1)

    def play(self, samples: int) -> PolicyGains:
        """Plays all decks with the old player, and from where the new one parts from it with that one."""
        deals, together = self._deals, self._seating == 0
        branches = Branches(self._players, self._seating, samples, self._rng)
        seats, step = together.sum(axis=1), 0
        while not deals.all_over:
            old, new = (self._actions(place, step) for place in (0, -1))
            turn = np.arange(len(old)), deals.to_act
            rows = np.flatnonzero((old != new) & together[turn])
            branches.add(deals, rows, old[rows], new[rows])
            together[rows, deals.to_act[rows]] = False
            deals.step(old + self._actions_of_others())
            step += 1
        chips = np.zeros((len(seats), len(FirstDifference)), dtype=np.float32)
        np.add.at(chips, (branches.rows, branches.kinds), branches.play(settled_chips(deals)) / seats[branches.rows])
        return PolicyGains(chips, np.bincount(branches.kinds, minlength=len(FirstDifference)))

    def _actions(self, place: int, step: int) -> Ints:
        """Returns the actions of the player at this place in the old one's seats; all players have the same dice."""
        old_seats = np.where(self._seating == 0, 0, _NOBODY)
        dice = np.random.default_rng([*self._seed, step])
        return chosen_actions(self._deals, old_seats, [self._players[place]], dice)

    def _actions_of_others(self) -> Ints:
        return chosen_actions(self._deals, self._seating - 1, self._players[1:-1], self._rng)
