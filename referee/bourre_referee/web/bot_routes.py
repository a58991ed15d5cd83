"""Routes of the bots' pages."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request
from starlette.responses import Response

from bourre_referee.statistics.play_style import Style
from bourre_referee.web.cached_answers import AnswerCache
from bourre_referee.web.cached_counts import CachedCounts
from bourre_referee.web.cached_run import CachedRun, RunState
from bourre_referee.web.data.bot_page import bot_data
from bourre_referee.web.page_lookup import BotNumber, check_bot
from bourre_referee.web.render import Pages


class BotRoutes:
    """Answers with the pages of bots; they lead their owners to the logs if these are shown."""

    def __init__(self, cached: CachedRun, pages: Pages, counts: CachedCounts, *, logs: bool) -> None:
        self._cached = cached
        self._pages = pages
        self._counts = counts
        self._logs = logs
        self._answers = AnswerCache()

    def router(self) -> APIRouter:
        """Return a router for these addresses."""
        router = APIRouter(include_in_schema=False)
        router.add_api_route("/bots/{number}", self.bot, response_model=None)
        return router

    def bot(self, request: Request, number: BotNumber) -> Response:
        """Show a bot."""
        state = self._cached.current()
        check_bot(state, number)
        styles = None if self._cached.cards_wait(state) else self._counts.styles(state.run, state.data)
        tag = state.tag if styles else f"{state.tag}-counting"
        return self._answers.respond(request, tag, lambda: self._page(state, number, styles))

    def _page(self, state: RunState, number: int, styles: Sequence[Style] | None) -> str:
        bot = bot_data(state.data, number, styles)
        assert bot is not None, "check_bot accepted the number"
        return self._pages.bot(state.data, bot, logs=self._logs, cards_wait=self._cached.cards_wait(state))
