"""A database that is gone for a while: play goes on, what finishes is kept in order, bounded, and stored once."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import StoreGone
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import place_in_database
from tests.postgres_server import PostgresServer
from tests.referee import contests, rooms

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    text = contests.FILE.replace("small", f"small-{uuid4().hex[:12]}")
    return contests.small_contest(tmp_path / "contest", text)


def test_play_goes_on_while_the_server_is_gone(contest: Contest, stoppable: PostgresServer, tmp_path: Path) -> None:
    told: list[str] = []

    def watch(progress: Progress) -> None:
        if progress.latest and progress.done == 3:
            stoppable.stop("immediate")
        if progress.latest and progress.done == 7:
            stoppable.start()

    place = place_in_database(stoppable.url, contest.name, tmp_path / "logs")
    played = run(contest, place, jobs=1, watch=watch, tell=told.append, play_room=rooms.play_room)
    undisturbed = run(contest, tmp_path / "run", jobs=1, play_room=rooms.play_room)
    assert (played.manifest.digest, played.manifest.chain) == (undisturbed.manifest.digest, undisturbed.manifest.chain)
    assert [match.attempt for match in played.stored_matches()] == [1] * 10
    assert played.voids() == []
    gone, back = told
    assert "the server is gone: start it, or check the network" in gone
    assert gone.endswith("what finishes meanwhile is kept, and stored when the server is back")
    assert back.endswith("the server is back; what was kept is being stored")


def test_a_run_that_ends_while_the_server_is_gone_says_what_is_lost(
    contest: Contest, stoppable: PostgresServer, tmp_path: Path
) -> None:
    def watch(progress: Progress) -> None:
        if progress.latest and progress.done == 3:
            stoppable.stop("immediate")
        if progress.latest and progress.done == 6:
            raise KeyboardInterrupt

    place = place_in_database(stoppable.url, contest.name, tmp_path / "logs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bourre_referee.runner.interrupt.InterruptibleWait.wait", lambda *_: False)
        with pytest.raises(StoreGone, match="4 changes since then, such as finished rooms, are not stored"):
            run(contest, place, jobs=1, watch=watch, play_room=rooms.play_room)
    stoppable.start()
    assert len(Run.open(place).matches()) == 3
    again = run(contest, place, jobs=1, play_room=rooms.play_room)
    assert again.manifest.digest == run(contest, tmp_path / "run", jobs=1, play_room=rooms.play_room).manifest.digest
