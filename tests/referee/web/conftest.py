"""The runs that all files look at, each played once, what shows them, and the browser that a file shares."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.web.site.site_writer import write_site
from tests.referee.contests import small_contest
from tests.referee.here import run_here
from tests.referee.web.browser import chromium
from tests.referee.web.runs import duplicate_run, hostile_run
from tests.referee.web.serving import Served, copied, finished_run, serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as it:
        yield it


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of bots that do no wrong; nobody writes into it."""
    return finished_run(tmp_path_factory.mktemp("finished"))


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A copy, to be spoilt."""
    return copied(finished, tmp_path)


@pytest.fixture(scope="module")
def served(finished: Path) -> Iterator[Served]:
    """A server that shows it."""
    with serving(finished) as it:
        yield it


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of bots that renege, and are at fault."""
    place = tmp_path_factory.mktemp("kept")
    run_here(small_contest(place / "contest"), place / "run")
    return place / "run"


@pytest.fixture(scope="session")
def site(kept: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its pages."""
    folder = tmp_path_factory.mktemp("pages") / "site"
    write_site(RunFolder.open(kept), folder)
    return folder


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run whose bots have names that no contest file takes."""
    return hostile_run(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="session")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of format `duplicate`."""
    return duplicate_run(tmp_path_factory.mktemp("twice"))
