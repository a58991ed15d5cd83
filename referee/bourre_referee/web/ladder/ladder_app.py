"""The application behind `bourre ladder start`: all addresses of one ladder and of its epochs, and its process."""

from __future__ import annotations

import re
import socket
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path

import anyio
from anyio.abc import TaskGroup
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse
from starlette.routing import Mount
from starlette.types import Receive, Scope, Send

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.child_process import tended
from bourre_referee.web.app_shell import Application, build_app, page_router
from bourre_referee.web.cached_run import CachedRun, Unreadable
from bourre_referee.web.http_guard import Guard
from bourre_referee.web.ladder.board_view import newest_board
from bourre_referee.web.ladder.epoch_views import EpochViews
from bourre_referee.web.ladder.ladder_api import LadderApi
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.ladder.ladder_routes import LadderRoutes
from bourre_referee.web.ladder.owner_acts import OwnerActs, ladder_keys
from bourre_referee.web.ladder.owner_api import OwnerApi
from bourre_referee.web.ladder.owner_routes import OwnerRoutes
from bourre_referee.web.live_updates import LiveElement, LiveUpdates
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.page_lookup import RefusedRequest
from bourre_referee.web.render import Pages
from bourre_referee.web.run_app import create_application
from bourre_referee.web.server import DEFAULT_LOG, ServerLog, listener_url, open_listener, serve

MOST_APPS = 8
"""The most epochs whose pages are held in memory."""

_EPOCH = re.compile(r"([1-9][0-9]{0,5})(-unrated)?", re.ASCII)


class EpochApps:
    """Answers the addresses under `/epochs/1` or `/epochs/1-unrated`. Cards wait until the epoch's seed is revealed."""

    def __init__(self, folder: LadderFolder, names: Collection[str], public: str) -> None:
        self._folder = folder
        self._names = names
        self._public = public
        self._apps: OrderedDict[str, Application] = OrderedDict()
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """Watches for changes in the visited epochs."""
        async with anyio.create_task_group() as self._tasks:
            yield
            self.end()

    def end(self) -> None:
        """Disconnects all clients that listen for changes."""
        for application in self._apps.values():
            application.live.feed.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        await self._app(scope["path_params"]["epoch"]).app(scope, receive, send)

    def _app(self, name: str) -> Application:
        if name not in self._apps:
            self._apps[name] = self._open(name)
            while len(self._apps) > MOST_APPS:
                _, oldest = self._apps.popitem(last=False)
                oldest.live.feed.end()
        self._apps.move_to_end(name)
        return self._apps[name]

    def _open(self, name: str) -> Application:
        found = _EPOCH.fullmatch(name)
        place = self._folder.epoch(int(found[1]), rated=not found[2]) if found else None
        try:
            is_there = place is not None and place.has_manifest()
        except ContestError as error:
            raise Unreadable(self._folder.without_place(str(error))) from error
        if place is None or not is_there:
            raise RefusedRequest(404, "this epoch does not exist", "/epochs lists them")
        prefix = f"/epochs/{name}"
        public = f"{self._public}{prefix}" if self._public else ""
        application = create_application(CachedRun(place, cards_wait=True), self._names, None, prefix, public)
        if self._tasks is not None:
            self._tasks.start_soon(application.live.feed.watch)
        return application


def create_ladder_application(
    folder: LadderFolder, name: str, names: Collection[str] = (), public: str = ""
) -> Application:
    """Creates the application for the ladder of this name. `names` are host names allowed besides IP addresses.

    `public` is the address of the board on the internet, if links should show pictures, which needs matplotlib.
    """
    reader, pages = LadderReader(folder), Pages(ServerLinks(public=public), name)

    live, epochs, views = LiveUpdates(live_board(reader, pages)), EpochApps(folder, names, public), EpochViews(folder)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with epochs.lifespan(), live.lifespan(app):
            yield

    def end() -> None:
        live.feed.end()
        epochs.end()

    acts = OwnerActs(reader, ladder_keys(folder))
    apis = [LadderApi(reader, views).router(), OwnerApi(acts).router()]
    shown = [LadderRoutes(reader, pages, views).router(), OwnerRoutes(reader, pages, acts).router()]
    app = build_app([*shown, *apis, _api_page(pages, apis)], pages, live, lifespan, f"The ladder {name}")
    app.router.routes.append(Mount("/epochs/{epoch}", app=epochs))
    return Application(Guard.of(app, names), live, end)


def live_board(reader: LadderReader, pages: Pages) -> LiveElement:
    """Returns the element that shows the board."""

    def read() -> tuple[str, Callable[[], str]]:
        tag, view = newest_board(reader)
        return tag, lambda: pages.render("ladder/board_parts.html", board=view())

    return LiveElement("board", read)


def _api_page(pages: Pages, routers: Sequence[APIRouter]) -> APIRouter:
    """Returns a router for the page that lists the addresses of these routers, for people."""
    routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    page = pages.render("ladder/api.html", routes=routes)
    return page_router({"/api": lambda: HTMLResponse(page)})


@contextmanager
def serve_pages(
    folder: LadderFolder,
    host: str,
    port: int,
    tell: Callable[[str], None],
    names: Collection[str] = (),
    log: ServerLog = DEFAULT_LOG,
    public: str = "",
) -> Iterator[str]:
    """Serves the pages until the end of the block, and yields their address. It calls `tell` when their process died.

    Raises ContestError if nothing can listen there. `names` are host names that browsers may use. `public` is as of
    `create_ladder_application`.
    """
    with closing(open_listener(host, port)) as listener:
        name = folder.settings().contest.name
        with tended("pages", partial(run_pages, folder.path, name, listener, (host, *names), log, public), tell):
            yield listener_url(listener, host)


def run_pages(
    path: Path, name: str, listener: socket.socket, names: Collection[str], log: ServerLog, public: str
) -> None:
    """Serves the pages of the ladder in this folder until SIGTERM."""
    made = create_ladder_application(LadderFolder(path), name, names, public)
    serve(made.app, listener, made.end, log)
