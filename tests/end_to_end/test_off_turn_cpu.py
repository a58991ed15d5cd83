"""Bots that burn CPU time off turn, with real processes."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.diagnostics.attacks.descendants import WatchedProcess, descendants_of
from bourre_referee.model.spec import BotEntry, PlacedRoom
from bourre_referee.sandbox.cpu_guard import CpuGuard, StoppedProcesses
from bourre_referee.server.room import play_room
from tests.end_to_end.processes import started_since
from tests.end_to_end.rooms import ALL_HONEST, BOTS, faults_of, played, room_with
from tests.end_to_end.test_bwrap_room import boxed_room


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the guard notice a burning bot, however busy the machine is."""
    monkeypatch.setattr("bourre_referee.sandbox.cpu_meter.ALLOWED_SHARE", 0.0)


def burning_room(folder: Path) -> PlacedRoom:
    """A bot that burns, and one that thinks until the other has been stopped."""
    os.mkfifo(folder / "awake")
    spec = room_with("burner", folder / "logs", honest=1, deals=2)
    entries = []
    for bot, script in (("tested", "burner"), ("honest1", "waiter")):
        shutil.copy(BOTS / f"{script}.py", folder)
        entries.append(BotEntry(bot, (sys.executable, str(folder / f"{script}.py")), folder))
    return replace(spec, entries=tuple(entries))


def test_who_burns_off_turn_is_stopped_and_woken_and_the_match_ends_without_fault(tmp_path: Path) -> None:
    (outcome,) = played(burning_room(tmp_path), guests={})
    assert faults_of(outcome, "tested") == faults_of(outcome, "honest1") == {}
    assert "used the processor while others were asked" in (tmp_path / "logs" / "tested" / "m0001.log").read_text()
    assert sum(seat.house_deals for seat in outcome.result.seats) == 0


@pytest.mark.parametrize("room", [pytest.param(room_with, marks=pytest.mark.long), boxed_room], ids=["plain", "boxed"])
def test_bots_that_are_stopped_at_every_turn_play_as_ever(
    room: Callable[[str, Path], PlacedRoom], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[int] = []

    def stop(process: int) -> StoppedProcesses:
        standing = StoppedProcesses(process)
        stopped.append(len(standing.processes))
        return standing

    (undisturbed,) = played(room_with("honest", tmp_path / "undisturbed"), ALL_HONEST)
    monkeypatch.setattr("bourre_referee.sandbox.cpu_meter.ALLOWED_SECONDS", -1.0)
    monkeypatch.setattr("bourre_referee.sandbox.cpu_guard.LOOK_SECONDS", 0.0)
    monkeypatch.setattr("bourre_referee.sandbox.cpu_guard.BREATH_EVERY_SECONDS", 3600.0)
    monkeypatch.setattr("bourre_referee.server.bot_pool.CpuGuard", lambda loop: CpuGuard(loop, stop))
    (outcome,) = played(room("honest", tmp_path / "stopped"), guests={})
    assert len(stopped) > 20
    assert min(stopped) >= 1
    assert (outcome.record, outcome.faults) == (undisturbed.record, ())


def test_a_room_takes_its_stopped_bots_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(descendants_of(os.getpid()))

    async def play_and_cancel() -> WatchedProcess:
        standing = asyncio.Event()

        def stop(process: int) -> StoppedProcesses:
            standing.set()
            return StoppedProcesses(process)

        monkeypatch.setattr("bourre_referee.server.bot_pool.CpuGuard", lambda loop: CpuGuard(loop, stop))
        room = asyncio.create_task(play_room(burning_room(tmp_path)))
        await standing.wait()
        below = WatchedProcess(started_since(before))
        room.cancel()
        with pytest.raises(asyncio.CancelledError):
            await room
        return below

    below = asyncio.run(play_and_cancel())
    assert below.number >= 5
    assert below.left_after(30) == []
