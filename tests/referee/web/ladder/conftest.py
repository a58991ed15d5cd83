"""A ladder that all tests share, which only read it, and a server that shows it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.referee.web.ladder.shown_ladders import ServedLadder, busy_ladder, serving_ladder


@pytest.fixture(scope="session")
def served_ladder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedLadder]:
    with serving_ladder(busy_ladder(tmp_path_factory.mktemp("shown") / "host")) as it:
        yield it
