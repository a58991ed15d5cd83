"""Which entrants make faults in too many of their games, beyond what bad luck explains, and the reason in words."""

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
    """What ratings take from a game; a host keeps it of all games of a season, so it is small."""

    room: int
    """The room's number in the log."""
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A finished game of a rated room; its bots are entrants of the ladder."""

    room: int
    """The room's number in the log."""
    result: MatchResult
    faults: tuple[SeatFault, ...] = ()
    """The faults by seat and kind."""

    @property
    def outcome(self) -> GameOutcome:
        """What ratings take from it."""
        return GameOutcome(self.room, outcome_of(self.result, {seat.bot for seat in self.result.seats}))


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


LEVEL = 0.01
"""The probability, at most, that a bot is ever benched which makes faults in just the share of games allowed."""


@dataclass(frozen=True, slots=True)
class BenchingTerms:
    """When a bot is benched."""

    fault_share: float
    """In more than this share of its games, from 0 to 1, a bot must not make faults."""
    games: int
    """Fewer games bench nobody."""


@dataclass(frozen=True, slots=True)
class BenchDue:
    """An entrant that is to be benched."""

    entrant: str
    reason: str


def bench_due(counts: Iterable[tuple[str, FaultCounts]], terms: BenchingTerms) -> list[BenchDue]:
    """Returns the entrants whose share of games with faults is surely too large, however often one looks."""
    return [BenchDue(entrant, _reason(faults, terms)) for entrant, faults in counts if _is_due(faults, terms)]


def _is_due(faults: FaultCounts, terms: BenchingTerms) -> bool:
    if faults.games < max(1, terms.games) or faults.share <= terms.fault_share:
        return False
    return log_evidence(faults.games, faults.faulty, terms.fault_share) >= -log(LEVEL)


def log_evidence(games: int, faulty: int, share: float) -> float:
    """Returns the logarithm of the evidence that faults do not happen in this share of games, from 0 to 1.

    It is the likelihood of the games, averaged over all shares alike, by that of this share. If this is the true
    share, the evidence is a martingale: it ever reaches 1 / a with a probability of at most a, so one may look after
    every game (Robbins, Annals of Mathematical Statistics 41, 1970).
    """
    expected = _times_log(faulty, share) + _times_log(games - faulty, 1 - share)
    return lgamma(faulty + 1) + lgamma(games - faulty + 1) - lgamma(games + 2) - expected


def _times_log(times: int, share: float) -> float:
    """Returns the log-likelihood of what happens in this share of games and happened so many times."""
    if not times:
        return 0.0
    return times * log(share) if share > 0 else -inf


def _reason(faults: FaultCounts, terms: BenchingTerms) -> str:
    """Says why in words that everyone may read; the cause of a failed start may quote the bot, so its log has that."""
    games = f"{faults.faulty} of {faults.games} games, and more than {terms.fault_share:.0%} are too many"
    if {kind for kind, times in faults.kinds.items() if times} == {Fault.START_FAILURE}:
        return f"it never started in {games}; the first line of its log says why"
    return f"it made faults in {games}: {_kinds(faults.kinds)}"


def _kinds(kinds: Mapping[str, int]) -> str:
    most_first = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{kind} {times}" for kind, times in most_first if times)
