"""A ladder that all tests of one file share, and a server that shows it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.referee.web.ladder.shown_ladders import ServedLadder, busy_ladder, serving_ladder


@pytest.fixture(scope="module")
def served_ladder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedLadder]:
    with serving_ladder(busy_ladder(tmp_path_factory.mktemp("shown") / "host")) as it:
        yield it
