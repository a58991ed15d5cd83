"""Which entrants make faults in too many of their games, beyond what bad luck explains, and the reason in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, lgamma, log

from bourre.rules.actions import Fault
from bourre_referee.ladder.board.game_counts import FaultCounts

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
