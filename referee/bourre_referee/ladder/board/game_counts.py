"""What the rated games of an entrant came to, and its faults since the host last excused them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from bourre_referee.ladder.board.rated_game import RatedGame


@dataclass(slots=True)
class FaultCounts:
    """Games and faults of an entrant."""

    games: int = 0
    faulty: int = 0
    """How many of the games had a fault of this entrant."""
    kinds: Counter[str] = field(default_factory=Counter)
    """How often each kind of fault happened."""

    @property
    def share(self) -> float:
        """The share of its games in which it made a fault, from 0 to 1; 0 without games."""
        return self.faulty / self.games if self.games else 0.0

    def count(self, kinds: Counter[str], sign: int) -> None:
        """Counts a game with these faults, or takes it back, with sign -1."""
        self.games += sign
        self.faulty += sign * bool(kinds)
        for kind, times in kinds.items():
            self.kinds[kind] += sign * times


@dataclass(slots=True)
class GameCounts:
    """What the rated games of an entrant came to; void games count nothing."""

    deals: int = 0
    chips: Fraction = Fraction(0)
    faults: FaultCounts = field(default_factory=FaultCounts)
    recent: FaultCounts = field(default_factory=FaultCounts)
    """The same of the games since the entrant was last excused."""
    excused: int = 0
    """Rooms up to this one do not count against it any more."""

    @property
    def games(self) -> int:
        """How many games it finished."""
        return self.faults.games

    @property
    def chips_per_deal(self) -> float:
        """The chips that it won per deal; 0 without deals."""
        return float(self.chips / self.deals) if self.deals else 0.0

    def excuse(self, room: int) -> None:
        """Forgives all faults up to this room."""
        self.excused, self.recent = room, FaultCounts()

    def count(self, game: RatedGame, seat: int, sign: int = 1) -> None:
        """Counts a game in which the entrant sat in this seat, or takes it back, with sign -1."""
        result = game.result
        kinds = Counter({fault.fault.value: fault.times for fault in game.faults if fault.seat == seat})
        self.deals += sign * result.playings
        self.chips += sign * Fraction(result.seats[seat].chips, result.unit)
        self.faults.count(kinds, sign)
        if game.room > self.excused:
            self.recent.count(kinds, sign)
