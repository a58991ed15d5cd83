"""The addresses of the pages for people."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bourre.record import Record, read
from bourre_referee.web.cached_answers import Answers
from bourre_referee.web.cached_run import CachedRun, RunState
from bourre_referee.web.data.match_page import MatchData, match_data
from bourre_referee.web.page_lookup import (
    DealId,
    Filled,
    MatchId,
    Refused,
    deals_there,
    finished_match,
    matches_found,
    playing,
)
from bourre_referee.web.render import Pages, Viewer
from bourre_referee.web.viewer import SCRIPT, STYLE, deal_section, standalone


class PageRoutes:
    """Answers from the state of one run."""

    def __init__(self, kept: CachedRun, pages: Pages) -> None:
        self._answers = Answers()
        self._kept = kept
        self._pages = pages

    def router(self) -> APIRouter:
        """The addresses, ready to be answered."""
        made = APIRouter(include_in_schema=False)
        made.add_api_route("/", self.home, response_model=None)
        made.add_api_route("/cross", self.cross, response_model=None)
        made.add_api_route("/matches", self.matches, response_model=None)
        made.add_api_route("/matches/{match}", self.match, response_model=None)
        made.add_api_route("/matches/{match}/replay.html", self.replay, response_model=None)
        made.add_api_route("/matches/{match}/deals/{deal}", self.deal, response_model=None)
        return made

    def home(self, request: Request) -> Response:
        """The standings."""
        state = self._kept.current()
        return self._answers.give(request, state.tag, lambda: self._pages.home(state.data, state.tag))

    def cross(self, request: Request) -> Response:
        """The cross-table."""
        state = self._kept.current()
        return self._answers.give(request, state.tag, lambda: self._pages.cross(state.data))

    def matches(self, request: Request, wanted: Annotated[Filled, Query()]) -> Response:
        """A list of matches."""
        state = self._kept.current()
        found = matches_found(state, wanted.choice)
        return self._answers.give(
            request, state.tag, lambda: self._pages.matches(state.data, found), choice=found.choice
        )

    def match(self, request: Request, match: MatchId) -> Response:
        """A match."""
        state = self._kept.current()
        finished_match(state, match)
        return self._answers.give(request, state.tag, lambda: self._pages.match(state.data, self._played(state, match)))

    def deal(self, request: Request, match: MatchId, deal: DealId) -> Response:
        """A deal on a card table."""
        state = self._kept.current()
        finished_match(state, match)
        return self._answers.give(request, state.tag, lambda: self._deal(state, match, *playing(deal)))

    def replay(self, request: Request, match: MatchId) -> Response:
        """A whole match in one file, to be kept: it opens from a disk, without this server."""
        state = self._kept.current()
        finished_match(state, match)
        answer = self._answers.give(request, state.tag, lambda: standalone(self._record(state, match)))
        answer.headers["Content-Disposition"] = f'attachment; filename="{match}.html"'
        return answer

    def _deal(self, state: RunState, match: str, number: int, seating: int | None) -> str:
        record = self._record(state, match)
        section = deal_section(record, number, seating)
        played = self._played(state, match)
        lines = [line for line in played.deals if (line.deal, line.seating) == (number, seating)]
        if section is None or not lines:
            raise Refused(404, f"match {match} has no such deal", deals_there(state))
        viewer = Viewer(section, STYLE.name, SCRIPT.name)
        return self._pages.deal(state.data, played, lines[0], viewer)

    def _record(self, state: RunState, match: str) -> Record:
        return read(self._kept.record(state, match))

    def _played(self, state: RunState, match: str) -> MatchData:
        played = match_data(state.data, match, self._kept.record(state, match))
        assert played is not None, "the match was found before"
        return played
