"""Make the documents of the API from the state of a run, independently of HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from bourre_referee.model.stored import DiscardedMatch, StoredSeat
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.text.amounts import in_chips
from bourre_referee.web.api import api_models as models
from bourre_referee.web.data.growing_run import MatchLine
from bourre_referee.web.data.match_page import MatchList
from bourre_referee.web.data.run_page import RunData


def run_document(manifest: Manifest, run: RunData) -> models.Run:
    """Describe the contest, without what only its organiser knows: commands, paths, a secret seed."""
    terms = manifest.terms
    return models.Run(
        contest=manifest.contest,
        format=terms.format,
        seats=terms.seats,
        deals=terms.deals,
        matches=run.total,
        finished=run.finished,
        complete=run.complete,
        digest=manifest.digest,
        seed=models.Seed(note=manifest.seed.note, commitment=manifest.seed.commitment, revealed=manifest.seed.revealed),
        rules=asdict(terms.rules),
        clock=asdict(terms.clock),
        versions=manifest.versions.model_dump(exclude_none=True),
    )


def bots_document(manifest: Manifest, run: RunData) -> models.Bots:
    """Describe all bots."""
    now = {*manifest.bots_now}
    return models.Bots(
        bots=[models.BotName(number=number, name=bot, present=bot in now) for bot, number in run.numbers.items()]
    )


def bot_document(manifest: Manifest, run: RunData, number: int) -> models.Bot:
    """Describe the bot with this number, which must exist."""
    name = run.bots[number - 1]
    standing = next(row for row in run.standings.rows if row.bot == name)
    seats = [seat for match in run.matches for seat in match.seats if seat.bot == name]
    return models.Bot(
        number=number,
        name=name,
        present=name in manifest.bots_now,
        standing=models.Standing.model_validate(asdict(standing)),
        matches=len(seats),
        faults_by_kind=_sum_by_kind(pair for seat in seats for pair in seat.faults_by_kind),
    )


def match_document(match: MatchLine, run: RunData) -> models.Match:
    """Describe one match."""
    return models.Match(
        match=match.match,
        deals=run.deals,
        attempt=match.attempt,
        isolation=match.isolation,
        sha256=match.sha256,
        seats=[_seat(seat, match.unit, run) for seat in match.seats],
        voids=[void_document(void) for void in match.voids],
    )


def matches_document(found: MatchList, run: RunData) -> models.Matches:
    """Describe a page of a list of matches."""
    return models.Matches(
        page=found.choice.page,
        pages=found.pages,
        total=found.found,
        matches=[match_document(line, run) for line in found.lines],
    )


def void_document(void: DiscardedMatch) -> models.Void:
    """Describe a discarded match, without its record, whose cards may be played again."""
    return models.Void(
        match=void.match, attempt=void.attempt, by=void.by, reason=void.reason, at=void.at, revealed=void.revealed
    )


def deal_document(record: str, deal: int, seating: int | None) -> models.Deal | None:
    """Return this deal with its line of the record; None if there is no such deal."""
    header, *lines = map(json.loads, record.splitlines())
    for line in lines[:-1]:
        if line["deal"] == deal and line.get("seating") == seating:
            return models.Deal(match=header["match"], deal=deal, seating=seating, bots=header["bots"], record=line)
    return None


def _seat(seat: StoredSeat, unit: int, run: RunData) -> models.Seat:
    return models.Seat(
        bot=seat.bot,
        number=run.numbers[seat.bot],
        rank=seat.rank,
        chips=in_chips(seat.chips, unit),
        wins=seat.wins,
        bourres=seat.bourres,
        reneges=seat.reneges,
        faults=seat.faults,
        house_deals=seat.house_deals,
        reneges_by_rule=dict(seat.reneges_by_rule),
        faults_by_kind=dict(seat.faults_by_kind),
    )


def _sum_by_kind(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for kind, times in pairs:
        total[kind] = total.get(kind, 0) + times
    return dict(sorted(total.items()))
