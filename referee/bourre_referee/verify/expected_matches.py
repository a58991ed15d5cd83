"""Derives each match of a contest from the terms and the seed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat

from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest_plan import scheduled
from bourre_referee.contest.stages import Stage, match_id
from bourre_referee.derived.answers_cache import schedule_searches
from bourre_referee.derived.result_cache import open_result_cache
from bourre_referee.luck import Baseline
from bourre_referee.model.spec import MatchSpec
from bourre_referee.storage.run.manifest import Manifest, Terms
from bourre_referee.storage.run.seed_commitment import commitment
from bourre_referee.verify.difference import Difference, check


@dataclass(frozen=True, slots=True)
class ExpectedMatch:
    """The true values of a match in the schedule."""

    number: int
    """The match's number, from 1."""
    match: str
    bots: tuple[str, ...]
    """All bots of the contest at that stage."""
    seats: int
    deals: int
    house: HouseRules
    format: str
    stakes: tuple[int, ...]
    max_faults: int
    """The number of faults after which the referee plays the seat."""
    level: str
    """The isolation level in the terms. `best` allows any."""
    spec: MatchSpec | None
    """The line-up and the match's seed. None while the master seed is secret."""
    public: bool = False
    """Whether its cards were public from the start, because the terms contain the seed."""
    missing: bool = False
    """Whether it will never be played, because bots joined or left before its end, or because it was given up."""
    called: tuple[str, ...] | None = None
    """In a ladder's epoch: the line-up by seat, which is known before the seed."""
    baseline: Baseline | None = None
    """The baseline of the luck in the terms."""
    complete: bool = False
    """Whether the run is finished, so that all luck is known."""
    models: frozenset[str] = frozenset()
    """The bots that language models decide for, which a cap may stop without a fault."""


def expected_matches(manifest: Manifest, master: bytes | None) -> tuple[ExpectedMatch, ...]:
    """Derives every match of the schedule, in order. Raises Difference if the manifest counts them differently."""
    stages = manifest.stages
    true = sum(stage.places - len(stage.missing) for stage in stages)
    check("manifest.json: the number of matches", manifest.matches, true)
    specs = _specs(stages, manifest.terms, master) if master else repeat(repeat(None))
    return tuple(
        expected
        for stage, of_stage in zip(stages, specs, strict=False)
        for expected in _expected_in(stage, manifest, of_stage)
    )


def _expected_in(stage: Stage, manifest: Manifest, specs: Iterable[MatchSpec | None]) -> Iterator[ExpectedMatch]:
    terms, models = manifest.terms, frozenset(manifest.models)
    called = (stage.pairing.line_ups or ()) if stage.pairing.kind == "called" else repeat(None)
    for number, spec, line_up in zip(stage.numbers, specs, called, strict=False):
        yield ExpectedMatch(
            number=number,
            match=match_id(number),
            bots=stage.bots,
            seats=len(line_up) if line_up else terms.seats,
            deals=terms.deals,
            house=terms.rules,
            format=terms.format,
            stakes=terms.stakes,
            max_faults=terms.max_faults,
            level=terms.isolation.level,
            spec=spec,
            public=terms.seed is not None,
            missing=number in stage.missing,
            called=line_up,
            baseline=terms.baseline,
            complete=manifest.complete,
            models=models,
        )


def _specs(stages: Iterable[Stage], terms: Terms, master: bytes) -> Iterator[Iterator[MatchSpec]]:
    """Yields the matches of each stage: line-ups and match seeds follow from the master seed and the stage's label."""
    searches = schedule_searches(open_result_cache(os.environ))
    for stage, schedule in scheduled(stages, terms.seats, master, searches):
        yield stage.matches(schedule.line_ups, terms.rules, terms.deals, master)


def master_of(manifest: Manifest) -> bytes | None:
    """Checks the revealed master seed against the commitment and returns it. None while the seed is secret."""
    seed, public = manifest.seed, manifest.terms.seed
    if seed.revealed is None:
        if public is not None or manifest.complete:
            raise Difference("manifest.json: the seed is not revealed, although the run is finished")
        return None
    master = bytes.fromhex(seed.revealed)
    if public is not None:
        check(f"manifest.json: the revealed form of the public seed {public}", master, master_seed(public))
    check("manifest.json: the SHA-256 of the revealed seed, the commitment,", seed.commitment, commitment(master))
    note = "practice seed, not secret" if public is not None else "was secret, revealed at the end"
    check("manifest.json: the note on the seed", seed.note, note)
    return master
