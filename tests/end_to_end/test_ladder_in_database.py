"""Ladders in a database, served with real rooms: a host that falls silent is replaced, and stores nothing more."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import RoomFinished, RoomVoided
from bourre_referee.verify.ladder_check import verify_epoch
from tests.end_to_end.example_ladders import example_ladder
from tests.postgres_server import PostgresServer
from tests.referee.ladder.host.hosts import events
from tests.referee.leading_program import read_until

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.long, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ladder(postgres: PostgresServer, tmp_path: Path) -> LadderFolder:
    """A ladder of three hosted bots in a database."""
    return example_ladder(tmp_path, rooms=4, name=f"l{uuid4().hex[:12]}", database=postgres.url)


@contextmanager
def serving(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Serves the ladder with this folder in a process of its own, without pages."""
    command = [sys.executable, "-m", "bourre_referee", "ladder", "start", str(folder), "--no-pages", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        process.stdout = process.stderr  # what `read_until` reads
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()


def wait_for_rooms(ladder: LadderFolder, rooms: int) -> None:
    """Follows the log until so many more rooms are finished."""
    log = ladder.open_log()
    log.read_new()
    while rooms > 0:
        rooms -= sum(isinstance(logged.event, RoomFinished) for logged in log.read_new())


def finished(ladder: LadderFolder) -> list[int]:
    return [event.room for event in events(ladder) if isinstance(event, RoomFinished)]


def test_a_host_that_falls_silent_is_replaced_and_stores_nothing_more(ladder: LadderFolder, tmp_path: Path) -> None:
    copy = LadderFolder(Path(shutil.copytree(ladder.path, tmp_path / "elsewhere")))  # as on another machine
    with serving(ladder.path) as first:
        read_until(first, "Serving")
        with serving(copy.path) as second:
            assert "another referee leads" in read_until(second, "standing by")
            wait_for_rooms(ladder, 2)
            first.send_signal(signal.SIGSTOP)
            read_until(second, "Serving")
            wait_for_rooms(copy, 6)
            first.send_signal(signal.SIGCONT)
            assert "another" in read_until(first, "now. What this one")  # said of its log, or of the run of an epoch
            assert first.wait() == 1
            second.send_signal(signal.SIGINT)
            read_until(second, "The same command continues")
            assert second.wait() == 0
    rooms = finished(copy)
    assert sorted(rooms) == sorted(set(rooms))
    assert not any(isinstance(event, RoomVoided) for event in events(copy))
    verified = verify_epoch(copy.path, 1, jobs=1)
    assert (verified.rooms, verified.paired_again) == (4, True)
    assert verify_epoch(ladder.path, 2, jobs=1).rooms == 4
