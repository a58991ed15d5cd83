"""Answer the addresses under `/api`; all are read with GET, and none changes anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from bourre_referee.derived.run_standings import standings_json
from bourre_referee.web.api.api_documents import (
    bot_document,
    bots_document,
    deal_document,
    match_document,
    matches_document,
    run_document,
    void_document,
)
from bourre_referee.web.api.api_models import Voids
from bourre_referee.web.cached_answers import AnswerCache, not_modified, tag_headers
from bourre_referee.web.cached_run import CachedRun, RunState
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
        """How sure the standings are, and how bots play: the document of `bourre stats --json`."""
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
