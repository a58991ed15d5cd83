"""What a verification found, in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from bourre_referee.contest.stages import Stage, match_id
from bourre_referee.storage.manifest import Manifest, rating_method
from bourre_referee.storage.void_match import void_lines
from bourre_referee.text.names import printable
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.verify import Verified


def lines(verified: Verified) -> Iterator[str]:
    """What was checked, and what could not be; a line each."""
    manifest, amounts = verified.manifest, verified.amounts
    finished = f"{verified.finished} of {manifest.matches} matches"
    yield f"{printable(manifest.contest)}: {finished} verified, no difference"
    if verified.seed_known:
        yield f"seed       {manifest.seed.note}; its SHA-256 is the commitment {manifest.seed.commitment}"
        yield "schedule   who sits where, and every match's seed, follow from the seed"
    yield f"cards      {amounts.deals} deals dealt again: every hand, turned card and drawn card"
    yield f"decisions  {amounts.decisions} ruled on again: {amounts.reneges} reneges, {amounts.faults} faults"
    yield f"chips      {amounts.chips} paid into pots; every trick, pot and balance counted again"
    yield "results    what every row says of a result agrees with its record, every record with its hash"
    yield f"chain      {verified.chain}"
    if verified.digest:
        yield f"digest     {verified.digest}"
        what = "ratings and standings.json" if manifest.rated_as_now else "chips and counts of standings.json"
        yield f"standings  {what} computed again from the records"
    yield from (f"ratings    {sentence}" for sentence in rated_otherwise(verified))
    if verified.rounds.checked:
        yield f"further    rounds {verified.rounds.checked}: who sat there follows from the results before"
    yield from (f"further    {sentence}" for sentence in undecidable(verified))
    yield from missing_lines(manifest)
    yield from (f"not yet    {sentence}" for sentence in unchecked(verified))
    yield from void_lines(verified.voids)


def missing_lines(manifest: Manifest) -> Iterator[str]:
    """The matches that were left out when bots came or went: nobody can check that they were not finished."""
    for stage in closed_stages(manifest):
        told = "; ".join(_left_out(stage, manifest.terms.seats)) or "nothing was left out"
        yield f"stage {stage.number}    its bots were {', '.join(map(printable, stage.bots))}; {told}"


def closed_stages(manifest: Manifest) -> tuple[Stage, ...]:
    """Those that were over when bots came or went."""
    return manifest.stages[: len(manifest.closed)]


def _left_out(stage: Stage, seats: int) -> Iterator[str]:
    if whole := stage.cut_from(seats):
        yield f"it was over after {stage.places} of the {whole} matches of its schedule"
    if stage.missing:
        yield f"left out, with no playing that counts: {', '.join(map(match_id, sorted(stage.missing)))}"


def unchecked(verified: Verified) -> Iterator[str]:
    """What cannot be checked before the run is finished."""
    if not verified.seed_known:
        yield "that schedule and cards follow from the seed that was committed to: it is secret until the end"
    if not verified.digest:
        yield "digest and standings: they are written when all matches are finished"


def rated_otherwise(verified: Verified) -> Iterator[str]:
    """What is not checked, as the run was rated by another method than today's."""
    manifest, now = verified.manifest, rating_method()
    if manifest.rated_as_now or not (manifest.complete or manifest.added):
        return
    then = manifest.ratings
    named = f"{printable(then.method)}, version {then.version}" if then else "one from before methods had names"
    yield f"not checked: they come from another method ({named}; now: {now.method}, version {now.version})"
    if manifest.complete:
        yield "`bourre standings` shows today's; rank, mu, sigma, score and letters in standings.json may differ"
    if manifest.added:
        yield f"further rounds ({len(manifest.added)}) followed from that method's ratings, and are taken as they are"


def undecidable(verified: Verified) -> Iterator[str]:
    """What cannot be checked at all: the results that further rounds followed from may have been others then."""
    checked, void = verified.rounds.checked, verified.rounds.void
    if void:
        after = f"rounds after round {checked}" if checked else "rounds"
        yield f"{after} are taken as they are: {void} was void, and may have ended otherwise when they were chosen"


def document(verified: Verified) -> str:
    """The same as one JSON document."""
    values = {
        "verified": True,
        "contest": verified.manifest.contest,
        "matches": verified.finished,
        "of": verified.manifest.matches,
        **asdict(verified.amounts),
        "chain": verified.chain,
        "digest": verified.digest,
        "voids": [
            {"match": void.match, "attempt": void.attempt, "by": void.by, "reason": void.reason, "at": void.at}
            for void in verified.voids
        ],
        "left_out": [match_id(number) for number in sorted(verified.manifest.missing)],
        "cut_short": list(_cut_short(verified.manifest)),
        "unchecked": [
            *unchecked(verified),
            *(f"further {sentence}" for sentence in undecidable(verified)),
            *(f"ratings {sentence}" for sentence in rated_otherwise(verified)),
        ],
        "difference": None,
    }
    return json.dumps(values, indent=2)


def _cut_short(manifest: Manifest) -> Iterator[dict[str, int]]:
    """The stages whose schedule was not played to its end, whose last places other matches have now."""
    for stage in closed_stages(manifest):
        if whole := stage.cut_from(manifest.terms.seats):
            yield {"stage": stage.number, "matches": stage.places, "of": whole}


def difference_document(difference: Difference) -> str:
    """The first difference, where it is and what it is, as one JSON document."""
    found = {"match": difference.match, "deal": difference.deal, "text": difference.text}
    return json.dumps({"verified": False, "difference": found}, indent=2)
