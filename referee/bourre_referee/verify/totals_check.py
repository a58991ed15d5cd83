"""What all matches together must come to: digest, chain, counts, standings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf

from bourre_referee.contest.stages import match_id, match_number
from bourre_referee.model.recount import Amounts
from bourre_referee.model.results import MatchResult
from bourre_referee.model.stored import ORGANISER, DiscardedMatch
from bourre_referee.runner.adaptive_rounds import adaptive_round
from bourre_referee.statistics.ranking import standings
from bourre_referee.storage.digest import Chain
from bourre_referee.storage.manifest import Manifest
from bourre_referee.storage.untrusted_files import repeated_key
from bourre_referee.verify.difference import Difference, check
from bourre_referee.verify.match_check import Checked, Task

LONGER = 4
"""Standings so many times as long as the true ones are not read for the place where they differ."""

RATED = frozenset({"rank", "mu", "sigma", "score", "tied"})
"""What of a line of the standings follows from ratings."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """The further rounds that follow from the results before them."""

    checked: int
    """The first so many."""
    void: str | None = None
    """The match that was taken back, so that it cannot be told what was due after those; None: all is checked."""


class Totals:
    """Grows with every match, in schedule order."""

    def __init__(self, manifest: Manifest) -> None:
        self.amounts = Amounts()
        self.results: list[MatchResult] = []
        """Of the finished matches."""
        self._manifest = manifest
        self._digest = hashlib.sha256()
        self._chain = Chain(manifest.seed.commitment, manifest.missing)
        self._chain_met = manifest.chain == str(self._chain)

    @property
    def digest(self) -> str:
        """Over the records so far."""
        return self._digest.hexdigest()

    @property
    def chain(self) -> str:
        """Over the records up to the first gap."""
        return str(self._chain)

    def take(self, task: Task, checked: Checked | None) -> None:
        """Adds a match without a difference, or one that is not finished, which a complete run must not have."""
        if checked is None or task.kept is None or task.kept.record is None:
            if self._manifest.complete and not task.place.missing:
                raise Difference("it is missing; the manifest says that all are finished", task.place.match)
            return
        self.results.append(checked.result)
        self.amounts += checked.amounts
        self._digest.update(task.kept.record.encode())
        self._chain.extend({task.place.match: checked.record_hash})
        self._chain_met |= self._manifest.chain == self.chain

    def check_manifest(self) -> None:
        """Counts, chain and digest; those of a run that is not complete may lag behind its matches."""
        manifest, found = self._manifest, len(self.results)
        if manifest.complete:
            check("manifest.json: the number of finished matches", manifest.finished, found)
            check("manifest.json: the chain", manifest.chain, self.chain)
            check("manifest.json: the digest", manifest.digest, self.digest)
        elif not 0 <= manifest.finished <= found:
            raise Difference(f"manifest.json: {manifest.finished} matches are finished, but {found} are kept")
        elif not self._chain_met:
            raise Difference(f"manifest.json: the chain is {manifest.chain!r}, should be {self.chain!r}")

    def check_further_rounds(self, voids: Iterable[DiscardedMatch]) -> Rounds:
        """That each was due by the results before it, and no more are; as far as those cannot have been others then.

        A match that the organiser took back may have had another result; one that the host failed had none.
        """
        manifest = self._manifest
        taken_back = [match_number(kept.match) for kept in voids if kept.by == ORGANISER]
        void = min(taken_back, default=inf)
        more = manifest.complete and len(manifest.added) < (manifest.terms.schedule.adaptive or 0)
        first_added = len(manifest.stages) - len(manifest.added)
        for place in range(len(manifest.added) + more):
            first = inf if place == len(manifest.added) else manifest.stages[first_added + place].first
            if void < first:
                return Rounds(place, match_id(int(void)))
            begun = manifest.model_copy(update={"added": manifest.added[:place]})
            due = adaptive_round(begun, partial(self._results_before, first))
            found = manifest.added[place : place + 1]
            check(f"manifest.json: further round {place + 1}", found, (due,) if due else ())
        return Rounds(len(manifest.added))

    def _results_before(self, first: float) -> list[MatchResult]:
        """Of the matches before this place in the contest."""
        return [result for result in self.results if match_number(result.match) < first]

    def check_standings(self, text: str | None) -> None:
        """Ratings and standings, computed anew from the records, against `standings.json`.

        Where the ratings come from another method, only what does not follow from them.
        """
        terms = self._manifest.terms
        true = standings(self._manifest.contest, terms.format, self.digest, self.results, self._manifest.bots).to_json()
        if text is None:
            raise Difference("standings.json is missing")
        if not self._manifest.rated_as_now:
            if difference := next(_differences(_facts(_read(text)), _facts(json.loads(true)), ""), None):
                raise Difference(f"standings.json: {difference}")
        elif text != f"{true}\n":
            raise Difference(f"standings.json: {_first_difference(text, true)}")


def _first_difference(text: str, true: str) -> str:
    if len(text) > LONGER * len(true):
        return f"it has {len(text):,} characters, should have {len(true) + 1:,}"
    differences = _differences(_read(text), json.loads(true), "")
    return next(differences, "its numbers are right, but it is not written as they are")


def _read(text: str) -> object:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Difference(f"standings.json: it is no JSON ({error})") from error
    if key := repeated_key(text):
        raise Difference(f"standings.json: {key}")
    return found


def _facts(document: object) -> object:
    """Standings in the order of the bots' names, less what follows from ratings; anything else as it is."""
    if not isinstance(document, dict) or not isinstance(rows := document.get("standings"), list):
        return document
    if not all(isinstance(row, dict) and isinstance(row.get("bot"), str) for row in rows):
        return document
    facts = [{key: value for key, value in row.items() if key not in RATED} for row in rows]
    return {**document, "standings": sorted(facts, key=lambda row: str(row["bot"]))}


def _differences(found: object, true: object, path: str) -> Iterator[str]:
    if isinstance(found, dict) and isinstance(true, dict) and found.keys() == true.keys():
        for key, value in true.items():
            yield from _differences(found[key], value, f"{path}.{key}" if path else key)
    elif isinstance(found, list) and isinstance(true, list) and len(found) == len(true):
        for place, (one, other) in enumerate(zip(found, true, strict=True)):
            yield from _differences(one, other, f"{path}[{place}]")
    elif found != true or type(found) is not type(true):
        yield f"{path or 'the document'} is {_cut(found)}, should be {_cut(true)}"


def _cut(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:197]}..."
