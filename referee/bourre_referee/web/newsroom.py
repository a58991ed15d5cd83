"""The standings as news: what a feed looks at, and who may listen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from fastapi import FastAPI, Request
from markupsafe import escape
from starlette.responses import Response

from bourre_referee.web.cached_run import KeptRun, Unreadable, tag_of
from bourre_referee.web.http_guard import HEAD
from bourre_referee.web.live_updates import MOST_CLIENTS, Feed, News, Stream
from bourre_referee.web.refusal import Refused
from bourre_referee.web.render import Pages

STANDINGS = "standings"
"""The name of the event: within the element of that name it is shown."""


class Newsroom:
    """The address `/live`, and the feed behind it."""

    def __init__(self, kept: KeptRun, pages: Pages, most_clients: int = MOST_CLIENTS) -> None:
        self._kept = kept
        self._pages = pages
        self.most_clients = most_clients
        """As many may listen at once."""
        self.feed = Feed(self.look)

    def look(self, seen: str) -> News | None:
        """The standings, or why there are none, unless they are those of the state `seen`."""
        try:
            state = self._kept.current()
        except Unreadable as error:
            tag = tag_of(str(error))
            return None if tag == seen else News(tag, STANDINGS, f'<p role="status">{escape(str(error))}</p>')
        return None if state.tag == seen else News(state.tag, STANDINGS, self._pages.standings_fragment(state.data))

    async def live(self, request: Request, seen: str = "") -> Response:
        """Sends the standings now, unless the client has `seen` these, and whenever there are new ones."""
        if HEAD in request.scope:
            return Response(media_type=Stream.media_type)
        if self.feed.clients >= self.most_clients:
            raise Refused(503, f"{self.most_clients} listen already", "load the page again to see what is new")
        return Stream(self.feed.listen(request.headers.get("last-event-id", seen)))

    @asynccontextmanager
    async def open(self, app: FastAPI) -> AsyncIterator[None]:
        """Watches while the application runs."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.feed.watch)
            yield
            self.feed.end()
