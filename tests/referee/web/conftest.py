"""Fixtures: runs that all files share, each played once; servers that show them; and one browser for each file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from bourre_referee.storage.run.run import Run
from bourre_referee.web.site_writer import write_site
from tests.referee import contests
from tests.referee.in_process import finished_run
from tests.referee.web.browser import chromium, watch_page
from tests.referee.web.runs import duplicate_run, hostile_run
from tests.referee.web.serving import Served, copy_run, serving
from tests.referee.web.viewing import mischievous_match, write_replay


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as it:
        yield it


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The replay of a match in which bots renege; nothing moves."""
    with watch_page(browser, tmp_path.as_uri()) as page:
        page.goto(write_replay(mischievous_match(), tmp_path))
        yield page


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of bots without faults; nothing writes to it."""
    return finished_run(tmp_path_factory.mktemp("finished"), played=contests.played)


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of `finished` that a test may damage."""
    return copy_run(finished, tmp_path)


@pytest.fixture(scope="module")
def served(finished: Path) -> Iterator[Served]:
    """A server that shows `finished`."""
    with serving(finished) as it:
        yield it


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of bots that renege and commit faults."""
    return finished_run(tmp_path_factory.mktemp("faulty"))


@pytest.fixture(scope="session")
def site(faulty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static site of `faulty`."""
    folder = tmp_path_factory.mktemp("pages") / "site"
    write_site(Run.open(faulty), folder)
    return folder


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run whose bots have names that no contest file accepts."""
    return hostile_run(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="session")
def duplicate_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of format `duplicate`."""
    return duplicate_run(tmp_path_factory.mktemp("twice"))
