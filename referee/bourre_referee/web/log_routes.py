"""Routes of what a bot printed and noted, for its owner, who logs in with the bot's key."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bourre.record import read
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.text.narration.spoken_notes import match_note_lines
from bourre_referee.web.cached_run import CachedRun, RunState
from bourre_referee.web.owner_keys import OwnerKeys
from bourre_referee.web.owner_logs import last_start_failure, read_log, rooms_with_logs
from bourre_referee.web.owner_session import PRIVATE, KeyCookie, add_session
from bourre_referee.web.page_lookup import MatchId, RefusedRequest
from bourre_referee.web.render import Pages


class LogRoutes:
    """Shows a bot's logs, and its notes even while the seed is secret, to whoever has its key."""

    def __init__(self, cached: CachedRun, pages: Pages, keys: OwnerKeys) -> None:
        self._cached = cached
        self._pages = pages
        self._keys = keys

    def router(self) -> APIRouter:
        """Return a router for these addresses."""
        router = APIRouter(include_in_schema=False)
        router.add_api_route("/owner", self.owner, response_model=None)
        router.add_api_route("/owner/logs/{room}", self.log, response_model=None)
        router.add_api_route("/owner/notes/{match}", self.notes, response_model=None)
        add_session(router, lambda key: self._bot(self._cached.current(), key))
        return router

    def owner(self, key: KeyCookie = "") -> Response:
        """List a bot's logs and notes; whoever has not logged in gets the form for that."""
        state = self._cached.current()
        try:
            bot = self._bot(state, key)
        except RefusedRequest:
            return HTMLResponse(self._pages.login(state.data), headers=PRIVATE)
        rooms, noted = self._rooms(state, bot), self._cached.noted_matches(state, bot)
        failure = last_start_failure(state.run.place.folder, bot, rooms)
        return HTMLResponse(self._pages.logs(state.data, bot, rooms, failure, noted), headers=PRIVATE)

    def log(self, room: str, key: KeyCookie = "") -> Response:
        """Show what the bot printed in one room."""
        state = self._cached.current()
        bot = self._bot(state, key)
        if room not in self._rooms(state, bot):
            raise RefusedRequest(404, "there is no such log", "a log appears when its match is finished")
        return PlainTextResponse(read_log(state.run.path, bot, room), headers=PRIVATE)

    def notes(self, match: MatchId, key: KeyCookie = "") -> Response:
        """Show the notes of the bot in one match."""
        state = self._cached.current()
        bot = self._bot(state, key)
        if match not in self._cached.noted_matches(state, bot):
            raise RefusedRequest(404, "there are no such notes", "notes appear when their match is finished")
        record = read(self._cached.record(state, match))
        said = [
            remarks if name == bot else SeatRemarks()
            for name, remarks in zip(record.header.bots, self._cached.remarks(state, match), strict=True)
        ]
        return PlainTextResponse("".join(f"{line}\n" for line in match_note_lines(record, said)), headers=PRIVATE)

    def _bot(self, state: RunState, key: str) -> str:
        return self._keys.owner(state.data.bots, key)

    def _rooms(self, state: RunState, bot: str) -> list[str]:
        finished = frozenset(match.match for match in state.data.matches)
        return rooms_with_logs(state.run.place.folder, bot, finished)
