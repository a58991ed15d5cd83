"""Routes of the pages of a ladder's owners, who log in with their key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bourre_referee.ladder.log.entrant import bot_name
from bourre_referee.web.ladder.ladder_owners import owners_of
from bourre_referee.web.ladder.ladder_pages import LadderPages
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.ladder.owned_rooms import FinishedRooms, read_hands
from bourre_referee.web.ladder.owner_acts import OwnerActs
from bourre_referee.web.ladder.owner_view import owner_view
from bourre_referee.web.ladder.probation_report import ProbationReports
from bourre_referee.web.owner_keys import OwnerKeys
from bourre_referee.web.owner_logs import read_log, rooms_with_logs
from bourre_referee.web.owner_session import PRIVATE, KeyCookie, add_session, back_to_owner, read_form
from bourre_referee.web.page_lookup import RefusedRequest

RoomNumber = Annotated[int, Path(ge=1, le=10**12, description="the number of a room")]


class OwnerRoutes:
    """Shows owners what is theirs, and does what they ask for."""

    def __init__(self, reader: LadderReader, pages: LadderPages, keys: OwnerKeys, acts: OwnerActs) -> None:
        self._reader = reader
        self._pages = pages
        self._keys = keys
        self._acts = acts
        self._reports = ProbationReports(reader.folder)

    def router(self) -> APIRouter:
        """Returns a router for these addresses."""
        router = APIRouter(include_in_schema=False)
        router.add_api_route("/owner", self.owner, response_model=None)
        router.add_api_route("/owner/logs/{entrant}/{log}", self.log, response_model=None)
        router.add_api_route("/owner/hands/{room}", self.hands, response_model=None)
        router.add_api_route("/owner/pause", self.pause, methods=["POST"], response_model=None)
        router.add_api_route("/owner/resume", self.resume, methods=["POST"], response_model=None)
        router.add_api_route("/owner/challenges", self.challenge, methods=["POST"], response_model=None)
        router.add_api_route("/owner/answer", self.answer, methods=["POST"], response_model=None)
        router.add_api_route("/owner/welcome", self.welcome, methods=["POST"], response_model=None)
        add_session(router, self._owner)
        return router

    def owner(self, key: KeyCookie = "") -> Response:
        """Shows an owner's bots; whoever has not logged in gets the form for that."""
        with self._reader.now() as now:
            try:
                owner = self._keys.owner(owners_of(now.state), key)
            except RefusedRequest:
                return HTMLResponse(self._pages.login(), headers=PRIVATE)
            page = self._pages.owner(owner_view(now, self._reader.folder, self._reports, owner))
        return HTMLResponse(page, headers=PRIVATE)

    def log(self, entrant: str, log: str, key: KeyCookie = "") -> Response:
        """Shows what a version of the owner's bot printed in one room."""
        path = self._reader.folder.path
        with self._reader.now() as now:
            owner = self._keys.owner(owners_of(now.state), key)
            known = now.state.bots.get(bot_name(entrant))
            if known is None or known.joined.owner != owner:
                raise _no_log()
            if log not in rooms_with_logs(path, entrant, FinishedRooms(now.state)):
                raise _no_log()
        return PlainTextResponse(read_log(path, entrant, log), headers=PRIVATE)

    def hands(self, room: RoomNumber, key: KeyCookie = "") -> Response:
        """Shows a match as the owner's bots saw it."""
        with self._reader.now() as now:
            owner, place = self._keys.owner(owners_of(now.state), key), now.state.seasons.place_of(room)
            is_over = place is not None and room not in now.state.rooms
            text = read_hands(self._reader.folder, now.state, place, owner) if place and is_over else None
        if text is None:
            raise RefusedRequest(404, "none of your bots sat in such a room", "hands appear when their room is over")
        return PlainTextResponse(text, headers=PRIVATE)

    async def pause(self, request: Request, key: KeyCookie = "") -> Response:
        """Pauses a bot."""
        return await to_thread.run_sync(self._set_pause, key, await read_form(request), True)

    async def resume(self, request: Request, key: KeyCookie = "") -> Response:
        """Ends a pause."""
        return await to_thread.run_sync(self._set_pause, key, await read_form(request), False)

    async def challenge(self, request: Request, key: KeyCookie = "") -> Response:
        """Asks for an unrated room."""
        return await to_thread.run_sync(self._challenge, key, await read_form(request))

    async def answer(self, request: Request, key: KeyCookie = "") -> Response:
        """Agrees to a challenge or declines it."""
        return await to_thread.run_sync(self._answer, key, await read_form(request))

    async def welcome(self, request: Request, key: KeyCookie = "") -> Response:
        """Agrees to all challenges, or ends that."""
        return await to_thread.run_sync(self._welcome, key, await read_form(request))

    def _answer(self, key: str, form: Mapping[str, str]) -> Response:
        owner, number = self._owner(key), form.get("challenge", "")
        if not (number.isascii() and number.isdecimal() and len(number) <= 12):
            raise RefusedRequest(400, "the form names no challenge", "use the buttons of your own page")
        self._acts.answer(owner, int(number), accepted=form.get("accepted") == "yes")
        return back_to_owner()

    def _welcome(self, key: str, form: Mapping[str, str]) -> Response:
        self._acts.welcome(self._owner(key), welcome=form.get("welcome") == "yes")
        return back_to_owner()

    def _set_pause(self, key: str, form: Mapping[str, str], paused: bool) -> Response:
        self._acts.pause(self._owner(key), form.get("bot", ""), paused=paused)
        return back_to_owner()

    def _challenge(self, key: str, form: Mapping[str, str]) -> Response:
        self._acts.challenge(self._owner(key), form.get("bots", "").replace(",", " ").split())
        return back_to_owner()

    def _owner(self, key: str) -> str:
        with self._reader.now() as now:
            return self._keys.owner(owners_of(now.state), key)


def _no_log() -> RefusedRequest:
    return RefusedRequest(404, "there is no such log", "your page lists the logs of finished rooms")
