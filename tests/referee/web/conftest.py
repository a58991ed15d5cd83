"""Fixtures: runs that all files share, each played once; servers that show them; and one browser for each file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bourre_referee.storage.run.run import Run
from bourre_referee.web.site_writer import write_site
from tests.referee.contests import small_contest
from tests.referee.in_process import run_in_process
from tests.referee.web.browser import chromium
from tests.referee.web.runs import duplicate_run, hostile_run
from tests.referee.web.serving import Served, copy_run, finished_run, serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as it:
        yield it


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of bots without faults; nothing writes to it."""
    return finished_run(tmp_path_factory.mktemp("finished"))


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
    place = tmp_path_factory.mktemp("faulty")
    run_in_process(small_contest(place / "contest"), place / "run")
    return place / "run"


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
