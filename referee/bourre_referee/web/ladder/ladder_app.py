"""The application behind `bourre ladder serve`: all its addresses, for one ladder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.web.cached_answers import read_static_files
from bourre_referee.web.error_pages import ErrorHandlers
from bourre_referee.web.http_guard import Guard
from bourre_referee.web.ladder.api_page import api_page
from bourre_referee.web.ladder.board_look import BoardLook
from bourre_referee.web.ladder.epoch_apps import EpochApps
from bourre_referee.web.ladder.epoch_views import EpochViews
from bourre_referee.web.ladder.ladder_api import LadderApi
from bourre_referee.web.ladder.ladder_owners import ladder_keys
from bourre_referee.web.ladder.ladder_pages import LadderPages
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.ladder.ladder_routes import LadderRoutes
from bourre_referee.web.ladder.owner_acts import OwnerActs
from bourre_referee.web.ladder.owner_api import OwnerApi
from bourre_referee.web.ladder.owner_routes import OwnerRoutes
from bourre_referee.web.live_updates import LiveUpdates
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.render import Pages


@dataclass(frozen=True, slots=True)
class LadderApplication:
    """What a server needs to run the application."""

    app: Guard
    live: LiveUpdates
    epochs: EpochApps

    def end(self) -> None:
        """Disconnects all that listen for changes."""
        self.live.feed.end()
        self.epochs.end()


def create_ladder_application(folder: LadderFolder, name: str, names: Collection[str] = ()) -> LadderApplication:
    """Creates the application for the ladder of this name; `names` are host names allowed besides IP addresses."""
    allowed = frozenset(each.lower() for each in names)
    reader, pages = LadderReader(folder), LadderPages(name)
    keys, acts = ladder_keys(folder), OwnerActs(reader)
    live, epochs, views = LiveUpdates(BoardLook(reader, pages)), EpochApps(folder, allowed), EpochViews(folder)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with epochs.lifespan(), live.lifespan(app):
            yield

    app = FastAPI(
        title=f"The ladder {name}",
        openapi_url="/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        middleware=[Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)],
    )
    app.include_router(LadderRoutes(reader, pages, views).router())
    app.include_router(OwnerRoutes(reader, pages, keys, acts).router())
    apis = [LadderApi(reader, views).router(), OwnerApi(reader, keys, acts).router()]
    for router in (*apis, api_page(pages, apis)):
        app.include_router(router)
    app.add_api_route("/live", live.stream, include_in_schema=False, response_model=None)
    app.add_api_route("/static/{name}", read_static_files().answer, include_in_schema=False, response_model=None)
    app.router.routes.append(Mount("/epochs/{epoch}", app=epochs))
    ErrorHandlers(Pages(ServerLinks())).register(app)
    return LadderApplication(Guard(app, allowed), live, epochs)
