"""Routes of the pages of a ladder's owners, who log in with their key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bourre_referee.ladder.log.entrant import bot_name
from bourre_referee.web.app_shell import Answer, page_router
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.ladder.owned_rooms import FinishedRooms, read_hands
from bourre_referee.web.ladder.owner_acts import OwnerActs
from bourre_referee.web.ladder.owner_view import ProbationReports, owner_view
from bourre_referee.web.owner_access import PRIVATE, KeyCookie, back_to_owner, read_form, session_forms
from bourre_referee.web.owner_logs import read_log, rooms_with_logs
from bourre_referee.web.page_lookup import RefusedRequest
from bourre_referee.web.render import Pages

Form = Mapping[str, str]
RoomNumber = Annotated[int, Path(ge=1, le=10**12, description="the number of a room")]


class OwnerRoutes:
    """Shows owners what is theirs, and does what they ask for."""

    def __init__(self, reader: LadderReader, pages: Pages, acts: OwnerActs) -> None:
        self._reader = reader
        self._pages = pages
        self._acts = acts
        self._reports = ProbationReports(reader.folder)

    def router(self) -> APIRouter:
        """Returns a router for these addresses."""
        forms = {
            "/owner/pause": self._pause,
            "/owner/resume": self._resume,
            "/owner/challenges": self._challenge,
            "/owner/answer": self._answer,
            "/owner/welcome": self._welcome,
        }
        return page_router(
            {"/owner": self.owner, "/owner/logs/{entrant}/{log}": self.log, "/owner/hands/{room}": self.hands},
            {path: self._form(act) for path, act in forms.items()} | session_forms(self._acts.owner),
        )

    def owner(self, key: KeyCookie = "") -> Response:
        """Shows an owner's bots; whoever has not logged in gets the form for that."""
        try:
            owner = self._acts.owner(key)
        except RefusedRequest:
            return HTMLResponse(self._pages.render("ladder/login.html"), headers=PRIVATE)
        with self._reader.now() as now:
            shown = owner_view(now, self._reader.folder, self._reports, owner)
            page = self._pages.render("ladder/owner.html", owner=shown)
        return HTMLResponse(page, headers=PRIVATE)

    def log(self, entrant: str, log: str, key: KeyCookie = "") -> Response:
        """Shows what a version of the owner's bot printed in one room."""
        owner, path = self._acts.owner(key), self._reader.folder.path
        with self._reader.now() as now:
            known = now.state.bots.get(bot_name(entrant))
            if known is None or known.joined.owner != owner:
                raise _no_log()
            if log not in rooms_with_logs(path, entrant, FinishedRooms(now.state)):
                raise _no_log()
        return PlainTextResponse(read_log(path, entrant, log), headers=PRIVATE)

    def hands(self, room: RoomNumber, key: KeyCookie = "") -> Response:
        """Shows a match as the owner's bots saw it."""
        owner = self._acts.owner(key)
        with self._reader.now() as now:
            place = now.state.seasons.place_of(room)
            is_over = place is not None and room not in now.state.rooms
            text = read_hands(self._reader.folder, now.state, place, owner) if place and is_over else None
        if text is None:
            raise RefusedRequest(404, "none of your bots sat in such a room", "hands appear when their room is over")
        return PlainTextResponse(text, headers=PRIVATE)

    def _form(self, act: Callable[[str, Form], None]) -> Answer:
        """Returns the answer to a form that does this for the owner whose key comes with it."""

        async def answer(request: Request, key: KeyCookie = "") -> Response:
            form = await read_form(request)
            await to_thread.run_sync(lambda: act(self._acts.owner(key), form))
            return back_to_owner()

        return answer

    def _pause(self, owner: str, form: Form) -> None:
        self._acts.pause(owner, form.get("bot", ""), paused=True)

    def _resume(self, owner: str, form: Form) -> None:
        self._acts.pause(owner, form.get("bot", ""), paused=False)

    def _challenge(self, owner: str, form: Form) -> None:
        self._acts.challenge(owner, form.get("bots", "").replace(",", " ").split())

    def _answer(self, owner: str, form: Form) -> None:
        number = form.get("challenge", "")
        if not (number.isascii() and number.isdecimal() and len(number) <= 12):
            raise RefusedRequest(400, "the form names no challenge", "use the buttons of your own page")
        self._acts.answer(owner, int(number), accepted=form.get("accepted") == "yes")

    def _welcome(self, owner: str, form: Form) -> None:
        self._acts.welcome(owner, welcome=form.get("welcome") == "yes")


def _no_log() -> RefusedRequest:
    return RefusedRequest(404, "there is no such log", "your page lists the logs of finished rooms")
