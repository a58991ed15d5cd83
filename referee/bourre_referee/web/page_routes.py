"""Routes of the pages of one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bourre.record import Record, read
from bourre_referee.derived.model_groups import model_groups
from bourre_referee.web.app_shell import page_router
from bourre_referee.web.cached_answers import AnswerCache
from bourre_referee.web.cached_bot_deals import CachedBotDeals
from bourre_referee.web.cached_run import CachedRun, RunState
from bourre_referee.web.data.bot_pages import BotData, bot_data, conduct_data
from bourre_referee.web.data.match_page import DealLine, MatchData
from bourre_referee.web.data.models_page import models_data
from bourre_referee.web.data.moments import Moment
from bourre_referee.web.page_lookup import (
    BotNumber,
    DealId,
    MatchForm,
    MatchId,
    RefusedRequest,
    VersusForm,
    check_bot,
    check_whole,
    describe_deals,
    find_deals,
    find_match,
    find_matches,
    find_story,
    find_two,
    parse_deal_id,
)
from bourre_referee.web.record_sums import CachedCounts, CachedMoments
from bourre_referee.web.render import Pages
from bourre_referee.web.viewer import (
    DealView,
    DearestMove,
    dearest_move,
    render_deal,
    render_onlooker,
    render_standalone,
    single_file_policy,
)

MOST_WEIGHED = 3
"""The most deals of a match whose decisions the champion judges for its page."""


class PageRoutes:
    """Answers with pages made from the state of one run. The pages of bots lead their owners to the logs, if shown."""

    def __init__(
        self,
        cached: CachedRun,
        pages: Pages,
        counts: CachedCounts,
        moments: CachedMoments,
        deals: CachedBotDeals,
        *,
        logs: bool,
    ) -> None:
        self._answers = AnswerCache()
        self._cached = cached
        self._pages = pages
        self._counts = counts
        self._moments = moments
        self._deals = deals
        self._logs = logs

    def router(self) -> APIRouter:
        """Returns a router for these addresses."""
        return page_router(
            {
                "/": self.home,
                "/cross": self.cross,
                "/versus": self.versus,
                "/wall": self.wall,
                "/figures": self.figures,
                "/conduct": self.conduct,
                "/models": self.models,
                "/checked": self.checked,
                "/bots/{number}": self.bot,
                "/matches": self.matches,
                "/matches/{match}": self.match,
                "/matches/{match}/replay.html": self.replay,
                "/matches/{match}/deals/{deal}": self.deal,
                "/matches/{match}/deals/{deal}/onlooker": self.onlooker,
            }
        )

    def home(self, request: Request) -> Response:
        """Shows the standings."""
        return self._show_event(request, "home.html")

    def wall(self, request: Request) -> Response:
        """Shows the contest for a projector."""
        return self._show_event(request, "wall.html")

    def figures(self, request: Request) -> Response:
        """Shows all figures of the standings, the chart and the moments."""
        return self._show_event(request, "figures.html")

    def _show_event(self, request: Request, template: str) -> Response:
        state = self._cached.current()
        event = self._moments.event(state)
        return self._answers.respond(
            request, event.tag, lambda: self._pages.event(template, state.data, event.data, event.tag)
        )

    def cross(self, request: Request) -> Response:
        """Shows the cross-table."""
        state = self._cached.current()
        return self._answers.respond(request, state.tag, lambda: self._pages.cross(state.data))

    def versus(self, request: Request, query: Annotated[VersusForm, Query()]) -> Response:
        """Shows two bots, or the choice of them."""
        state = self._cached.current()
        check_whole(state)
        found = find_two(state, query)
        tag = f"{state.tag}-{query.one}-{query.other}" if found else state.tag
        return self._show(request, tag, "versus.html", state, versus=found)

    def bot(self, request: Request, number: BotNumber) -> Response:
        """Shows a bot."""
        state = self._cached.current()
        check_bot(state, number)
        styles = None if self._cached.cards_wait(state) else self._counts.styles(state.run, state.data)
        deals = self._deals.deals(state)
        tag = state.tag if styles and deals else f"{state.tag}-counting-{deals is None}"
        return self._answers.respond(
            request, tag, lambda: self._bot(state, bot_data(state.data, number, styles, deals))
        )

    def _bot(self, state: RunState, bot: BotData | None) -> str:
        secret, cards_wait = not state.run.shows_remarks, self._cached.cards_wait(state)
        return self._pages.bot(state.data, bot, logs=self._logs, cards_wait=cards_wait, secret=secret)

    def conduct(self, request: Request) -> Response:
        """Shows the bots' rule following and reported usage."""
        state = self._cached.current()
        check_whole(state)
        following = self._counts.rules(state.run, state.data)
        tag = state.tag if following is not None else f"{state.tag}-counting"
        return self._answers.respond(
            request,
            tag,
            lambda: self._pages.render(
                "conduct.html", state.data, conduct=conduct_data(state.run, state.data, following)
            ),
        )

    def models(self, request: Request) -> Response:
        """Shows the board of models."""
        state = self._cached.current()
        check_whole(state)
        following = self._counts.pooled_rules(state.run, state.data, model_groups(state.run))
        tag = state.tag if following is not None else f"{state.tag}-counting"
        return self._answers.respond(
            request,
            tag,
            lambda: self._pages.render("models.html", state.data, models=models_data(state.run, state.data, following)),
        )

    def checked(self, request: Request) -> Response:
        """Starts a check as by `bourre verify`, and shows its output."""
        state, check = self._cached.current(), self._cached.check()
        tag = f"{state.tag}-{check.tag if check else 'checking'}"
        return self._show(request, tag, "checked.html", state, found=check.text if check else "")

    def matches(self, request: Request, query: Annotated[MatchForm, Query()]) -> Response:
        """Shows a list of matches."""
        state = self._cached.current()
        found = find_matches(state, query.choice)
        return self._answers.respond(
            request,
            state.tag,
            lambda: self._pages.render("matches.html", state.data, found=found),
            choice=found.choice,
        )

    def match(self, request: Request, match: MatchId) -> Response:
        """Shows a match, while its cards wait as an onlooker saw it."""
        return self._show_match(request, match, lambda state: self._match(state, match))

    def deal(self, request: Request, match: MatchId, deal: DealId) -> Response:
        """Shows a deal on a card table."""
        return self._show_match(request, match, lambda state: self._deal(state, match, deal))

    def onlooker(self, request: Request, match: MatchId, deal: DealId) -> Response:
        """Shows a deal as an onlooker at the table saw it, which even a secret seed allows."""
        return self._show_match(request, match, lambda state: self._onlooker(state, match, deal))

    def replay(self, request: Request, match: MatchId) -> Response:
        """Shows a whole match in one file, which needs no server once it is saved."""
        answer = self._show_match(request, match, lambda state: self._standalone(state, match))
        answer.headers["Content-Disposition"] = f'inline; filename="{match}.html"'
        answer.headers["Content-Security-Policy"] = f"{single_file_policy()}; frame-ancestors 'none'"
        return answer

    def _show(self, request: Request, tag: str, template: str, state: RunState, **values: object) -> Response:
        return self._answers.respond(request, tag, lambda: self._pages.render(template, state.data, **values))

    def _show_match(self, request: Request, match: str, page: Callable[[RunState], str]) -> Response:
        state = self._cached.current()
        find_match(state, match)
        return self._answers.respond(request, state.tag, lambda: page(state))

    def _match(self, state: RunState, match: str) -> str:
        text = self._cached.whole_record(state, match)
        record = read(text)
        played, told = find_story(state, match, text, record)
        secret = not state.run.shows_remarks
        return self._pages.render(
            "match.html",
            state.data,
            match=played,
            told=told,
            dearest=None if secret else _dearest(record, told.moments),
            secret=secret,
            cards_wait=self._cached.cards_wait(state),
        )

    def _deal(self, state: RunState, match: str, deal: str) -> str:
        text = self._cached.record(state, match)
        remarks = self._cached.published_remarks(state, match)
        view = render_deal(read(text), *parse_deal_id(deal), remarks)
        played = find_deals(state, match, text)
        return self._pages.render(
            "deal.html", state.data, match=played, deal=_deal_line(state, played, deal, view), view=view
        )

    def _onlooker(self, state: RunState, match: str, deal: str) -> str:
        text = self._cached.whole_record(state, match)
        view = render_onlooker(read(text), *parse_deal_id(deal))
        played = find_deals(state, match, text)
        return self._pages.render(
            "onlooker.html",
            state.data,
            match=played,
            deal=_deal_line(state, played, deal, view),
            view=view,
            cards_wait=self._cached.cards_wait(state),
        )

    def _standalone(self, state: RunState, match: str) -> str:
        record = read(self._cached.record(state, match))
        return render_standalone(record, None, self._cached.published_remarks(state, match))


def _dearest(record: Record, told: Sequence[Moment]) -> DearestMove | None:
    """Returns the costliest decision of the deals in which most chips changed hands, to keep the wait short."""
    ranked = sorted(told, key=lambda moment: moment.swing, reverse=True)
    return dearest_move(record, [moment.played for moment in ranked[:MOST_WEIGHED]])


def _deal_line(state: RunState, played: MatchData, deal: str, view: DealView | None) -> DealLine:
    """Returns the line of a rendered deal of this match. Raises RefusedRequest if there is none."""
    lines = [line for line in played.deals if (line.deal, line.seating) == parse_deal_id(deal)]
    if view is None or not lines:
        raise RefusedRequest(404, f"match {played.line.match} has no such deal", describe_deals(state))
    return lines[0]
