"""One referee leads a contest in a database; another takes over when it falls silent, and a late one stores nothing."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.runner.contest_run import run
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import RunLocation, place_in_database
from tests.postgres_server import PostgresServer
from tests.referee import contests, rooms
from tests.referee.command import Bourre
from tests.referee.leading_program import read_until, start

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    os.mkfifo(tmp_path / "pipe")
    text = contests.FILE.replace("small", f"small-{uuid4().hex[:12]}")
    return contests.small_contest(tmp_path / "contest", text)


@pytest.fixture
def place(contest: Contest, postgres: PostgresServer, tmp_path: Path) -> RunLocation:
    return place_in_database(postgres.url, contest.name, tmp_path / "logs")


@pytest.fixture
def leader(contest: Contest, postgres: PostgresServer, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A referee that has stored four of ten matches, and plays the fifth until the pipe is written."""
    with start(tmp_path, postgres.url, "m0005") as program:
        read_until(program, "done 4")
        yield program
        program.kill()


@pytest.fixture
def second(leader: subprocess.Popen[str], postgres: PostgresServer, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A referee that stands by."""
    with start(tmp_path, postgres.url, "") as program:
        assert "standing by: another referee leads" in read_until(program, "told")
        yield program
        program.kill()


def serial_digest(contest: Contest, folder: Path) -> str | None:
    return run(contest, folder, jobs=1, play_room=rooms.play_room).manifest.digest


def test_a_leader_that_falls_silent_is_replaced_and_stores_nothing_more(
    leader: subprocess.Popen[str],
    second: subprocess.Popen[str],
    contest: Contest,
    place: RunLocation,
    tmp_path: Path,
    bourre: Bourre,
) -> None:
    refused = bourre("void", str(place), "m0001", "--reason", "smoke")
    assert refused.code == 2
    assert "another referee leads this contest; wait for it, or stop it, and try again" in refused.err
    leader.send_signal(signal.SIGSTOP)
    assert read_until(second, "done") == "done 4\n"
    read_until(second, "ended")
    taken_over = Run.open(place)
    assert taken_over.manifest.digest == serial_digest(contest, tmp_path / "serial")
    before = place.state()
    (tmp_path / "pipe").write_bytes(b"go on")  # the room of the first ends, and is reported when it wakes
    leader.send_signal(signal.SIGCONT)
    assert "another referee leads this contest by now" in read_until(leader, "LeadLost")
    assert leader.wait() == 0
    assert place.state() == before
    assert [match.attempt for match in taken_over.stored_matches()] == [1] * 10
    assert taken_over.voids() == []


@pytest.mark.long
def test_a_server_that_restarts_has_one_leader_again(
    leader: subprocess.Popen[str],
    second: subprocess.Popen[str],
    contest: Contest,
    place: RunLocation,
    postgres: PostgresServer,
    tmp_path: Path,
) -> None:
    postgres.stop("immediate")
    postgres.start()
    (tmp_path / "pipe").write_bytes(b"go on")
    said = [(program.communicate()[0]) for program in (leader, second)]
    # Whoever is first to come back goes on; the other one comes too late, or finds that all is done.
    assert said[1].endswith("ended\n")
    assert said[0].endswith("ended\n") or "LeadLost" in said[0]
    assert Run.open(place).manifest.digest == serial_digest(contest, tmp_path / "serial")
    assert [match.attempt for match in Run.open(place).stored_matches()] == [1] * 10


@pytest.mark.long
def test_a_second_referee_can_be_stopped_while_it_stands_by(second: subprocess.Popen[str]) -> None:
    second.send_signal(signal.SIGINT)
    assert second.wait() != 0
