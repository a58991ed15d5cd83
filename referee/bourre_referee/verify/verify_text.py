"""Write what a verification found, as text and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from bourre_referee.contest.stages import Stage, match_id
from bourre_referee.storage.manifest import Manifest, rating_method
from bourre_referee.storage.void_match import void_lines
from bourre_referee.text.names import printable
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.verify import VerifiedRun


def lines(verified: VerifiedRun) -> Iterator[str]:
    """Yield a line for each thing that was checked, or could not be."""
    manifest, amounts = verified.manifest, verified.amounts
    finished = f"{verified.finished} of {manifest.matches} matches"
    yield f"{printable(manifest.contest)}: {finished} verified, no difference"
    if verified.seed_known:
        yield f"seed       {manifest.seed.note}; its SHA-256 is the commitment {manifest.seed.commitment}"
        yield f"schedule   {_schedule_in_words(manifest)}"
    yield f"cards      {amounts.deals} deals dealt again: every hand, turned card and drawn card"
    yield f"decisions  {amounts.decisions} ruled on again: {amounts.reneges} reneges, {amounts.faults} faults"
    yield f"chips      {amounts.chips} paid into pots; every trick, pot and balance counted again"
    yield "results    every result agrees with its record, every record with its hash"
    yield f"terms      {terms_in_words(verified)}"
    if manifest.terms.archive:
        yield f"archive    {_archive_in_words(verified)}"
    yield f"chain      {verified.chain}"
    if verified.digest:
        yield f"digest     {verified.digest}"
        what = "ratings and standings.json" if manifest.rated_as_now else "chips and counts of standings.json"
        yield f"standings  {what} computed again from the records"
    yield from (f"ratings    {sentence}" for sentence in rating_method_notes(verified))
    if verified.rounds.number:
        yield f"adaptive   rounds {verified.rounds.number}: their line-ups follow from the results before them"
    yield from (f"adaptive   {sentence}" for sentence in undecidable_rounds(verified))
    yield from missing_lines(manifest)
    yield from (f"not yet    {sentence}" for sentence in unchecked_facts(verified))
    yield from void_lines(verified.voids)


def _schedule_in_words(manifest: Manifest) -> str:
    if manifest.is_epoch:
        return "every match's seed follows from the seed; who sits where, from the ladder's log: see verify --epoch"
    return "who sits where, and every match's seed, follow from the seed"


def terms_in_words(verified: VerifiedRun) -> str:
    """Say what the run committed to before the first card, and what its log tells."""
    manifest, terms = verified.manifest, verified.log.terms
    if not terms:
        return "the run did not commit to them: an older version began it"
    events = Counter(entry.event for entry in manifest.log)
    told = ", ".join(f"{event} {times} times" if times > 1 else event for event, times in events.items())
    return f"the run committed to them before the first card: {terms[0]}; log: {told}; its head is {manifest.log_head}"


def _archive_in_words(verified: VerifiedRun) -> str:
    if not verified.archived:
        return "the run kept the bots' files, but they are not here"
    return f"{len(verified.manifest.bot_files)} files of the bots have the hashes in the terms"


def missing_lines(manifest: Manifest) -> Iterator[str]:
    """Yield the matches left out when bots joined or left, or given up: nobody can check that they were unfinished."""
    for stage in closed_stages(manifest):
        left_out = "; ".join(_left_out(stage, manifest.terms.seats)) or "nothing was left out"
        yield f"stage {stage.number}    its bots were {', '.join(map(printable, stage.bots))}; {left_out}"
    if manifest.given_up:
        yield f"given up   {', '.join(map(match_id, sorted(manifest.given_up)))}: no result that counts"


def closed_stages(manifest: Manifest) -> tuple[Stage, ...]:
    """Return the stages that had ended when bots joined or left."""
    return manifest.stages[: len(manifest.closed)]


def _left_out(stage: Stage, seats: int) -> Iterator[str]:
    if whole := stage.size_before_cut(seats):
        yield f"it ended after {stage.places} of the {whole} matches of its schedule"
    if stage.missing:
        yield f"left out, without a result that counts: {', '.join(map(match_id, sorted(stage.missing)))}"


def unchecked_facts(verified: VerifiedRun) -> Iterator[str]:
    """Yield what cannot be checked before the run is finished."""
    if not verified.seed_known:
        yield "whether schedule and cards follow from the committed seed, which is secret until the end"
    if not verified.digest:
        yield "digest and standings: they are written when all matches are finished"


def rating_method_notes(verified: VerifiedRun) -> Iterator[str]:
    """Yield what is not checked because another method than today's rated the run."""
    manifest = verified.manifest
    now = rating_method(manifest.anchors)
    rounds = () if manifest.is_epoch else manifest.added
    if manifest.rated_as_now or not (manifest.complete or rounds):
        return
    then = manifest.ratings
    method = f"{printable(then.method)}, version {then.version}" if then else "from before methods had names"
    yield f"not checked: another method computed them ({method}; now: {now.method}, version {now.version})"
    if manifest.complete:
        yield "`bourre standings` shows today's; rank, mu, sigma, score and letters in standings.json may differ"
    if rounds:
        yield f"adaptive rounds ({len(rounds)}) followed from that method's ratings, and are not checked"


def undecidable_rounds(verified: VerifiedRun) -> Iterator[str]:
    """Yield what cannot be checked at all: rounds whose results before them may have been different."""
    number, void = verified.rounds.number, verified.rounds.void
    if void:
        after = f"rounds after round {number}" if number else "rounds"
        yield f"{after} are not checked: {void} was voided, and may have had another result when they were chosen"


def document(verified: VerifiedRun) -> str:
    """Write the same as one JSON document."""
    return json.dumps(values_of(verified), indent=2)


def values_of(verified: VerifiedRun) -> dict[str, object]:
    """Return the values of that document."""
    return {
        "verified": True,
        "contest": verified.manifest.contest,
        "matches": verified.finished,
        "of": verified.manifest.matches,
        **asdict(verified.amounts),
        "terms": verified.log.terms[0] if verified.log.terms else None,
        "log": verified.manifest.log_head,
        "chain": verified.chain,
        "archived": verified.archived,
        "digest": verified.digest,
        "voids": [
            {"match": void.match, "attempt": void.attempt, "by": void.by, "reason": void.reason, "at": void.at}
            for void in verified.voids
        ],
        "left_out": [match_id(number) for number in sorted(verified.manifest.missing)],
        "cut_short": list(_cut_short(verified.manifest)),
        "unchecked": [
            *unchecked_facts(verified),
            *(f"adaptive {sentence}" for sentence in undecidable_rounds(verified)),
            *(f"ratings {sentence}" for sentence in rating_method_notes(verified)),
        ],
        "difference": None,
    }


def _cut_short(manifest: Manifest) -> Iterator[dict[str, int]]:
    """Yield the stages whose schedule ended early, so that later matches have their last numbers."""
    for stage in closed_stages(manifest):
        if whole := stage.size_before_cut(manifest.terms.seats):
            yield {"stage": stage.number, "matches": stage.places, "of": whole}


def difference_document(difference: Difference) -> str:
    """Write the first difference, with its match and deal, as one JSON document."""
    found = {"match": difference.match, "deal": difference.deal, "text": difference.text}
    return json.dumps({"verified": False, "difference": found}, indent=2)
