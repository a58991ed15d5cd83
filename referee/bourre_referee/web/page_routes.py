"""Routes of the pages, except those of bots."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bourre.record import Record, read
from bourre_referee.web.cached_answers import AnswerCache
from bourre_referee.web.cached_counts import CachedCounts
from bourre_referee.web.cached_moments import CachedMoments
from bourre_referee.web.cached_run import CachedRun, RunState
from bourre_referee.web.data.conduct_page import conduct_data
from bourre_referee.web.data.match_page import MatchData
from bourre_referee.web.page_lookup import (
    DealId,
    MatchForm,
    MatchId,
    RefusedRequest,
    VersusForm,
    check_whole,
    describe_deals,
    find_deals,
    find_match,
    find_matches,
    find_two,
    parse_deal_id,
)
from bourre_referee.web.render import Pages
from bourre_referee.web.viewer import render_deal, render_onlooker, render_standalone


class PageRoutes:
    """Answers with pages made from the state of one run."""

    def __init__(self, cached: CachedRun, pages: Pages, counts: CachedCounts, moments: CachedMoments) -> None:
        self._answers = AnswerCache()
        self._cached = cached
        self._pages = pages
        self._counts = counts
        self._moments = moments

    def router(self) -> APIRouter:
        """Return a router for these addresses."""
        router = APIRouter(include_in_schema=False)
        router.add_api_route("/", self.home, response_model=None)
        router.add_api_route("/cross", self.cross, response_model=None)
        router.add_api_route("/versus", self.versus, response_model=None)
        router.add_api_route("/wall", self.wall, response_model=None)
        router.add_api_route("/conduct", self.conduct, response_model=None)
        router.add_api_route("/checked", self.checked, response_model=None)
        router.add_api_route("/matches", self.matches, response_model=None)
        router.add_api_route("/matches/{match}", self.match, response_model=None)
        router.add_api_route("/matches/{match}/replay.html", self.replay, response_model=None)
        router.add_api_route("/matches/{match}/deals/{deal}", self.deal, response_model=None)
        router.add_api_route("/matches/{match}/deals/{deal}/onlooker", self.onlooker, response_model=None)
        return router

    def home(self, request: Request) -> Response:
        """Show the standings."""
        state = self._cached.current()
        event = self._moments.event(state)
        return self._answers.respond(request, event.tag, lambda: self._pages.home(state.data, event.data, event.tag))

    def cross(self, request: Request) -> Response:
        """Show the cross-table."""
        state = self._cached.current()
        return self._answers.respond(request, state.tag, lambda: self._pages.cross(state.data))

    def versus(self, request: Request, query: Annotated[VersusForm, Query()]) -> Response:
        """Show two bots, or the choice of them."""
        state = self._cached.current()
        check_whole(state)
        found = find_two(state, query)
        if found is None:
            return self._answers.respond(request, state.tag, lambda: self._pages.versus(state.data, None))
        tag = f"{state.tag}-{query.one}-{query.other}"
        return self._answers.respond(request, tag, lambda: self._pages.versus(state.data, found))

    def wall(self, request: Request) -> Response:
        """Show the contest as on a wall."""
        state = self._cached.current()
        event = self._moments.event(state)
        return self._answers.respond(request, event.tag, lambda: self._pages.wall(state.data, event.data, event.tag))

    def conduct(self, request: Request) -> Response:
        """Show how bots follow the rules, and what they say they used."""
        state = self._cached.current()
        check_whole(state)
        following = self._counts.rules(state.run, state.data)
        tag = state.tag if following is not None else f"{state.tag}-counting"
        return self._answers.respond(
            request, tag, lambda: self._pages.conduct(state.data, conduct_data(state.run, state.data, following))
        )

    def checked(self, request: Request) -> Response:
        """Have the run checked as `bourre verify` does, and show what was checked."""
        state, check = self._cached.current(), self._cached.check()
        tag = f"{state.tag}-{check.tag if check else 'checking'}"
        return self._answers.respond(request, tag, lambda: self._pages.checked(state.data, check.text if check else ""))

    def matches(self, request: Request, query: Annotated[MatchForm, Query()]) -> Response:
        """Show a list of matches."""
        state = self._cached.current()
        found = find_matches(state, query.choice)
        return self._answers.respond(
            request, state.tag, lambda: self._pages.matches(state.data, found), choice=found.choice
        )

    def match(self, request: Request, match: MatchId) -> Response:
        """Show a match."""
        state = self._cached.current()
        find_match(state, match)
        return self._answers.respond(
            request, state.tag, lambda: self._pages.match(state.data, self._match_data(state, match))
        )

    def deal(self, request: Request, match: MatchId, deal: DealId) -> Response:
        """Show a deal on a card table."""
        state = self._cached.current()
        find_match(state, match)
        return self._answers.respond(request, state.tag, lambda: self._deal(state, match, *parse_deal_id(deal)))

    def onlooker(self, request: Request, match: MatchId, deal: DealId) -> Response:
        """Show a deal as an onlooker at the table saw it, which even a secret seed allows."""
        state = self._cached.current()
        find_match(state, match)
        return self._answers.respond(request, state.tag, lambda: self._onlooker(state, match, *parse_deal_id(deal)))

    def replay(self, request: Request, match: MatchId) -> Response:
        """Send a whole match as one file, which needs no server."""
        state = self._cached.current()
        find_match(state, match)
        answer = self._answers.respond(request, state.tag, lambda: self._standalone(state, match))
        answer.headers["Content-Disposition"] = f'attachment; filename="{match}.html"'
        return answer

    def _deal(self, state: RunState, match: str, number: int, seating: int | None) -> str:
        record = self._record(state, match)
        section = render_deal(record, number, seating, self._cached.published_remarks(state, match))
        played = self._match_data(state, match)
        lines = [line for line in played.deals if (line.deal, line.seating) == (number, seating)]
        if section is None or not lines:
            raise RefusedRequest(404, f"match {match} has no such deal", describe_deals(state))
        return self._pages.deal(state.data, played, lines[0], section)

    def _onlooker(self, state: RunState, match: str, number: int, seating: int | None) -> str:
        text = self._cached.whole_record(state, match)
        section = render_onlooker(read(text), number, seating)
        played = find_deals(state, match, text)
        if section is None:
            raise RefusedRequest(404, f"match {match} has no such deal", describe_deals(state))
        line = next(line for line in played.deals if (line.deal, line.seating) == (number, seating))
        return self._pages.onlooker(state.data, played, line, section, self._cached.cards_wait(state))

    def _standalone(self, state: RunState, match: str) -> str:
        return render_standalone(self._record(state, match), None, self._cached.published_remarks(state, match))

    def _record(self, state: RunState, match: str) -> Record:
        return read(self._cached.record(state, match))

    def _match_data(self, state: RunState, match: str) -> MatchData:
        return find_deals(state, match, self._cached.record(state, match))
