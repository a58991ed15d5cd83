"""Finds and reads the output of bots, for their owners."""

from __future__ import annotations

import stat
from collections.abc import Container, Sequence
from pathlib import Path

from fastapi import APIRouter
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bourre.record import read
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.storage.files.untrusted_files import MIB, open_regular
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.start_failures import read_start_failure
from bourre_referee.text.names import printable
from bourre_referee.text.narration.spoken_notes import match_note_lines
from bourre_referee.web.app_shell import page_router
from bourre_referee.web.cached_run import CachedRun, RunState
from bourre_referee.web.owner_access import PRIVATE, KeyCookie, OwnerKeys, session_forms
from bourre_referee.web.page_lookup import MatchId, RefusedRequest
from bourre_referee.web.render import Pages

_LOOKED_AT = 5
LONGEST_LOG = MIB
"""The most bytes shown. A referee stores at most half of that."""


def rooms_with_logs(folder: Path | None, bot: str, finished: Container[str]) -> list[str]:
    """Lists the rooms with a log of this bot, without unfinished matches, because their logs could reveal cards."""
    if folder is None or Path(bot).name != bot:
        return []  # no logs of a run in a database, or of a bot whose name is not a folder name
    logs = FolderLocation(folder).logs
    if logs.is_symlink() or (logs / bot).is_symlink():
        return []  # a link could lead to other logs
    files = (file for file in (logs / bot).glob("*.log") if stat.S_ISREG(file.lstat().st_mode))
    return sorted(file.stem for file in files if file.stem.partition(".")[0] in finished)


def read_log(folder: Path, bot: str, room: str) -> str:
    """Returns the bot's output in one of `rooms_with_logs`, with control characters escaped."""
    with open_regular(FolderLocation(folder).logs / bot / f"{room}.log") as file:
        text = file.read(LONGEST_LOG).decode("utf-8", "replace")
    return "".join(f"{_visible(line)}\n" for line in text.split("\n")).removesuffix("\n")


def last_start_failure(folder: Path | None, bot: str, rooms: Sequence[str]) -> str:
    """Returns the newest of these rooms in which this bot never started, and the reason. It looks at only a few."""
    if folder is None:
        return ""
    looked_at = (
        (room, read_start_failure(FolderLocation(folder).logs, bot, room)) for room in reversed(rooms[-_LOOKED_AT:])
    )
    return next((f"{room}: {why}" for room, why in looked_at if why), "")


def _visible(line: str) -> str:
    return "\t".join(map(printable, line.split("\t")))


class LogRoutes:
    """Shows a bot's logs, and its notes even while the seed is secret, to the owner of its key."""

    def __init__(self, cached: CachedRun, pages: Pages, keys: OwnerKeys) -> None:
        self._cached = cached
        self._pages = pages
        self._keys = keys

    def router(self) -> APIRouter:
        """Returns a router for these addresses."""
        return page_router(
            {"/owner": self.owner, "/owner/logs/{room}": self.log, "/owner/notes/{match}": self.notes},
            session_forms(self._bot),
        )

    def owner(self, key: KeyCookie = "") -> Response:
        """Lists a bot's logs and notes, or shows the login form."""
        try:
            state, bot = self._bot(key)
        except RefusedRequest:
            return HTMLResponse(self._pages.render("login.html", self._cached.current().data), headers=PRIVATE)
        rooms = self._rooms(state, bot)
        page = self._pages.render(
            "logs.html",
            state.data,
            bot=bot,
            logs=rooms,
            start_failure=last_start_failure(state.run.place.folder, bot, rooms),
            notes=self._cached.noted_matches(state, bot),
        )
        return HTMLResponse(page, headers=PRIVATE)

    def log(self, room: str, key: KeyCookie = "") -> Response:
        """Shows the bot's output in one room."""
        state, bot = self._bot(key)
        if room not in self._rooms(state, bot):
            raise RefusedRequest(404, "this log does not exist", "a log appears when its match is finished")
        return PlainTextResponse(read_log(state.run.path, bot, room), headers=PRIVATE)

    def notes(self, match: MatchId, key: KeyCookie = "") -> Response:
        """Shows the notes of the bot in one match."""
        state, bot = self._bot(key)
        if match not in self._cached.noted_matches(state, bot):
            raise RefusedRequest(404, "these notes do not exist", "notes appear when their match is finished")
        record = read(self._cached.record(state, match))
        said = [
            remarks if name == bot else SeatRemarks()
            for name, remarks in zip(record.header.bots, self._cached.remarks(state, match), strict=True)
        ]
        return PlainTextResponse("".join(f"{line}\n" for line in match_note_lines(record, said)), headers=PRIVATE)

    def _bot(self, key: str) -> tuple[RunState, str]:
        state = self._cached.current()
        return state, self._keys.owner(state.data.bots, key)

    def _rooms(self, state: RunState, bot: str) -> list[str]:
        finished = frozenset(match.match for match in state.data.matches)
        return rooms_with_logs(state.run.place.folder, bot, finished)
