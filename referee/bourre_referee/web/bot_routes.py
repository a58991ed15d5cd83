"""Routes of the bots' pages, and of their logs, which only their owners may read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bourre.record import read
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.statistics.play_style import Style
from bourre_referee.text.narration.spoken_notes import match_note_lines
from bourre_referee.web.cached_answers import AnswerCache
from bourre_referee.web.cached_counts import CachedCounts
from bourre_referee.web.cached_run import CachedRun, RunState
from bourre_referee.web.data.bot_page import bot_data
from bourre_referee.web.owner_logs import OwnerKeys, read_log, rooms_with_logs
from bourre_referee.web.page_lookup import BotNumber, MatchId, RefusedRequest, check_bot
from bourre_referee.web.render import Pages

PRIVATE = {"Cache-Control": "no-store"}


class BotRoutes:
    """Answers with the pages of bots; given `owners`, shows a bot's logs to anyone with its key."""

    def __init__(self, cached: CachedRun, pages: Pages, counts: CachedCounts, owners: OwnerKeys | None) -> None:
        self._cached = cached
        self._pages = pages
        self._owners = owners
        self._counts = counts
        self._answers = AnswerCache()

    def router(self) -> APIRouter:
        """Return a router for these addresses."""
        router = APIRouter(include_in_schema=False)
        router.add_api_route("/bots/{number}", self.bot, response_model=None)
        router.add_api_route("/bots/{number}/logs", self.logs, response_model=None)
        router.add_api_route("/bots/{number}/logs/{room}", self.log, response_model=None)
        router.add_api_route("/bots/{number}/notes/{match}", self.notes, response_model=None)
        return router

    def links(self) -> Iterator[tuple[str, str]]:
        """Yield each bot with the address of its logs; nothing without owners."""
        if self._owners:
            for bot, number in self._cached.current().data.numbers.items():
                yield bot, self._logs_address(number, self._owners.key(bot))

    def bot(self, request: Request, number: BotNumber, key: str = "") -> Response:
        """Show a bot; with its key, also a link to its logs."""
        state = self._cached.current()
        check_bot(state, number)
        if key:
            self._check_key(state, number, key)
        styles = None if self._cached.cards_wait(state) else self._counts.styles(state.run, state.data)
        if key:
            return HTMLResponse(self._page(state, number, styles, self._logs_address(number, key)), headers=PRIVATE)
        tag = state.tag if styles else f"{state.tag}-counting"
        return self._answers.respond(request, tag, lambda: self._page(state, number, styles))

    def logs(self, number: BotNumber, key: str = "") -> Response:
        """List a bot's logs."""
        state = self._cached.current()
        bot = self._check_key(state, number, key)
        rooms = rooms_with_logs(state.run.place.folder, bot, _finished_matches(state))
        query = urlencode({"key": key})
        place = self._pages.links.bot(number)
        links = [(room, f"{place}/logs/{room}?{query}") for room in rooms]
        noted = [(match, f"{place}/notes/{match}?{query}") for match in self._cached.noted_matches(state, bot)]
        return HTMLResponse(self._pages.logs(state.data, bot, links, noted), headers=PRIVATE)

    def log(self, number: BotNumber, room: str, key: str = "") -> Response:
        """Show what the bot printed in one room."""
        state = self._cached.current()
        bot = self._check_key(state, number, key)
        rooms = rooms_with_logs(state.run.place.folder, bot, _finished_matches(state))
        if room not in rooms:
            raise RefusedRequest(404, "there is no such log", "a log appears when its match is finished")
        return PlainTextResponse(read_log(state.run.path, bot, room), headers=PRIVATE)

    def notes(self, number: BotNumber, match: MatchId, key: str = "") -> Response:
        """Show the notes of a bot in one match, even while the seed is secret."""
        state = self._cached.current()
        bot = self._check_key(state, number, key)
        if match not in self._cached.noted_matches(state, bot):
            raise RefusedRequest(404, "there are no such notes", "notes appear when their match is finished")
        record = read(self._cached.record(state, match))
        said = [
            remarks if name == bot else SeatRemarks()
            for name, remarks in zip(record.header.bots, self._cached.remarks(state, match), strict=True)
        ]
        return PlainTextResponse("".join(f"{line}\n" for line in match_note_lines(record, said)), headers=PRIVATE)

    def _page(self, state: RunState, number: int, styles: Sequence[Style] | None, log: str | None = None) -> str:
        bot = bot_data(state.data, number, styles)
        assert bot is not None, "check_bot accepted the number"
        return self._pages.bot(state.data, bot, log, self._cached.cards_wait(state))

    def _check_key(self, state: RunState, number: int, key: str) -> str:
        """Return the bot's name if this is its key; otherwise refuse."""
        check_bot(state, number)
        bot = state.data.bots[number - 1]
        if self._owners is None or not self._owners.accepts(bot, key):
            raise RefusedRequest(
                403, "only the owner of the bot may see this", "ask the organiser of the contest for your link"
            )
        return bot

    def _logs_address(self, number: int, key: str) -> str:
        return f"{self._pages.links.bot(number)}/logs?{urlencode({'key': key})}"


def _finished_matches(state: RunState) -> frozenset[str]:
    return frozenset(match.match for match in state.data.matches)
