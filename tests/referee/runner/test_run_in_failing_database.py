"""A contest whose database fails at any one call after it began ends as if nothing had happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.runner import interrupt
from bourre_referee.runner.contest_run import run
from bourre_referee.storage.run.run_location import place_in_database
from tests.failing_database import failing
from tests.long_tests import parts
from tests.postgres_server import PostgresServer
from tests.referee import contests, rooms
from tests.referee.in_process import run_in_process
from tests.referee.ladder.host.database_ladders import new_name
from tests.referee.scripted_rooms import ScriptedRooms

pytestmark = pytest.mark.xdist_group("processes")

FIRST = 20
"""The first call after it took the lead. Before that, a contest says at once that the server is gone."""

PARTS = 40
"""Each part fails every 40th call."""


def play(contest: Contest, postgres: PostgresServer, folder: Path, fails_at: int) -> tuple[int, str | None, list[str]]:
    """Plays a contest. Returns how many calls it made, its digest, and what it told."""
    told: list[str] = []
    place = place_in_database(postgres.url, contest.name, folder / "logs")
    place.make()  # the first contest of a server makes its tables, with more calls than others
    with failing(fails_at) as calls:
        digest = run(contest, place, tell=told.append, executor=ScriptedRooms().make).manifest.digest
    return calls.made, digest, [text for text in told if "UTC: " in text]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", parts(every_run=1, whole=PARTS))
def test_a_contest_waits_wherever_its_database_fails(
    postgres: PostgresServer, tmp_path: Path, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interrupt, "sleep", lambda seconds: None)
    fails_at, made = 0, 1
    while fails_at < made:
        folder = tmp_path / str(fails_at)
        contest = contests.small_contest(folder, contests.FILE.replace("small", new_name()))
        calls, digest, told = play(contest, postgres, folder, fails_at)
        assert digest == run_in_process(contest, folder / "run", rooms.played).manifest.digest, fails_at
        if fails_at:
            assert "the server is gone" in told[0], fails_at
            assert "back" in told[-1], fails_at
            fails_at += PARTS
        else:
            assert not told
            made, fails_at = calls, FIRST + part
