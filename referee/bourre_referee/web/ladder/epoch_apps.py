"""The pages of each epoch, which are those of a contest, below the pages of their ladder."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup
from starlette.types import Receive, Scope, Send

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.model.errors import ContestError
from bourre_referee.web.app import Application, create_application
from bourre_referee.web.cached_run import CachedRun, Unreadable
from bourre_referee.web.page_lookup import RefusedRequest

MOST_APPS = 8
"""The most epochs whose pages are held in memory."""

_EPOCH = re.compile(r"([1-9][0-9]{0,5})(-unrated)?", re.ASCII)


class EpochApps:
    """Answers what follows `/epochs/1` or `/epochs/1-unrated`; cards wait until the epoch's seed is revealed."""

    def __init__(self, folder: LadderFolder, names: Collection[str]) -> None:
        self._folder = folder
        self._names = names
        self._apps: OrderedDict[str, Application] = OrderedDict()
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """Watches for changes of the epochs that are looked at."""
        async with anyio.create_task_group() as self._tasks:
            yield
            self.end()

    def end(self) -> None:
        """Disconnects all that listen for changes."""
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
            raise RefusedRequest(404, "there is no such epoch", "/epochs lists them")
        application = create_application(CachedRun(place, cards_wait=True), self._names, None, f"/epochs/{name}")
        if self._tasks is not None:
            self._tasks.start_soon(application.live.feed.watch)
        return application
