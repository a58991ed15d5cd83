"""Routes of the public pages of a ladder, and of its Atom feed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated
from uuid import NAMESPACE_OID, uuid5
from xml.etree.ElementTree import Element, SubElement, tostring

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse

from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import (
    BotBenched,
    BotJoined,
    EpochAbandoned,
    EpochClosed,
    MatchVoided,
    SeasonOpened,
)
from bourre_referee.ladder.log.shared_log import LogStorage
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.text.names import printable
from bourre_referee.web.app_shell import Answer, page_router
from bourre_referee.web.cached_answers import AnswerCache
from bourre_referee.web.ladder.board_picture import draw_board
from bourre_referee.web.ladder.board_view import last_board_view, newest_board
from bourre_referee.web.ladder.bot_feed import bot_feed
from bourre_referee.web.ladder.bot_view import bot_view
from bourre_referee.web.ladder.epoch_views import PARTS, EpochViews
from bourre_referee.web.ladder.ladder_documents import log_document
from bourre_referee.web.ladder.ladder_reader import LadderNow, LadderReader
from bourre_referee.web.ladder.room_view import room_view
from bourre_referee.web.page_links import MatchChoice
from bourre_referee.web.page_lookup import RefusedRequest
from bourre_referee.web.render import Pages

ATOM = "application/atom+xml"
NAMESPACE = "http://www.w3.org/2005/Atom"
"""The XML namespace of RFC 4287."""
MOST_ENTRIES = 50
"""The most entries of the feed."""
EPOCHS_PER_PAGE = 20
PART = 1_000
"""The most lines of a log that are held in memory."""
LINES = "application/x-ndjson"
RoomNumber = Annotated[int, Path(ge=1, le=10**12, description="the number of a room")]
BotPath = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,24}$", description="the name of a bot")]
EpochPath = Annotated[str, Path(pattern="^[1-9][0-9]{0,5}(-unrated)?$", description="an epoch: 1, or 1-unrated")]


class LadderRoutes:
    """Answers with pages made from a ladder. Each page is made once for each of its states."""

    def __init__(self, reader: LadderReader, pages: Pages, views: EpochViews) -> None:
        self._answers = AnswerCache()
        self._reader = reader
        self._pages = pages
        self._views = views

    def router(self) -> APIRouter:
        """Returns a router for these addresses."""
        shared: dict[str, Answer] = {"/share.png": self.picture} if self._pages.links.public else {}
        return page_router(
            {
                **shared,
                "/": self.board,
                "/bots/{bot}": self.bot,
                "/bots/{bot}/feed.atom": self.bot_feed,
                "/rooms/{room}": self.room,
                "/seasons/{season}": self.season,
                "/epochs": self.epochs,
                "/epochs/{epoch}": self.epoch,
                "/epochs/{epoch}/files/{name}": self.file,
                "/log": self.log,
                "/ladder.jsonl": self.whole_log,
                "/feed.atom": self.feed,
            }
        )

    def board(self, request: Request) -> Response:
        """Shows the board."""
        tag, view = newest_board(self._reader)
        return self._answers.respond(
            request, tag, lambda: self._pages.render("ladder/board.html", board=view(), seen=tag)
        )

    def picture(self, request: Request) -> Response:
        """Sends the picture for links to the ladder."""
        tag, view = newest_board(self._reader)
        return self._answers.respond(request, tag, lambda: draw_board(view()), "image/png")

    def bot(self, request: Request, bot: BotPath) -> Response:
        """Shows a bot."""
        found = self._reader.board_if_any()
        board = found.board if found else None
        with self._reader.now() as now:
            check_joined(now.state, bot)
            tag = f"{now.tag}-{board.at.timestamp() if board else 0}"
            return self._answers.respond(
                request, tag, lambda: self._pages.render("ladder/bot.html", bot=bot_view(now, board, bot))
            )

    def bot_feed(self, bot: BotPath) -> Response:
        """Sends the notices that the owner of a bot gets."""
        with self._reader.now() as now:
            check_joined(now.state, bot)
            began = now.history.acts[0].at
        return Response(bot_feed(self._pages.ladder, began, bot, self._reader.notices()), media_type=ATOM)

    def room(self, request: Request, room: RoomNumber) -> Response:
        """Shows a room: as an onlooker sees it while it is played, and then its result."""
        with self._reader.now() as now:
            view, tag = room_view(now, self._reader.folder, room), now.tag
        tag = f"{tag}-{view.events}"
        return self._answers.respond(request, tag, lambda: self._pages.render("ladder/room.html", room=view))

    def epochs(self, request: Request, page: Annotated[int, Query(ge=1, le=10**9)] = 1) -> Response:
        """Lists the epochs, newest first, with their proofs."""
        with self._reader.now() as now:
            seasons = [season for season in range(1, now.state.seasons.last) if self._has_last_board(season)]
            tag, head = f"{now.tag}-{len(seasons)}", now.log.head
            pages = max(1, -(-len(now.state.seasons.epochs) // EPOCHS_PER_PAGE))
            if page > pages:
                raise RefusedRequest(404, f"the list of epochs has no page {page}", "its pages are numbered from 1")
            views = self._views.newest(now, (page - 1) * EPOCHS_PER_PAGE, EPOCHS_PER_PAGE)
            return self._answers.respond(
                request,
                tag,
                lambda: self._pages.render(
                    "ladder/epochs.html", epochs=views, seasons=seasons, head=head, page=page, pages=pages
                ),
                choice=MatchChoice(page=page),
            )

    def season(self, season: Annotated[int, Path(ge=1, le=9999)]) -> Response:
        """Shows the last board of a season that is over."""
        if not self._has_last_board(season):
            raise RefusedRequest(404, f"season {season} has no last board", "it appears when its last room is over")
        return HTMLResponse(
            self._pages.render("ladder/season.html", board=last_board_view(self._reader.last_board(season)))
        )

    def epoch(self, epoch: EpochPath) -> Response:
        """Leads to the pages of an epoch."""
        return RedirectResponse(f"/epochs/{epoch}/", 308)

    def file(self, epoch: EpochPath, name: str) -> Response:
        """Sends a file of the run folder of a closed epoch."""
        with self._reader.now() as now:
            parts = {part.name: part for view in self._views.all(now) for part in view.parts}
        if epoch not in parts or name not in parts[epoch].files or name not in PARTS:
            raise RefusedRequest(404, "this file does not exist", "the files of an epoch are public once it is closed")
        part = parts[epoch]
        path = self._reader.folder.epochs / part.folder / name
        return FileResponse(path, filename=f"{part.folder}-{name}", content_disposition_type="attachment")

    def log(self, request: Request, page: Annotated[int, Query(ge=1, le=10**9)] = 1) -> Response:
        """Shows the acts of hosts and owners."""
        with self._reader.now() as now:
            found, choice = log_document(now, page), MatchChoice(page=page)
            return self._answers.respond(
                request, now.tag, lambda: self._pages.render("ladder/log.html", log=found), choice=choice
            )

    def whole_log(self) -> Response:
        """Sends the log as it is, to the end of a line, while others append to it."""
        with self._reader.now() as now:
            size, events = now.log.size, now.log.events
        named = {"Content-Disposition": 'attachment; filename="ladder.jsonl"', "Content-Length": f"{size}"}
        return StreamingResponse(_read_parts(self._reader.folder.lines, events), 200, named, LINES)

    def feed(self, request: Request) -> Response:
        """Sends the feed."""
        with self._reader.now() as now:
            return self._answers.respond(
                request, now.tag, lambda: atom_feed(now, self._pages.ladder, self._pages.links.public), ATOM
            )

    def _has_last_board(self, season: int) -> bool:
        return self._reader.folder.last_board(season).is_file()


def _read_parts(lines: LogStorage, events: int) -> Iterator[bytes]:
    read = (line for line, _ in islice(lines.read_after(0), events))
    while part := b"".join(islice(read, PART)):
        yield part


def check_joined(state: LadderState, bot: str) -> None:
    """Raises RefusedRequest for a bot that never joined."""
    if bot not in state.bots:
        raise RefusedRequest(404, f"unknown bot {bot}", "the board lists all bots")


def atom_feed(now: LadderNow, ladder: str, public: str = "") -> str:
    """Returns the feed, newest first: new versions, closed epochs, seasons, and suspended bots.

    It names no host but `public`, because one text is sent to all, and a visitor chooses the server's name. With
    `public`, the entry of an epoch has its picture.
    """
    entries = list(islice(_entries(now), MOST_ENTRIES))
    began = now.history.acts[0].at
    known_by = uuid5(NAMESPACE_OID, f"ladder {ladder} of {began}")
    feed = Element("feed", xmlns=NAMESPACE)
    _text(feed, "title", ladder)
    _text(feed, "id", known_by.urn)
    _text(feed, "updated", entries[0][1].at if entries else began)
    SubElement(feed, "link", rel="self", type="application/atom+xml", href=f"{public}/feed.atom")
    SubElement(feed, "link", rel="alternate", type="text/html", href=f"{public}/")
    SubElement(SubElement(feed, "author"), "name").text = printable(ladder)
    for number, logged, title, path in entries:
        entry = SubElement(feed, "entry")
        _text(entry, "title", title)
        _text(entry, "id", uuid5(known_by, f"{number}").urn)
        _text(entry, "updated", logged.at)
        SubElement(entry, "link", rel="alternate", type="text/html", href=f"{public}{path}")
        if public and isinstance(logged.event, EpochClosed):
            _picture(entry, f"{public}{path}share.png", title)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(feed, encoding="unicode")}\n'


def _picture(entry: Element, address: str, title: str) -> None:
    """Adds a picture, as a file and for readers of HTML."""
    SubElement(entry, "link", rel="enclosure", type="image/png", href=address)
    picture = tostring(Element("img", src=address, alt=title), encoding="unicode")
    SubElement(entry, "content", type="html").text = picture


def _entries(now: LadderNow) -> Iterator[tuple[int, Logged, str, str]]:
    """Yields the number, the act, its title and the path of its page."""
    acts = now.history.acts
    for number in range(len(acts), 0, -1):
        if told := _tell(acts[number - 1]):
            yield number, acts[number - 1], *told


def _tell(logged: Logged) -> tuple[str, str] | None:
    match logged.event:
        case BotJoined(staff=False) as joined:
            return f"{joined.bot} joined in version {joined.number}, {joined.version}", f"/bots/{joined.bot}"
        case BotBenched(bot=bot, reason=reason):
            return f"{bot} was suspended: {reason}", f"/bots/{bot}"
        case EpochAbandoned(epoch=epoch):
            return f"Epoch {epoch} was abandoned: the host restored a backup", f"/epochs/{epoch}/"
        case EpochClosed(epoch=epoch):
            return f"Epoch {epoch} closed, and its seed is revealed", f"/epochs/{epoch}/"
        case SeasonOpened(season=season):
            return f"Season {season} opened", "/"
        case MatchVoided(room=room, reason=reason):
            return f"The match of room {room} was annulled: {reason}", "/log"
    return None


def _text(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = printable(text)
