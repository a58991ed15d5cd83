"""The pages of a ladder in a database show its log and epochs, and never where they are."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from bourre_referee.web.ladder.ladder_app import serve_pages
from tests.postgres_server import PostgresServer
from tests.referee.ladder.host.database_ladders import make_in_database
from tests.referee.ladder.host.hosts import SHORT_EPOCHS, host
from tests.referee.ladder.host.ladder_folders import with_bots

pytestmark = pytest.mark.xdist_group("processes")


def test_the_pages_of_a_ladder_in_a_database(postgres: PostgresServer, tmp_path: Path) -> None:
    ladder = make_in_database(tmp_path, SHORT_EPOCHS, postgres.url)
    with_bots(ladder, tmp_path, "a", "b")
    with host(ladder) as serving:
        serving.steps(6)
    lines = b"".join(line for line, _ in ladder.lines.read_after(0))
    with (
        serve_pages(ladder, "127.0.0.1", 0, print) as url,
        httpx.Client(base_url=url, trust_env=False, timeout=60) as client,
    ):
        assert client.get("/ladder.jsonl").content == lines
        assert "1-unrated" in client.get("/epochs").text
        assert client.get("/epochs/1/").status_code == 200
        assert client.get("/epochs/1/matches/m0001").status_code == 200
        assert client.get("/epochs/1/files/manifest.json").status_code == 404
        assert client.get("/epochs/9/").status_code == 404
        postgres.stop("immediate")
        try:
            gone = [client.get(page) for page in ("/epochs", "/epochs/2/")]
        finally:
            postgres.start()
        for answer in gone:
            assert (answer.status_code, "the server is gone" in answer.text) == (503, True)
            assert "postgresql://" not in answer.text
        assert client.get("/epochs").status_code == 200
