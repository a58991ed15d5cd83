"""Checks the digest, chain, counts and standings, which follow from all matches together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from math import inf

from bourre_referee.contest.recount import Amounts
from bourre_referee.contest.stages import match_id, match_number
from bourre_referee.derived.run_standings import rank_matches, rate_matches
from bourre_referee.model.results import MatchResult
from bourre_referee.model.stored import ORGANISER, DiscardedMatch
from bourre_referee.runner.adaptive_rounds import adaptive_round
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.storage.files.digest import Chain
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.verify.difference import Difference, check, json_differences, parse_document
from bourre_referee.verify.match_check import CheckedMatch, Task
from bourre_referee.verify.rating_claim import RATING_KEYS, RatedAgain, compare_claims


@dataclass(frozen=True, slots=True)
class CheckedRounds:
    """The adaptive rounds that were checked. Each follows from the results before it."""

    number: int
    """How many, counted from the first."""
    void: str | None = None
    """The voided match that prevents the check of later rounds. None if all were checked."""


class Totals:
    """Collects the totals of a run from its matches, in schedule order."""

    def __init__(self, manifest: Manifest) -> None:
        self.amounts = Amounts()
        self.results: list[MatchResult] = []
        """The results of the finished matches."""
        self.record_hashes: dict[str, bytes] = {}
        """The SHA-256 of the finished matches' records, by match id."""
        self._manifest = manifest
        self._digest = hashlib.sha256()
        self._chain = Chain(manifest.chain_start, manifest.missing)
        self._chain_met = manifest.chain == str(self._chain)

    @property
    def digest(self) -> str:
        """The digest of the records so far."""
        return self._digest.hexdigest()

    @property
    def chain(self) -> str:
        """The chain over the records up to the first gap."""
        return str(self._chain)

    def take(self, task: Task, checked: CheckedMatch | None) -> None:
        """Adds a match without a difference, or an unfinished one, which a complete run must not have."""
        if checked is None or task.stored is None or task.stored.record is None:
            if self._manifest.complete and not task.expected.missing:
                raise Difference("it is missing, but the manifest says that all are finished", task.expected.match)
            return
        self.results.append(checked.result)
        self.amounts += checked.amounts
        self._digest.update(task.stored.record.encode())
        self.record_hashes[task.expected.match] = checked.record_hash
        self._chain.extend({task.expected.match: checked.record_hash})
        self._chain_met |= self._manifest.chain == self.chain

    def check_manifest(self) -> None:
        """Checks counts, chain and digest. In an incomplete run, they may lag behind its matches."""
        manifest, found = self._manifest, len(self.results)
        if manifest.complete:
            check("manifest.json: the number of finished matches", manifest.finished, found)
            check("manifest.json: the chain", manifest.chain, self.chain)
            check("manifest.json: the digest", manifest.digest, self.digest)
        elif not 0 <= manifest.finished <= found:
            raise Difference(f"manifest.json: it counts {manifest.finished} finished matches, but {found} are stored")
        elif not self._chain_met:
            raise Difference(f"manifest.json: the chain is {manifest.chain!r}, should be {self.chain!r}")

    def check_adaptive_rounds(self, voids: Iterable[DiscardedMatch]) -> CheckedRounds:
        """Checks that each adaptive round was due by the results before it, and that no more rounds are due.

        The check ends at a match that the organiser voided, because it may have had another result when the next round
        was chosen. A match that the host failed had no result.
        """
        manifest = self._manifest
        voided = [match_number(attempt.match) for attempt in voids if attempt.by == ORGANISER]
        first_void = min(voided, default=inf)
        more = manifest.complete and len(manifest.added) < (manifest.terms.schedule.adaptive or 0)
        first_added = len(manifest.stages) - len(manifest.added)
        for index in range(len(manifest.added) + more):
            first = inf if index == len(manifest.added) else manifest.stages[first_added + index].first
            if first_void < first:
                return CheckedRounds(index, match_id(int(first_void)))
            before = manifest.model_copy(update={"added": manifest.added[:index]})
            due = adaptive_round(before, partial(self._results_before, first))
            found = manifest.added[index : index + 1]
            check(f"manifest.json: adaptive round {index + 1}", found, (due,) if due else ())
        return CheckedRounds(len(manifest.added))

    def _results_before(self, first: float) -> list[MatchResult]:
        """Returns the results of the matches before this number."""
        return [result for result in self.results if match_number(result.match) < first]

    def check_standings(self, text: str | None) -> tuple[RatedAgain, ...]:
        """Compares `standings.json` with the standings computed again from the records.

        If an older method rated the run, or an older version ranked its no-shows, it returns the bots whose figures
        differ from the current ones.
        """
        if text is None:
            raise Difference("standings.json is missing")
        manifest = self._manifest
        rated = rate_matches(manifest, self.results)
        rank = partial(rank_matches, manifest, self.digest, tally_of(self.results), rated)
        table = rank()
        true = table.to_json()
        if text == f"{true}\n":
            return ()
        older = rank(rank_all=True).to_json()
        found, expected = parse_document("standings.json", text, len(older)), json.loads(true)
        if _facts(found) == _facts(json.loads(older)) and (text == f"{older}\n" or not manifest.rated_as_now):
            difference = ""
        elif manifest.rated_as_now:
            difference = next(json_differences(found, expected), "its numbers are right, but its format differs")
        else:
            difference = next(json_differences(_facts(found), _facts(expected)), "")
        if difference:
            raise Difference(f"standings.json: {difference}")
        return compare_claims(_rows(found), table.rows)


def _facts(document: object) -> object:
    """Sorts standings by bot and leaves out figures that follow from ratings. Returns any other document unchanged."""
    if not isinstance(document, dict) or not (rows := _rows(document)):
        return document
    facts = [{key: value for key, value in row.items() if key not in RATING_KEYS} for row in rows]
    others = {key: value for key, value in document.items() if key not in ("ties", "too_few")}
    return {**others, "standings": sorted(facts, key=lambda row: str(row["bot"]))}


def _rows(document: object) -> list[dict[str, object]]:
    """Returns the rows of standings, or none if there is anything else among them."""
    rows = document.get("standings") if isinstance(document, dict) else None
    is_table = isinstance(rows, list) and all(isinstance(row, dict) and isinstance(row.get("bot"), str) for row in rows)
    return rows if isinstance(rows, list) and is_table else []
