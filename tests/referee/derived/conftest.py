"""A finished run, each format played once, and a cache for what is derived from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from bourre_referee.derived import result_cache
from bourre_referee.derived.result_cache import ResultCache
from bourre_referee.storage.run.run import Run
from tests.referee.in_process import finished_run


@pytest.fixture(scope="session")
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run; of format `session`, unless the test says otherwise."""
    play: Callable[[Path], Path] = getattr(request, "param", finished_run)
    return play(tmp_path_factory.mktemp("finished"))


@pytest.fixture
def run(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A copy of the run, which the test may damage, and which is worth keeping something of."""
    monkeypatch.setattr(result_cache, "WORTH_KEEPING", 1)
    return Run.open(Path(copytree(finished, tmp_path / "run")))


@pytest.fixture
def cache(tmp_path: Path) -> ResultCache:
    """An empty cache."""
    return ResultCache(tmp_path / "cache")
