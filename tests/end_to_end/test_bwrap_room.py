"""Rooms and contests of bots in sandboxes: the same results as without, and faults for bots that take too much."""

from __future__ import annotations

import asyncio
import json
import os
import select
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.model.spec import Clock, Isolation, Level, Limits, PlacedRoom, RoomFailed
from bourre_referee.sandbox.bwrap.bwrap_tools import Tools
from bourre_referee.sandbox.cgroup.cgroup_mounts import find_group_parents
from bourre_referee.server.room import play_room
from tests.end_to_end.rooms import BOTS, faults_of, played, room_with
from tests.referee.command import called

BOXED = Isolation(Level.BWRAP, Limits(memory_mib=256, disk_mib=16))


def boxed_room(script: str, logs: Path) -> PlacedRoom:
    """Like any other room, but each bot is in a sandbox with nothing but its program."""
    spec = room_with(script, logs)
    entries = tuple(replace(entry, files=(Path(entry.command[1]).name,)) for entry in spec.entries if entry.command)
    return replace(spec, entries=entries, isolation=BOXED)


def groups() -> list[Path]:
    """The control groups of this process's bots that still contain a process after a while.

    An empty group may stay until the next referee removes it: the system keeps it a moment longer than its processes.
    """
    made = [group for place in find_group_parents(Limits()) for group in place.folder.glob(f"bourre-{os.getpid()}-*")]
    return [group for group in made if any(map(_lives, (group / "cgroup.procs").read_text().split()))]


def _lives(process: str) -> bool:
    """Whether it still contains a process after five seconds."""
    try:
        handle = os.pidfd_open(int(process))
    except ProcessLookupError:
        return False
    try:
        ended, _, _ = select.select([handle], [], [], 5.0)
        return not ended
    finally:
        os.close(handle)


def test_a_room_of_boxes_gives_the_same_results_and_leaves_nothing(tmp_path: Path) -> None:
    """Also of a bot that draws from Python's `random`: it gets the same seed."""
    (boxed,) = played(boxed_room("draws", tmp_path / "boxed"), guests={})
    (plain,) = played(room_with("draws", tmp_path / "plain"))
    assert (boxed.isolation, plain.isolation) == (Level.BWRAP, Level.NONE)
    assert (boxed.result, boxed.faults, boxed.record) == (plain.result, (), plain.record)
    assert groups() == []


def test_who_writes_too_large_a_file_is_over_the_limit(tmp_path: Path) -> None:
    (outcome,) = played(boxed_room("overweight", tmp_path))
    assert faults_of(outcome, "tested") == {"over_limit": 1}


def test_what_all_processes_take_is_counted_where_the_host_counts(tmp_path: Path) -> None:
    counted = bool(find_group_parents(Limits()))
    (outcome,) = played(boxed_room("glutton", tmp_path), guests={})
    assert faults_of(outcome, "tested") == ({"over_limit": 1} if counted else {})
    assert faults_of(outcome, "honest1") == faults_of(outcome, "honest2") == {}
    assert groups() == []


@pytest.mark.usefixtures("tireless_host")
@pytest.mark.parametrize(
    ("script", "line"), [("absent", b"after printing: no such luck"), ("dumb", b"still busy in dumb.py, line 5. ")]
)
def test_a_bot_that_does_not_start_in_its_box_is_told_why(script: str, line: bytes, tmp_path: Path) -> None:
    (outcome,) = played(replace(boxed_room(script, tmp_path), clock=Clock(start_ms=3_000)))
    assert faults_of(outcome, "tested") == {"start_failure": 1}
    assert line in (tmp_path / "tested" / "m0001.log").read_bytes().partition(b"\n")[0]


def test_a_box_that_cannot_be_made_voids_the_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(Tools.here(), bwrap="/bin/false")
    monkeypatch.setattr(Tools, "here", lambda: broken)
    with pytest.raises(RoomFailed, match=r"did not start.\nhint: see .*, and run bourre doctor"):
        asyncio.run(play_room(boxed_room("honest", tmp_path)))
    assert groups() == []


def test_a_whole_contest_is_played_in_boxes_unless_it_says_otherwise(tmp_path: Path) -> None:
    (tmp_path / "honest.py").write_text((BOTS / "honest.py").read_text())
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = ["python", "honest.py"]\n' for name in ("ada", "bob"))
    (tmp_path / "contest.toml").write_text(
        '[contest]\nname = "boxes"\nseed = 7\n[table]\nseats = 2\ndeals = 2\n[schedule]\nrounds = 1\n'
        f"[clock]\nstart_ms = 60000\ndecision_ms = 60000\n{bots}"
    )
    out = tmp_path / "run"
    done = called("run", tmp_path / "contest.toml", "--out", out)
    assert done.code == 0, done.err
    assert "isolation bwrap: each bot has its own sandbox (512 MiB, 64 processes, 64 MiB of files)" in done.err
    assert json.loads((out / "manifest.json").read_text())["terms"]["isolation"]["level"] == "best"
    with closing(sqlite3.connect(out / "run.db")) as database:
        assert set(database.execute("select distinct isolation from match")) == {("bwrap",)}
        assert set(database.execute("select distinct times from fault")) == set()
