"""A worker process: what it answers, and that it is noticed when it hangs and ends with its parent."""

import asyncio
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

import pytest

from bourre_referee.model.spec import BotsAway, MatchOutcome, RoomFailed, RoomSpec
from bourre_referee.runner import local_executor
from bourre_referee.runner import worker as worker_process
from bourre_referee.runner.room_reports import RoomLost, RoomPlayed
from bourre_referee.runner.worker import (
    BEAT_S,
    BEATS,
    GRACE_S,
    Alive,
    Failed,
    Played,
    Worker,
    play_or_fail,
    set_timeout,
    work,
)
from tests.referee import rooms as fakes
from tests.referee.local_play import play
from tests.referee.rooms import Rooms


class Clock:
    """A clock that advances, by one beat at each call, only while the process whose id is in a file is stopped."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark
        self._now = 0.0

    def __call__(self) -> float:
        if self._mark.exists() and state_of(self._mark.read_text()) == "T":
            self._now += BEAT_S
        return self._now


def state_of(number: str) -> str:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "gone"


def test_a_worker_that_is_stopped_is_replaced(rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "BEAT_S", 0.01)
    monkeypatch.setattr(local_executor, "BEAT_S", 0.01)
    monkeypatch.setattr(worker_process, "monotonic", Clock(tmp_path / "stopped"))
    # One worker: the clock advances for all workers, and one that is starting may be slow to answer.
    reports = list(play(rooms[:3], 1, partial(fakes.play_or_stop, tmp_path, "m0002")))
    assert [report for report in reports if isinstance(report, RoomLost)] == [
        RoomLost(rooms[1], 1, "the worker process hung: it gave no sign of life for 60 s")
    ]
    assert sorted(report.room.room for report in reports if isinstance(report, RoomPlayed)) == [
        "m0001", "m0002", "m0003",
    ]  # fmt: skip
    assert state_of((tmp_path / "stopped").read_text()) == "gone"


class Started:
    """What was started instead of a process, and how long anybody waits for its end."""

    pid = 4321
    returncode = -9

    def __init__(self, command: list[str], **options: Any) -> None:
        self.options = options
        self.there = Connection(os.dup(options["stdin"]))
        self.ends: list[object] = []
        self.command = command

    def wait(self, seconds: float | None = None) -> None:
        self.ends.append(seconds)
        if seconds is not None:
            raise subprocess.TimeoutExpired(self.command, seconds)

    def kill(self) -> None:
        self.ends.append("killed")


def test_a_worker_is_asked_once_while_it_is_silent_and_given_up_after_seven_beats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, started = [100.0], list[Started]()

    def start(command: list[str], **options: Any) -> Started:
        started.append(Started(command, **options))
        return started[-1]

    monkeypatch.setattr(worker_process, "monotonic", lambda: now[0])
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setenv("TMPDIR", "ours")
    worker = Worker(print, {"TMPDIR": "theirs"})
    (child,) = started
    assert (child.options["env"], worker.process) == ({**os.environ, "TMPDIR": "theirs"}, 4321)
    assert (child.options["stdout"], child.options["start_new_session"]) == (2, True)
    assert [child.there.recv(), child.there.recv()] == [sys.path, print]
    for _ in range(2):
        now[0] += BEAT_S - 1
        assert not worker.hangs(), "it is asked once a beat"
        now[0] += 1
        for _ in range(BEATS):
            assert [worker.hangs(), worker.hangs()] == [False, False]
            now[0] += BEAT_S
        assert child.there.recv() == Alive()
        assert not child.there.poll()
        child.there.send(Alive())
        assert worker.answer() == Alive()
        assert not worker.hangs()
        assert child.there.recv() == Alive()
        child.there.send(Alive())
        assert worker.answer() == Alive()
    for beat in range(BEATS + 1):
        now[0] += BEAT_S
        assert worker.hangs() == (beat == BEATS)
    worker.release()
    now[0] += 2
    worker.stop()
    assert child.ends == [GRACE_S + 1 - 2, "killed", None]
    assert worker.describe_death() == "the worker process was killed by SIGKILL"
    child.there.close()
    assert worker.answer() is None
    worker.give("nobody hears it")


def test_half_a_message_is_not_waited_for_for_ever() -> None:
    ours, theirs = Pipe()
    set_timeout(ours, 0.01)
    os.write(theirs.fileno(), struct.pack("!i", 100) + b"half")
    with pytest.raises(BlockingIOError):
        ours.recv()
    ours.close()
    theirs.close()


def test_a_stopped_worker_does_not_outlive_its_parent(parent: subprocess.Popen[str], pipe: Path) -> None:
    with pipe.open() as heard:
        worker = int(heard.readline())
        os.kill(worker, signal.SIGSTOP)
        parent.kill()
        assert heard.read() == "cancelled\n"


def test_every_failure_becomes_an_answer(rooms: Rooms) -> None:
    async def fail(error: Exception) -> Sequence[MatchOutcome]:
        raise error

    assert asyncio.run(play_or_fail(fakes.play_room(rooms[0]))) == Played((fakes.played(rooms[0].matches[0]),))
    away = Failed("ada, bob left before it began", ("ada", "bob"))
    assert asyncio.run(play_or_fail(fail(BotsAway(("ada", "bob"))))) == away
    assert asyncio.run(play_or_fail(fail(RoomFailed("no sandbox")))) == Failed("no sandbox")
    mistake = asyncio.run(play_or_fail(fakes.play_and_break(rooms[0])))
    assert isinstance(mistake, Failed)
    assert mistake.reason.startswith("Traceback")
    assert "play_and_break" in mistake.reason
    assert mistake.reason.endswith("KeyError: 'a mistake of ours'\n")


def test_a_worker_ends_with_its_parent_even_if_its_room_does_not(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = Pipe()
    heard: list[object] = []

    async def play(room: RoomSpec) -> Sequence[MatchOutcome]:
        if room == rooms[0]:
            return await fakes.play_room(room)
        heard.append(ours.recv())
        while not ours.poll():
            await asyncio.sleep(0)
        heard.append(ours.recv())
        ours.close()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            heard.append("cancelled")
            await asyncio.sleep(60)
        return ()

    def end(status: int) -> NoReturn:
        raise SystemExit(status)

    monkeypatch.setattr(worker_process, "GRACE_S", 0.01)
    monkeypatch.setattr(os, "_exit", end)
    for message in (rooms[0], rooms[1], Alive()):
        ours.send(message)
    with pytest.raises(SystemExit, match="1"):
        work(theirs, play)
    theirs.close()
    assert heard == [Played((fakes.played(rooms[0].matches[0]),)), Alive(), "cancelled"]
