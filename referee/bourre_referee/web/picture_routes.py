"""Routes of the pictures that links show in a message: each is drawn once, one at a time, and few in a minute."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock
from time import monotonic

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bourre.record import read
from bourre_referee.text.narration.events_by_deal import deal_of
from bourre_referee.web.app_shell import page_router
from bourre_referee.web.cached_answers import AnswerCache
from bourre_referee.web.cached_run import CachedRun, RunState
from bourre_referee.web.link_pictures import draw_contest, draw_deal, draw_match
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.page_lookup import (
    DealId,
    MatchId,
    RefusedRequest,
    describe_deals,
    find_match,
    find_story,
    parse_deal_id,
)
from bourre_referee.web.record_sums import CachedMoments

PNG = "image/png"
MOST_DRAWN = 30
"""The most pictures of matches and deals that are drawn in a minute. The picture of the contest stands for others."""
MINUTE_S = 60.0


class TooManyPictures(Exception):
    """More pictures were asked for than are drawn in a minute."""


class PictureRoutes:
    """Answers with pictures made from the state of one run."""

    def __init__(
        self, cached: CachedRun, moments: CachedMoments, links: ServerLinks, clock: Callable[[], float] = monotonic
    ) -> None:
        self._answers = AnswerCache()
        self._cached = cached
        self._moments = moments
        self._links = links
        self._clock = clock
        self._drawing = Lock()
        self._drawn: deque[float] = deque(maxlen=MOST_DRAWN)

    def router(self) -> APIRouter:
        """Returns a router for these addresses."""
        return page_router(
            {
                "/share.png": self.contest,
                "/matches/{match}/share.png": self.match,
                "/matches/{match}/deals/{deal}/share.png": self.deal,
            }
        )

    def contest(self, request: Request) -> Response:
        """Sends the picture for links to the contest."""
        state = self._cached.current()
        event = self._moments.event(state)

        def draw() -> bytes:
            with self._drawing:
                return draw_contest(state.data, event.data)

        return self._answers.respond(request, event.tag, draw, PNG)

    def match(self, request: Request, match: MatchId) -> Response:
        """Sends the picture for links to a match."""
        return self._draw(request, match, lambda state: self._match(state, match))

    def deal(self, request: Request, match: MatchId, deal: DealId) -> Response:
        """Sends the picture for links to a deal."""
        return self._draw(request, match, lambda state: self._deal(state, match, deal))

    def _draw(self, request: Request, match: str, draw: Callable[[RunState], bytes]) -> Response:
        state = self._cached.current()
        find_match(state, match)

        def draw_next() -> bytes:
            with self._drawing:
                self._count()
                return draw(state)

        try:
            return self._answers.respond(request, state.tag, draw_next, PNG)
        except TooManyPictures:
            return RedirectResponse(f"{self._links.prefix}/share.png", 307, {"Cache-Control": "no-store"})

    def _count(self) -> None:
        """Counts one picture. Raises TooManyPictures if there were enough in the last minute."""
        now = self._clock()
        if len(self._drawn) == MOST_DRAWN and now - self._drawn[0] < MINUTE_S:
            raise TooManyPictures
        self._drawn.append(now)

    def _match(self, state: RunState, match: str) -> bytes:
        text = self._cached.whole_record(state, match)
        return draw_match(state.data, *find_story(state, match, text, read(text)))

    def _deal(self, state: RunState, match: str, deal: str) -> bytes:
        played = deal_of(read(self._cached.whole_record(state, match)), *parse_deal_id(deal))
        if played is None:
            raise RefusedRequest(404, f"match {match} has no such deal", describe_deals(state))
        return draw_deal(state.data, match, played)
