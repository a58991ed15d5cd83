"""A run, and a real server that shows it, in a thread of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from threading import Thread

import httpx

from bourre_referee.storage.void_match import void
from bourre_referee.web.app import Application, application
from bourre_referee.web.browser_connection import Limits
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.owner_logs import Owners
from bourre_referee.web.server import GRANTED, address, listening, server_of
from tests.referee.contests import FILE, played, small_contest
from tests.referee.here import run_here

SECRET = FILE.replace("seed = 7\n", "")
WHEN = datetime(2026, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs."""

    made: Application
    url: str
    """With a slash at its end."""
    client: httpx.Client
    """Asks it, by addresses that begin with a slash."""

    def text(self, path: str) -> str:
        """What is there."""
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text


def finished_run(folder: Path, text: str = FILE) -> Path:
    """A run of ten matches, finished."""
    run_here(small_contest(folder / "contest", text), folder / "run", played)
    return folder / "run"


def copied(run_folder: Path, folder: Path) -> Path:
    """The same, to be spoilt."""
    return Path(copytree(run_folder, folder / "run"))


def take_back(run_folder: Path, match: str) -> None:
    """As `bourre void` does."""
    void(run_folder, match, "the power failed", WHEN)


@contextmanager
def serving(
    folder: Path, names: tuple[str, ...] = (), owners: Owners | None = None, limits: Limits = GRANTED
) -> Iterator[Served]:
    """Serves this run until the end of the block."""
    made = application(CachedRun(folder, rest=0.0), names, owners)
    listener = listening("127.0.0.1", 0)
    server = server_of(made.app, made.news.feed.end, limits)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    url = address(listener, "127.0.0.1")
    thread.start()
    try:
        with closing(httpx.Client(base_url=url, trust_env=False, timeout=60)) as client:
            yield Served(made, url, client)
    finally:
        server.should_exit = True
        thread.join()
