"""The application behind `bourre serve`: every address, for one run folder."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from bourre_referee.web.api.openapi import api_router
from bourre_referee.web.bot_routes import BotRoutes
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.error_pages import Teller
from bourre_referee.web.http_guard import Guard
from bourre_referee.web.live_updates import Newsroom
from bourre_referee.web.owner_logs import Owners
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.page_routes import PageRoutes
from bourre_referee.web.render import Pages
from bourre_referee.web.static_files import static_files


@dataclass(frozen=True, slots=True)
class Application:
    """What a server needs to run the application."""

    app: Guard
    news: Newsroom
    bots: BotRoutes


def application(kept: CachedRun, names: Collection[str] = (), owners: Owners | None = None) -> Application:
    """Make the application for this run; `names` are host names allowed besides IP addresses and `localhost`."""
    pages = Pages(ServerLinks())
    news = Newsroom(kept, pages)
    bots = BotRoutes(kept, pages, owners)
    app = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=news.open,
        middleware=[Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)],
    )
    app.include_router(PageRoutes(kept, pages).router())
    app.include_router(bots.router())
    app.include_router(api_router(kept, pages))
    app.add_api_route("/live", news.live, include_in_schema=False, response_model=None)
    app.add_api_route("/static/{name}", static_files().answer, include_in_schema=False, response_model=None)
    Teller(pages).listen(app)
    return Application(Guard(app, frozenset(name.lower() for name in names)), news, bots)
