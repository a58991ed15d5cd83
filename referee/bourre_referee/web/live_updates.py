"""Sends new standings, or a new board, to browsers as server-sent events, from one watcher for all."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass

import anyio
from fastapi import FastAPI, Request
from markupsafe import escape
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from bourre_referee.web.cached_run import Unreadable, tag_of
from bourre_referee.web.http_guard import HEAD
from bourre_referee.web.page_lookup import RefusedRequest

LOG = logging.getLogger("uvicorn.error")
"""The log that also receives failures of answers."""

EVERY_S = 0.5
"""Seconds between two looks at the run's files. Three calls of `stat` cost nothing, and network file systems have
no notifications."""
HEARTBEAT_S = 2.0
"""Seconds of silence before the server says that it is here, so that a page soon shows a lost connection."""
HERE = b"event: here\ndata:\n\n"
SEND_S = 30.0
"""Seconds for a client to read its data before it is disconnected."""
MOST_CLIENTS = 500


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """A server-sent event."""

    tag: str
    """The tag of the state that it reports."""
    name: str
    text: str

    def __bytes__(self) -> bytes:
        """Encodes the event (html.spec.whatwg.org/multipage/server-sent-events.html)."""
        # Only these end a line in an event. `splitlines` splits at more.
        lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        data = "".join(f"data: {line}\n" for line in lines)
        return f"id: {self.tag}\nevent: {self.name}\n{data}\n".encode()


class Feed:
    """Watches for changes while anyone listens. It holds only the newest event, so a slow client misses older ones."""

    def __init__(self, look: Callable[[str], ServerEvent | None], every_s: float = EVERY_S) -> None:
        """`look(tag)` runs in a thread, and returns an event if the state has another tag, otherwise None."""
        self._look = look
        self._every_s = every_s
        self._latest: ServerEvent | None = None
        self._changed = asyncio.Event()
        self._wanted = asyncio.Event()
        self._ending = asyncio.Event()
        self.clients = 0
        """The number of clients that listen now."""

    async def watch(self) -> None:
        """Looks for changes until the feed ends."""
        while not self._ending.is_set():
            await self._wanted.wait()
            try:
                event = await asyncio.to_thread(self._look, self._latest.tag if self._latest else "")
            except Exception:
                LOG.exception("a look for changes failed, but the next may succeed")
            else:
                self._publish(event)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), self._every_s)

    def end(self) -> None:
        """Stops watching, and disconnects every client."""
        self._ending.set()
        self._changed.set()
        self._wanted.set()

    async def listen(self, seen: str, heartbeat_s: float = HEARTBEAT_S) -> AsyncGenerator[bytes, None]:
        """Yields the data for a client that has seen the state with the tag `seen`."""
        self.clients += 1
        self._wanted.set()
        try:
            yield b"retry: 2000\n\n"
            while not self._ending.is_set():
                changed = self._changed
                if self._latest and self._latest.tag != seen:
                    seen = self._latest.tag
                    yield bytes(self._latest)
                    continue
                try:
                    await asyncio.wait_for(changed.wait(), heartbeat_s)
                except TimeoutError:
                    yield HERE
        finally:
            self.clients -= 1
            if not self.clients and not self._ending.is_set():
                self._wanted.clear()

    def _publish(self, event: ServerEvent | None) -> None:
        if event is None:
            return
        self._latest = event
        before, self._changed = self._changed, asyncio.Event()
        before.set()


class EventStream(Response):
    """An answer of server-sent events, until they end, or the client leaves or stops reading."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[bytes, None], send_s: float = SEND_S) -> None:
        # Turn off the buffers of nginx, which would delay events.
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["Content-Length"]
        self._events = events
        self._send_s = send_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the events."""
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                await sending
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._events) as events:
            async for event in events:
                try:
                    await asyncio.wait_for(send(_part(event)), self._send_s)
                except TimeoutError:
                    return
        await send(_part(b"", more=False))


def _part(body: bytes, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@dataclass(frozen=True, slots=True)
class LiveElement:
    """Looks for new content of one element of a page."""

    name: str
    """The name of the event, and of the element that shows it."""
    read: Callable[[], tuple[str, Callable[[], str]]]
    """Returns the tag of the current state, and a function that makes the content. Raises Unreadable."""

    def __call__(self, seen: str) -> ServerEvent | None:
        """Returns the content, or the reason why it cannot be read. None if `seen` is its tag."""
        try:
            tag, make = self.read()
        except Unreadable as error:
            tag, text = tag_of(str(error)), f'<p role="status">{escape(str(error))}</p>'
            return None if tag == seen else ServerEvent(tag, self.name, text)
        return None if tag == seen else ServerEvent(tag, self.name, make())


class LiveUpdates:
    """Answers `/live` from one feed."""

    def __init__(self, look: Callable[[str], ServerEvent | None], most_clients: int = MOST_CLIENTS) -> None:
        """`look` is as for a `Feed`."""
        self.most_clients = most_clients
        """The most clients that may listen at once."""
        self.feed = Feed(look)

    async def stream(self, request: Request, seen: str = "") -> Response:
        """Sends the news now, unless the client has `seen` them, and again whenever they change."""
        if HEAD in request.scope:
            return Response(media_type=EventStream.media_type)
        if self.feed.clients >= self.most_clients:
            raise RefusedRequest(
                503, f"{self.most_clients} clients already listen", "reload the page to see what is new"
            )
        return EventStream(self.feed.listen(request.headers.get("last-event-id", seen)))

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        """Watches for changes while the application runs."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.feed.watch)
            yield
            self.feed.end()
