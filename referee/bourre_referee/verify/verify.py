"""The whole check of a run, from its seed to its standings."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from bourre_referee.model.recount import Amounts
from bourre_referee.model.stored import DiscardedMatch
from bourre_referee.runner.local_executor import usable_cores
from bourre_referee.storage.manifest import Manifest
from bourre_referee.verify.check_pool import mapped, tasks
from bourre_referee.verify.expected_matches import master_of, places
from bourre_referee.verify.match_check import check_match
from bourre_referee.verify.run_source import Source
from bourre_referee.verify.totals_check import Rounds, Totals

WORTH_A_PROCESS = 2_000
"""Deals: fewer are checked sooner than a second process has started."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A run in which there is no difference, as far as it could be checked."""

    manifest: Manifest
    finished: int
    """Matches that are kept."""
    amounts: Amounts
    digest: str | None
    """None: not all matches are finished."""
    chain: str
    voids: tuple[DiscardedMatch, ...]
    rounds: Rounds

    @property
    def seed_known(self) -> bool:
        """Whether the seed is revealed, so that all cards follow from it."""
        return self.manifest.seed.revealed is not None


def verify(source: Source, jobs: int | None = None) -> Verified:
    """Checks everything, with as many processes as given or worth it; raises Difference at the first there is."""
    manifest = source.manifest()
    plan = places(manifest, master_of(manifest))
    voids = tuple(source.voids())
    whole = Totals(manifest)
    with (
        closing(source.matches()) as kept,
        closing(mapped(check_match, tasks(plan, kept, voids), jobs or _worth(manifest))) as answers,
    ):
        for task, checked in answers:
            whole.take(task, checked)
    whole.check_manifest()
    rounds = whole.check_further_rounds(voids) if manifest.rated_as_now else Rounds(0)
    if manifest.complete:
        whole.check_standings(source.standings())
    digest = manifest.digest if manifest.complete else None
    return Verified(manifest, len(whole.results), whole.amounts, digest, whole.chain, voids, rounds)


def _worth(manifest: Manifest) -> int:
    """As many processes as there are cores, but none that would cost more than it does."""
    return max(1, min(usable_cores(), manifest.finished * manifest.terms.deals // WORTH_A_PROCESS))
