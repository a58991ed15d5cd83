"""Finds the entrants that commit faults in too many games, and states the reason for their suspension."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, lgamma, log
from typing import NamedTuple

from bourre.rules.actions import Fault
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import SeatFault
from bourre_referee.ratings.belief import Outcome, outcome_of


class GameOutcome(NamedTuple):
    """The part of a game that ratings need. It is small, because a host keeps it for all games of a season."""

    room: int
    """The room's number in the log."""
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A finished game of a rated room. Its bots are entrants of the ladder."""

    room: int
    """The room's number in the log."""
    result: MatchResult
    faults: tuple[SeatFault, ...] = ()
    """The faults by seat and kind."""
    with_stand_ins: bool = False
    """Whether seats that a stand-in played count for their bots, as in epochs of older versions."""

    @property
    def outcome(self) -> GameOutcome:
        """The part that ratings need."""
        bots = {seat.bot for seat in self.result.seats}
        return GameOutcome(self.room, outcome_of(self.result, bots, self.with_stand_ins))

    def rates(self, seat: int) -> bool:
        """Returns whether the game counts for the rating of the bot in this seat."""
        return self.with_stand_ins or not self.result.is_by_stand_in(self.result.seats[seat])


@dataclass(slots=True)
class FaultCounts:
    """Games and faults of an entrant."""

    games: int = 0
    faulty: int = 0
    """The number of games in which this entrant committed a fault."""
    kinds: Counter[str] = field(default_factory=Counter)
    """The count of each kind of fault."""

    @property
    def share(self) -> float:
        """The share of its games with a fault, from 0 to 1; 0 without games."""
        return self.faulty / self.games if self.games else 0.0

    def count(self, kinds: Counter[str], sign: int) -> None:
        """Counts a game with these faults. With sign -1, it takes the game back."""
        self.games += sign
        self.faulty += sign * bool(kinds)
        for kind, times in kinds.items():
            self.kinds[kind] += sign * times


@dataclass(slots=True)
class GameCounts:
    """The totals of an entrant's rated games, without void games."""

    deals: int = 0
    chips: Fraction = Fraction(0)
    rated: int = 0
    """The number of games that count for its rating."""
    faults: FaultCounts = field(default_factory=FaultCounts)
    recent: FaultCounts = field(default_factory=FaultCounts)
    """The counts since the entrant was last excused."""
    excused: int = 0
    """Faults in rooms up to this one are forgiven."""

    @property
    def games(self) -> int:
        """The number of finished games."""
        return self.faults.games

    @property
    def chips_per_deal(self) -> float:
        """The chips won per deal; 0 without deals."""
        return float(self.chips / self.deals) if self.deals else 0.0

    def excuse(self, room: int) -> None:
        """Forgives all faults up to this room."""
        self.excused, self.recent = room, FaultCounts()

    def count(self, game: RatedGame, seat: int, sign: int = 1) -> None:
        """Counts a game of the entrant in this seat. With sign -1, it takes the game back."""
        result = game.result
        kinds = Counter({fault.fault.value: fault.times for fault in game.faults if fault.seat == seat})
        self.deals += sign * result.playings
        self.chips += sign * Fraction(result.seats[seat].chips, result.unit)
        self.rated += sign * game.rates(seat)
        self.faults.count(kinds, sign)
        if game.room > self.excused:
            self.recent.count(kinds, sign)


LEVEL = 0.01
"""The highest probability of ever suspending a bot whose true share of games with faults is just allowed."""


@dataclass(frozen=True, slots=True)
class BenchingTerms:
    """When a bot is suspended."""

    fault_share: float
    """The allowed share of games with faults, from 0 to 1."""
    games: int
    """The games before which no bot is suspended."""


@dataclass(frozen=True, slots=True)
class BenchDue:
    """An entrant to suspend."""

    entrant: str
    reason: str


def bench_due(counts: Iterable[tuple[str, FaultCounts]], terms: BenchingTerms) -> list[BenchDue]:
    """Returns the entrants whose share of games with faults is too large. It is valid after every game."""
    return [BenchDue(entrant, _reason(faults, terms)) for entrant, faults in counts if _is_due(faults, terms)]


def _is_due(faults: FaultCounts, terms: BenchingTerms) -> bool:
    if faults.games < max(1, terms.games) or faults.share <= terms.fault_share:
        return False
    return log_evidence(faults.games, faults.faulty, terms.fault_share) >= -log(LEVEL)


def log_evidence(games: int, faulty: int, share: float) -> float:
    """Returns the logarithm of the evidence that the true share of games with faults is not `share` (0 to 1).

    The evidence is the likelihood of the games, averaged over all shares, divided by the likelihood for this share. If
    this is the true share, the evidence is a martingale. It ever reaches 1 / a with a probability of at most a, so it
    may be tested after every game (Robbins, Annals of Mathematical Statistics 41, 1970).
    """
    expected = _times_log(faulty, share) + _times_log(games - faulty, 1 - share)
    return lgamma(faulty + 1) + lgamma(games - faulty + 1) - lgamma(games + 2) - expected


def _times_log(times: int, share: float) -> float:
    """Returns the log-likelihood of this many events, each with this probability."""
    if not times:
        return 0.0
    return times * log(share) if share > 0 else -inf


def _reason(faults: FaultCounts, terms: BenchingTerms) -> str:
    """Returns the reason for the public. Causes of failed starts can quote the bot, so only its log has them."""
    games = f"{faults.faulty} of {faults.games} games, and more than {terms.fault_share:.0%} are too many"
    if {kind for kind, times in faults.kinds.items() if times} == {Fault.START_FAILURE}:
        return f"it never started in {games}; the first line of its log says why"
    return f"it made faults in {games}: {_kinds(faults.kinds)}"


def _kinds(kinds: Mapping[str, int]) -> str:
    most_first = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{kind} {times}" for kind, times in most_first if times)
