"""Answers the addresses under `/api`, which are read with GET and change nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from bourre_referee.derived.run_standings import standings_json
from bourre_referee.model.stored import DiscardedMatch, StoredSeat
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.text.amounts import in_chips
from bourre_referee.web.api import api_models as models
from bourre_referee.web.api.api_models import Voids
from bourre_referee.web.cached_answers import AnswerCache, not_modified, tag_headers
from bourre_referee.web.cached_run import CachedRun, RunState
from bourre_referee.web.data.growing_run import MatchSummary
from bourre_referee.web.data.match_page import MatchList
from bourre_referee.web.data.run_page import RunData
from bourre_referee.web.page_links import ALL, MatchChoice
from bourre_referee.web.page_lookup import (
    BotNumber,
    DealId,
    MatchId,
    MatchQuery,
    RefusedRequest,
    check_bot,
    describe_deals,
    find_match,
    find_matches,
    parse_deal_id,
)


def run_document(manifest: Manifest, run: RunData) -> models.ApiRun:
    """Describes the contest, without the organiser's secrets: commands, paths, a secret seed."""
    terms = manifest.terms
    return models.ApiRun(
        contest=manifest.contest,
        format=terms.format,
        seats=terms.seats,
        deals=terms.deals,
        matches=run.total,
        finished=run.finished,
        complete=run.complete,
        digest=manifest.digest,
        seed=models.ApiSeed(
            note=manifest.seed.note, commitment=manifest.seed.commitment, revealed=manifest.seed.revealed
        ),
        rules=asdict(terms.rules),
        clock=asdict(terms.clock),
        versions=manifest.versions.model_dump(exclude_none=True),
    )


def bots_document(manifest: Manifest, run: RunData) -> models.Bots:
    """Describes all bots."""
    now = {*manifest.bots_now}
    return models.Bots(
        bots=[models.ApiBotName(number=number, name=bot, present=bot in now) for bot, number in run.numbers.items()]
    )


def bot_document(manifest: Manifest, run: RunData, number: int) -> models.ApiBot:
    """Describes the bot with this number, which must exist."""
    name = run.bots[number - 1]
    standing = next(row for row in run.standings.rows if row.bot == name)
    seats = [seat for match in run.matches for seat in match.seats if seat.bot == name]
    return models.ApiBot(
        number=number,
        name=name,
        present=name in manifest.bots_now,
        standing=models.ApiStanding.model_validate(asdict(standing)),
        matches=len(seats),
        faults_by_kind=_sum_by_kind(pair for seat in seats for pair in seat.faults_by_kind),
    )


def match_document(match: MatchSummary, run: RunData) -> models.ApiMatch:
    """Describes one match."""
    return models.ApiMatch(
        match=match.match,
        deals=run.deals,
        attempt=match.attempt,
        isolation=match.isolation,
        sha256=match.sha256,
        seats=[_seat(seat, match.unit, run) for seat in match.seats],
        voids=[void_document(void) for void in match.voids],
    )


def matches_document(found: MatchList, run: RunData) -> models.Matches:
    """Describes a page of a list of matches."""
    return models.Matches(
        page=found.choice.page,
        pages=found.pages,
        total=found.found,
        matches=[match_document(line, run) for line in found.lines],
    )


def void_document(void: DiscardedMatch) -> models.Void:
    """Describes a discarded match, without its record, whose cards may be played again."""
    return models.Void(
        match=void.match, attempt=void.attempt, by=void.by, reason=void.reason, at=void.at, revealed=void.revealed
    )


def deal_document(record: str, deal: int, seating: int | None) -> models.ApiDeal | None:
    """Returns this deal with its line of the record. None if there is no such deal."""
    header, *lines = map(json.loads, record.splitlines())
    for line in lines[:-1]:
        if line["deal"] == deal and line.get("seating") == seating:
            return models.ApiDeal(match=header["match"], deal=deal, seating=seating, bots=header["bots"], record=line)
    return None


def _seat(seat: StoredSeat, unit: int, run: RunData) -> models.ApiSeat:
    return models.ApiSeat(
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


JSON = "application/json"
LINES = "application/x-ndjson"


class Api:
    """Answers with documents made from the state of one run."""

    def __init__(self, cached: CachedRun) -> None:
        self._answers = AnswerCache()
        self._cached = cached

    def run(self, request: Request) -> Response:
        """The contest and its progress."""
        state = self._cached.current()
        return self._give(request, state, lambda: run_document(state.run.manifest, state.data))

    def standings(self, request: Request) -> Response:
        """The standings: the document of `bourre standings --json`."""
        state = self._cached.current()
        return self._give(
            request,
            state,
            lambda: standings_json(state.run.manifest, state.data.standings, state.data.voids, state.data.no_shows),
        )

    def stats(self, request: Request) -> Response:
        """The certainty of the standings and the style of bots: the document of `bourre stats --json`."""
        document = self._cached.analysis()
        if document is None:
            raise RefusedRequest(503, "the statistics are still being computed", "reload the page in a minute")
        return self._answers.respond(request, document.tag, lambda: document.text, JSON)

    def bots(self, request: Request) -> Response:
        """All bots that ever played, with their numbers."""
        state = self._cached.current()
        return self._give(request, state, lambda: bots_document(state.run.manifest, state.data))

    def bot(self, request: Request, number: BotNumber) -> Response:
        """A bot and its results."""
        state = self._cached.current()
        check_bot(state, number)
        return self._give(request, state, lambda: bot_document(state.run.manifest, state.data, number))

    def matches(self, request: Request, query: Annotated[MatchQuery, Query()]) -> Response:
        """The finished matches in schedule order, a page at a time."""
        state = self._cached.current()
        found = find_matches(state, query.choice)
        return self._give(request, state, lambda: matches_document(found, state.data), found.choice)

    def match(self, request: Request, match: MatchId) -> Response:
        """A finished match."""
        state = self._cached.current()
        line = find_match(state, match)
        return self._give(request, state, lambda: match_document(line, state.data))

    def deal(self, request: Request, match: MatchId, deal: DealId) -> Response:
        """One deal of a finished match, as in its record."""
        state = self._cached.current()
        record = self._cached.record(state, find_match(state, match).match)
        found = deal_document(record, *parse_deal_id(deal))
        if found is None:
            raise RefusedRequest(404, f"match {match} has no deal {deal}", describe_deals(state))
        return self._give(request, state, lambda: found)

    def record(self, request: Request, match: MatchId) -> Response:
        """The record of a finished match as JSON lines."""
        state = self._cached.current()
        record = self._cached.record(state, find_match(state, match).match)
        named = {"Content-Disposition": f'attachment; filename="{match}.jsonl"'}
        return not_modified(request, state.tag) or Response(record, 200, {**tag_headers(state.tag), **named}, LINES)

    def voids(self, request: Request) -> Response:
        """The discarded matches, without their records, whose cards may be played again."""
        state = self._cached.current()
        return self._give(request, state, lambda: Voids(voids=[void_document(void) for void in state.data.voids]))

    def _give(
        self, request: Request, state: RunState, document: Callable[[], BaseModel | str], choice: MatchChoice = ALL
    ) -> Response:
        return self._answers.respond(request, state.tag, lambda: _text(document()), JSON, choice)


def _text(document: BaseModel | str) -> str:
    return document if isinstance(document, str) else document.model_dump_json(by_alias=True)
