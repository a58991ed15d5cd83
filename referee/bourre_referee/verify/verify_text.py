"""Writes the result of a verification, as text and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import NamedTuple

from bourre_referee.contest.stages import Stage, match_id
from bourre_referee.storage.run.manifest import Manifest, rating_method
from bourre_referee.storage.run.void_match import void_lines
from bourre_referee.text.names import printable
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.rating_claim import claims_in_words
from bourre_referee.verify.verify import VerifiedRun


class Unchecked(NamedTuple):
    """A check that was not done."""

    what: str
    why: str


def unchecked(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields every check of a complete run that is not possible for this one."""
    if not verified.seed_known:
        yield Unchecked("schedule and cards", "they follow from the committed seed, which is secret until the end")
    if not verified.digest:
        yield Unchecked("standings", "digest and standings are written when all matches are finished")
    if not verified.log.terms:
        yield Unchecked("terms", "an older version began the run, without a commitment to its terms")
    if verified.manifest.terms.archive and not verified.archived:
        yield Unchecked("archive", "the run kept the bots' files, but they are not here")
    yield from _unchecked_ratings(verified)
    yield from _unchecked_rounds(verified)


def line_ups_of_epoch(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields the line-ups in the run folder of a ladder's epoch that was checked alone."""
    if verified.manifest.is_epoch:
        yield Unchecked("line-ups", "they follow from the ladder's log (bourre ladder verify checks both)")


def _unchecked_ratings(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields the figures that an older rating method decided."""
    manifest = verified.manifest
    if manifest.rated_as_now:
        return
    then, now = manifest.ratings, rating_method(manifest.anchors)
    method = f"version {then.version}" if then else "from before methods had names"
    if verified.rated_again:
        yield Unchecked("ratings", f"an older method computed them ({method}), not the current one ({now.version})")
    if rounds := 0 if manifest.is_epoch else len(manifest.added):
        yield Unchecked("adaptive rounds", f"the ratings of an older method ({method}) decided all {rounds}")


def _unchecked_rounds(verified: VerifiedRun) -> Iterator[Unchecked]:
    """Yields the rounds whose earlier results may have changed."""
    number, void = verified.rounds.number, verified.rounds.void
    if void:
        after = f"those after round {number}" if number else "all of them"
        why = f"{after}: {printable(void)} was voided and may have had another result before"
        yield Unchecked("adaptive rounds", why)


def lines(verified: VerifiedRun) -> Iterator[str]:
    """Yields a line for each check, done or not possible. The last line is the verdict."""
    left_out = (*unchecked(verified), *line_ups_of_epoch(verified))
    yield from run_lines(verified, left_out)
    yield verdict("the run", left_out)


def run_lines(verified: VerifiedRun, left_out: Sequence[Unchecked]) -> Iterator[str]:
    """Yields these lines without the last. `left_out` are the checks that were not possible."""
    manifest, amounts = verified.manifest, verified.amounts
    how = "checked" if left_out else "verified, no difference"
    yield f"{printable(manifest.contest)}: {verified.finished} of {manifest.matches} matches {how}"
    if verified.seed_known:
        yield f"seed       {manifest.seed.note}, with the committed SHA-256 {manifest.seed.commitment}"
        yield f"schedule   {_schedule_in_words(manifest)}"
    yield f"cards      {amounts.deals} deals dealt again: every hand, turned card and drawn card"
    yield f"decisions  {amounts.decisions} ruled on again: {amounts.reneges} reneges, {amounts.faults} faults"
    yield f"chips      {amounts.chips} paid into pots, and every trick, pot and balance counted again"
    yield "results    every result agrees with its record, every record with its hash"
    yield f"terms      {terms_in_words(verified)}"
    if manifest.terms.archive:
        yield f"archive    {_archive_in_words(verified)}"
    yield f"chain      {verified.chain}"
    if verified.digest:
        yield f"digest     {verified.digest}"
        what = "chips and counts" if verified.rated_again else "ratings and all other figures"
        yield f"standings  {what} of standings.json computed again from the records"
    yield from (f"ratings    {line}" for line in claims_in_words(verified.rated_again))
    if verified.rounds.number:
        yield f"adaptive   rounds {verified.rounds.number}: their line-ups follow from the results before them"
    yield from missing_lines(manifest)
    yield from void_lines(verified.voids)
    yield from (f"unchecked  {each.what}: {each.why}" for each in left_out)


def verdict(what: str, left_out: Sequence[Unchecked]) -> str:
    """Returns the last line, which claims only the checks that were done."""
    if not left_out:
        return f"verified   all of {what}: no difference"
    names = ", ".join(dict.fromkeys(each.what for each in left_out))
    return f"verified   {what} without {names}: no difference in the rest"


def _schedule_in_words(manifest: Manifest) -> str:
    if manifest.is_epoch:
        return "every match's seed follows from the run's seed"
    return "line-ups, seats and every match's seed follow from the run's seed"


def terms_in_words(verified: VerifiedRun) -> str:
    """Describes the run's commitment to its terms before the first card, and the events in its log."""
    manifest, terms = verified.manifest, verified.log.terms
    if not terms:
        return "an older version began the run, without a commitment to its terms"
    events = Counter(entry.event for entry in manifest.log)
    told = ", ".join(f"{event} {times} times" if times > 1 else event for event, times in events.items())
    return f"the run committed to them before the first card: {terms[0]} (log: {told}, head {manifest.log_head})"


def _archive_in_words(verified: VerifiedRun) -> str:
    if not verified.archived:
        return "the run kept the bots' files, but they are not here"
    return f"{len(verified.manifest.bot_files)} files of the bots have the hashes in the terms"


def missing_lines(manifest: Manifest) -> Iterator[str]:
    """Yields the matches left out when bots joined or left, or given up. No check shows that they were unfinished."""
    for stage in closed_stages(manifest):
        left_out = ", ".join(_left_out(stage, manifest.terms.seats)) or "nothing was left out"
        yield f"stage {stage.number}    its bots were {', '.join(map(printable, stage.bots))} ({left_out})"
    if manifest.given_up:
        yield f"given up   {', '.join(map(match_id, sorted(manifest.given_up)))}: no result that counts"


def closed_stages(manifest: Manifest) -> tuple[Stage, ...]:
    """Returns the stages that had ended when bots joined or left."""
    return manifest.stages[: len(manifest.closed)]


def _left_out(stage: Stage, seats: int) -> Iterator[str]:
    if whole := stage.size_before_cut(seats):
        yield f"it ended after {stage.places} of the {whole} matches of its schedule"
    if stage.missing:
        yield f"left out, without a result that counts: {', '.join(map(match_id, sorted(stage.missing)))}"


def document(verified: VerifiedRun) -> str:
    """Writes the same as a JSON document."""
    left_out = (*unchecked(verified), *line_ups_of_epoch(verified))
    return json.dumps(values_of(verified, left_out), indent=2)


def values_of(verified: VerifiedRun, left_out: Sequence[Unchecked]) -> dict[str, object]:
    """Returns the values of that document."""
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
        "unchecked": [f"{each.what}: {each.why}" for each in left_out],
        "rated_again": [
            {"bot": each.bot, "claimed": each.claimed.model_dump(), "today": each.today.model_dump()}
            for each in verified.rated_again
        ],
        "difference": None,
    }


def _cut_short(manifest: Manifest) -> Iterator[dict[str, int]]:
    """Yields the stages whose schedule ended early, so that later matches have its last numbers."""
    for stage in closed_stages(manifest):
        if whole := stage.size_before_cut(manifest.terms.seats):
            yield {"stage": stage.number, "matches": stage.places, "of": whole}


def difference_document(difference: Difference) -> str:
    """Writes the first difference, with its match and deal, as a JSON document."""
    found = {"match": difference.match, "deal": difference.deal, "text": difference.text}
    return json.dumps({"verified": False, "difference": found}, indent=2)
