"""The application behind `bourre view`: all its addresses, for one run folder."""

from __future__ import annotations

from collections.abc import Callable, Collection

from bourre_referee.web.api.openapi import api_router
from bourre_referee.web.app_shell import Application, build_app
from bourre_referee.web.cached_bot_deals import CachedBotDeals
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.http_guard import Guard
from bourre_referee.web.live_updates import LiveElement, LiveUpdates
from bourre_referee.web.owner_access import OwnerKeys
from bourre_referee.web.owner_logs import LogRoutes
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.page_routes import PageRoutes
from bourre_referee.web.picture_routes import PictureRoutes
from bourre_referee.web.record_sums import CachedCounts, CachedMoments
from bourre_referee.web.render import Pages


def create_application(
    cached: CachedRun, names: Collection[str] = (), owners: OwnerKeys | None = None, prefix: str = "", public: str = ""
) -> Application:
    """Creates the application for this run. `names` are host names allowed besides IP addresses and `localhost`.

    All its addresses begin with `prefix`, which the outer application removes. `public` is the address of the
    first page on the internet, if links to it should show a picture, which needs matplotlib.
    """
    links = ServerLinks(prefix, public=public)
    pages = Pages(links)
    moments = CachedMoments()

    def standings() -> tuple[str, Callable[[], str]]:
        state = cached.current()
        event = moments.event(state)
        return event.tag, lambda: pages.event("parts/front.html", state.data, event.data)

    live = LiveUpdates(LiveElement("standings", standings))
    routers = [
        PageRoutes(
            cached, pages, CachedCounts(cached.cache), moments, CachedBotDeals(), logs=owners is not None
        ).router(),
        *([PictureRoutes(cached, moments, links).router()] if public else []),
        *([LogRoutes(cached, pages, owners).router()] if owners else []),
        api_router(cached, pages),
    ]
    app = build_app(routers, pages, live, live.lifespan)
    return Application(Guard.of(app, names), live, live.feed.end)
