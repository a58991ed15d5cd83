"""The application behind `bourre serve`: all its addresses, for one run folder."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from bourre_referee.web.api.openapi import api_router
from bourre_referee.web.bot_routes import BotRoutes
from bourre_referee.web.cached_answers import read_static_files
from bourre_referee.web.cached_counts import CachedCounts
from bourre_referee.web.cached_moments import CachedMoments
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.error_pages import ErrorHandlers
from bourre_referee.web.http_guard import Guard
from bourre_referee.web.live_updates import LiveUpdates, StandingsLook
from bourre_referee.web.log_routes import LogRoutes
from bourre_referee.web.owner_keys import OwnerKeys
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.page_routes import PageRoutes
from bourre_referee.web.render import Pages


@dataclass(frozen=True, slots=True)
class Application:
    """What a server needs to run the application."""

    app: Guard
    live: LiveUpdates


def create_application(
    cached: CachedRun, names: Collection[str] = (), owners: OwnerKeys | None = None, prefix: str = ""
) -> Application:
    """Create the application for this run; `names` are host names allowed besides IP addresses and `localhost`.

    All its addresses begin with `prefix`, which the application that it is mounted in takes off.
    """
    pages = Pages(ServerLinks(prefix))
    moments = CachedMoments()
    live = LiveUpdates(StandingsLook(cached, pages, moments))
    counts = CachedCounts(cached.cache)
    app = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=live.lifespan,
        middleware=[Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)],
    )
    app.include_router(PageRoutes(cached, pages, counts, moments).router())
    app.include_router(BotRoutes(cached, pages, counts, logs=owners is not None).router())
    if owners:
        app.include_router(LogRoutes(cached, pages, owners).router())
    app.include_router(api_router(cached, pages))
    app.add_api_route("/live", live.stream, include_in_schema=False, response_model=None)
    app.add_api_route("/static/{name}", read_static_files().answer, include_in_schema=False, response_model=None)
    ErrorHandlers(pages).register(app)
    return Application(Guard(app, frozenset(name.lower() for name in names)), live)
