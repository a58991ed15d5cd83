"""A ladder that is served: hosted and remote bots, a host that is killed, and epochs that anyone can verify."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_host import serve_ladder
from bourre_referee.ladder.log.events import Event, RoomFinished, RoomVoided, TermsSet
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.invitations import renew_token
from bourre_referee.runner.local_executor import local_rooms
from bourre_referee.storage.files.listener_port import read_port
from bourre_referee.storage.run.folder_location import hold_lock
from bourre_referee.verify.ladder_check import verify_epoch
from tests.end_to_end.example_ladders import example_ladder
from tests.end_to_end.remote_bots import RemoteBots

pytestmark = pytest.mark.xdist_group("processes")

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ladder(tmp_path: Path) -> LadderFolder:
    ladder = example_ladder(tmp_path, rooms=4)
    add_remote(ladder, Newcomer("far"))
    return ladder


class Watching:
    """The host's clock, which ends the process that serves once enough has happened."""

    def __init__(self, ladder: LadderFolder, rooms: int) -> None:
        self._log = ladder.open_log()
        self._left = rooms

    def now(self) -> datetime:
        """Returns the time; kills the host if no rooms are left to be played, and stops it when an epoch is closed."""
        self._left -= sum(isinstance(logged.event, RoomFinished) for logged in self._log.read_new())
        if self._left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        epochs = self._log.state.seasons.epochs
        if epochs and epochs[0].closed and self._log.state.bots["far"].games:
            raise KeyboardInterrupt
        return datetime.now(UTC)


def serve(folder: str, rooms: int) -> None:
    """Serves a ladder in a process of its own until so many more rooms are finished."""
    ladder = LadderFolder(Path(folder))
    watching = Watching(ladder, rooms + finished(ladder))
    with Stop() as stop:
        try:
            serve_ladder(
                ladder, local_rooms(2), stop, lambda address, notices: None, partial(print, flush=True), watching.now
            )
        except KeyboardInterrupt:
            return


def serve_in_process(ladder: LadderFolder, rooms: int) -> int:
    """Serves it as `serve` does; returns how the process ended. Every start warns that no bot is isolated."""
    code = f"from tests.end_to_end.test_ladder import serve; serve({str(ladder.path)!r}, {rooms})"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True)
    assert "warning: hosted bots run without isolation" in ended.stdout
    return ended.returncode


def events(ladder: LadderFolder) -> list[Event]:
    return [logged.event for logged in ladder.open_log().read_new()]


def finished(ladder: LadderFolder) -> int:
    return sum(isinstance(event, RoomFinished) for event in events(ladder))


@pytest.mark.long  # test_epoch_run.py kills a host in every run, at many moments
def test_a_host_that_is_killed_loses_nothing_and_its_remote_bots_come_back(ladder: LadderFolder) -> None:
    token, half_added = renew_token("far", ladder.tokens), ladder.bots / ".adding-x"
    (half_added / "files").mkdir(parents=True)
    assert serve_in_process(ladder, 1) == -signal.SIGKILL
    assert not half_added.exists()
    port = read_port(ladder.port_file)
    with RemoteBots() as bots:
        bots.start("far", {"BOURRE_ADDRESS": f"127.0.0.1:{port}", "BOURRE_TOKEN": token})
        assert serve_in_process(ladder, 2) == -signal.SIGKILL
        assert serve_in_process(ladder, 1_000) == 0
    rooms = [event.room for event in events(ladder) if isinstance(event, RoomFinished)]
    assert sorted(rooms) == sorted(set(rooms))
    assert not any(isinstance(event, RoomVoided) for event in events(ladder))
    verified = verify_epoch(ladder.path, 1)
    assert (verified.rooms, verified.terms["epoch.rooms"]) == (4, "4")
    assert sum(isinstance(event, TermsSet) for event in events(ladder)) == 1


def test_a_ladder_is_served_by_one_process(ladder: LadderFolder) -> None:
    with (
        hold_lock(ladder.lock),
        Stop() as stop,
        pytest.raises(ContestError, match="Another process serves the ladder"),
    ):
        serve_ladder(ladder, local_rooms(1), stop, lambda address, notices: None, print)
