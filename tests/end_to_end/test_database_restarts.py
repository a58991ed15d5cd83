"""A ladder whose database server restarts a hundred times while rooms play: none is lost, void or stored twice."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import RoomFinished, RoomVoided
from bourre_referee.verify.ladder_check import verify_epoch
from tests.end_to_end.example_ladders import EXAMPLES
from tests.postgres_server import PostgresServer
from tests.referee.ladder.host.hosts import events

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.long, pytest.mark.timeout(3600)]

RESTARTS = 100
MOST_EVENTS = 6
"""The most events between two restarts."""
FILE = """
[ladder]
name = "restarts"
[table]
seats = 2
deals = 2
[clock]
start_ms = 120000
decision_ms = 60000
[isolation]
level = "none"
[epoch]
rooms = 10
"""


def make_ladder(folder: Path, url: str) -> LadderFolder:
    """Makes a ladder for three rooms at a time."""
    (folder / "ladder.toml").write_text(FILE)
    ladder = new_ladder(folder / "ladder", folder / "ladder.toml", database=url)
    for number in range(6):
        add_hosted(ladder, Newcomer(f"tight{number}"), ("python", "tight.py"), (), EXAMPLES)
    return ladder


def wait_for_events(ladder: LadderFolder, host: subprocess.Popen[bytes], number: int) -> None:
    """Follows the log until it has so many more. The host must not end meanwhile."""
    log = ladder.open_log()
    log.read_new()
    while number > 0:
        assert host.poll() is None
        number -= len(log.read_new())


def test_restarts_at_random_lose_no_room(postgres: PostgresServer, tmp_path: Path) -> None:
    ladder, chance = make_ladder(tmp_path, postgres.url), Random(1)
    command = [sys.executable, "-m", "bourre_referee", "ladder", "start", str(ladder.path), "--no-pages", "--jobs", "3"]
    with (tmp_path / "said").open("w+") as said, subprocess.Popen(command, stderr=said) as host:
        try:
            for _ in range(RESTARTS):
                wait_for_events(ladder, host, chance.randint(1, MOST_EVENTS))
                postgres.stop(chance.choice(("immediate", "fast")))
                postgres.start()
            wait_for_events(ladder, host, 30)
            host.send_signal(signal.SIGTERM)
            assert host.wait() == 0
        finally:
            print((tmp_path / "said").read_text())  # for a failure
            host.kill()
    rooms = [event.room for event in events(ladder) if isinstance(event, RoomFinished)]
    assert len(rooms) == len(set(rooms)) > 10
    assert not any(isinstance(event, RoomVoided) for event in events(ladder))
    log = ladder.open_log()
    log.read()
    closed = [epoch.number for epoch in log.state.seasons.epochs if epoch.closed]
    assert closed
    for epoch in closed:
        verify_epoch(ladder.path, epoch, jobs=1)
