"""The process that serves the pages of a ladder."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.web.ladder.ladder_app import serve_pages
from tests.referee.web.ladder.shown_ladders import ShownLadder


def test_pages_are_served_until_the_end_of_the_block(tmp_path: Path) -> None:
    ladder = ShownLadder(tmp_path / "host")
    ladder.write_board()
    with serve_pages(ladder.folder, "127.0.0.1", 0, print) as url:
        assert "for-all" in httpx.get(url, trust_env=False, timeout=60).text
        assert httpx.get(f"{url}health", trust_env=False, timeout=60).text == "ok\n"
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    ladder = ShownLadder(tmp_path / "host")
    with serve_pages(ladder.folder, "127.0.0.1", 0, print) as url:
        port = int(url.rstrip("/").rpartition(":")[2])
        with (
            pytest.raises(ContestError, match=f"Cannot listen on port {port}"),
            serve_pages(ladder.folder, "127.0.0.1", port, print),
        ):
            raise AssertionError("two servers listen on one port")
