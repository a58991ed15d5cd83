"""Serve a run with a real server in a thread of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from threading import Thread

import httpx
import pytest

from bourre_referee.storage.run.tokens import TokenFile
from bourre_referee.storage.run.void_match import void
from bourre_referee.web import cached_run, record_sums
from bourre_referee.web.app_shell import Application
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.data import rating_histories
from bourre_referee.web.owner_access import COOKIE, OwnerKeys
from bourre_referee.web.run_app import create_application
from bourre_referee.web.server import DEFAULT_LIMITS, HttpLimits, listener_url, make_server, open_listener
from tests.referee.contests import FILE

SECRET = FILE.replace("seed = 7\n", "")
OWNERS = OwnerKeys(b"k" * 32, TokenFile(Path("no such file")))
"""Keys of which none was renewed."""
WHEN = datetime(2026, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    application: Application
    url: str
    """Ends with a slash."""
    client: httpx.Client
    """A client of the server; its addresses begin with a slash."""

    def text(self, path: str, key: str = "") -> str:
        """Returns the text at this address, for the owner who has this key."""
        answer = self.client.get(path, headers=cookie(key) if key else {})
        assert answer.status_code == 200, answer.text
        return answer.text


def key_of(bot: str) -> str:
    """Returns the key of a bot among `OWNERS`."""
    key = OWNERS.key(bot)
    assert key
    return key


def cookie(key: str) -> dict[str, str]:
    """Returns the header of an owner who has logged in with this key."""
    return {"Cookie": f"{COOKIE}={key}"}


def copy_run(run_folder: Path, folder: Path) -> Path:
    """Copies a run, so that a test may damage it."""
    return Path(copytree(run_folder, folder / "run"))


def void_match(run_folder: Path, match: str) -> None:
    """Voids a match as `bourre annul` does."""
    void(run_folder, match, "the power failed", WHEN)


@contextmanager
def computing_here() -> Iterator[None]:
    """Lets the server compute in this process: to start others, which have tests of their own, takes a second each."""

    with pytest.MonkeyPatch.context() as patch:
        for module in (cached_run, rating_histories, record_sums):
            patch.setattr(module, "compute_in_process", lambda work, task: work(task))
        yield


@contextmanager
def serving(
    folder: Path, names: tuple[str, ...] = (), owners: OwnerKeys | None = None, limits: HttpLimits = DEFAULT_LIMITS
) -> Iterator[Served]:
    """Serves this run until the end of the block."""
    with computing_here(), _serving(folder, names, owners, limits) as it:
        yield it


@contextmanager
def _serving(folder: Path, names: tuple[str, ...], owners: OwnerKeys | None, limits: HttpLimits) -> Iterator[Served]:
    application = create_application(CachedRun(folder, rest=0.0), names, owners)
    listener = open_listener("127.0.0.1", 0)
    server = make_server(application.app, application.end, limits)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    url = listener_url(listener, "127.0.0.1")
    thread.start()
    try:
        with closing(httpx.Client(base_url=url, trust_env=False, timeout=60)) as client:
            yield Served(application, url, client)
    finally:
        server.should_exit = True
        thread.join()
