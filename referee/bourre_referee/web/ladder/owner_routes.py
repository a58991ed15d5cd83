"""Routes of the pages of owners: each needs the owner's key, in the address or in the form that was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import parse_qs

from anyio import to_thread
from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from bourre_referee.ladder.log.entrant import bot_name
from bourre_referee.web.bot_routes import PRIVATE
from bourre_referee.web.ladder.ladder_owners import LadderOwners, owner_address
from bourre_referee.web.ladder.ladder_pages import LadderPages
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.ladder.owned_rooms import FinishedRooms, read_hands
from bourre_referee.web.ladder.owner_acts import OwnerActs
from bourre_referee.web.ladder.owner_view import owner_view
from bourre_referee.web.ladder.probation_report import ProbationReports
from bourre_referee.web.ladder.request_body import read_body
from bourre_referee.web.owner_logs import read_log, rooms_with_logs
from bourre_referee.web.page_lookup import RefusedRequest

LONGEST_FORM = 10_000
"""The most bytes of a form."""

RoomNumber = Annotated[int, Path(ge=1, le=10**12, description="the number of a room")]


class OwnerRoutes:
    """Shows owners what is theirs, and does what they ask for."""

    def __init__(self, reader: LadderReader, pages: LadderPages, owners: LadderOwners, acts: OwnerActs) -> None:
        self._reader = reader
        self._pages = pages
        self._owners = owners
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
        return router

    def owner(self, key: str = "") -> Response:
        """Shows an owner's bots."""
        with self._reader.now() as now:
            owner = self._owners.owner(now.state, key)
            page = self._pages.owner(owner_view(now, self._reader.folder, self._reports, owner, key))
        return HTMLResponse(page, headers=PRIVATE)

    def log(self, entrant: str, log: str, key: str = "") -> Response:
        """Shows what a version of the owner's bot printed in one room."""
        path = self._reader.folder.path
        with self._reader.now() as now:
            owner = self._owners.owner(now.state, key)
            known = now.state.bots.get(bot_name(entrant))
            if known is None or known.joined.owner != owner:
                raise _no_log()
            if log not in rooms_with_logs(path, entrant, FinishedRooms(now.state)):
                raise _no_log()
        return PlainTextResponse(read_log(path, entrant, log), headers=PRIVATE)

    def hands(self, room: RoomNumber, key: str = "") -> Response:
        """Shows a match as the owner's bots saw it."""
        with self._reader.now() as now:
            owner, place = self._owners.owner(now.state, key), now.state.seasons.place_of(room)
            is_over = place is not None and room not in now.state.rooms
            text = read_hands(self._reader.folder, now.state, place, owner) if place and is_over else None
        if text is None:
            raise RefusedRequest(404, "none of your bots sat in such a room", "hands appear when their room is over")
        return PlainTextResponse(text, headers=PRIVATE)

    async def pause(self, request: Request) -> Response:
        """Pauses a bot."""
        return await self._set_pause(request, paused=True)

    async def resume(self, request: Request) -> Response:
        """Ends a pause."""
        return await self._set_pause(request, paused=False)

    async def challenge(self, request: Request) -> Response:
        """Asks for an unrated room."""
        form = await _read_form(request)
        return await to_thread.run_sync(self._challenge, form)

    async def _set_pause(self, request: Request, *, paused: bool) -> Response:
        form = await _read_form(request)
        return await to_thread.run_sync(self._pause, form, paused)

    def _pause(self, form: Mapping[str, str], paused: bool) -> Response:
        owner = self._owner(form)
        self._acts.pause(owner, form.get("bot", ""), paused=paused)
        return self._back(owner)

    def _challenge(self, form: Mapping[str, str]) -> Response:
        owner = self._owner(form)
        self._acts.challenge(owner, form.get("bots", "").replace(",", " ").split())
        return self._back(owner)

    def _owner(self, form: Mapping[str, str]) -> str:
        with self._reader.now() as now:
            return self._owners.owner(now.state, form.get("key", ""))

    def _back(self, owner: str) -> Response:
        return RedirectResponse(owner_address(self._owners.keys, owner), 303, PRIVATE)


def _no_log() -> RefusedRequest:
    return RefusedRequest(404, "there is no such log", "your page lists the logs of finished rooms")


async def _read_form(request: Request) -> Mapping[str, str]:
    """Returns the fields of a form; its key is no cookie, so no other site can send it for the owner."""
    body = await read_body(request, LONGEST_FORM)
    return {name: values[-1] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
