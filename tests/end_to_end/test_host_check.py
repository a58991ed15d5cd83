"""If no bot comes, the referee's own bots show whether the bots or the host are at fault."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.model.spec import Isolation, Level, PlacedRoom, RoomFailed
from bourre_referee.server.room import play_room
from tests.end_to_end.rooms import faults_of, room_with


def deserted(logs: Path, *, level: Level = Level.NONE) -> PlacedRoom:
    """Two bots that do not compile."""
    spec = room_with("honest", logs, honest=1)
    broken = tuple(replace(entry, command=(sys.executable, "-c", "def play(")) for entry in spec.entries)
    return replace(spec, entries=broken, isolation=Isolation(level))


def without_sdk(spec: PlacedRoom, folder: Path) -> PlacedRoom:
    """The same on a host whose Python has no bourre."""
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -IS "$@"\n')
    python.chmod(0o755)
    return replace(spec, python=str(python))


@pytest.mark.parametrize("level", [Level.NONE, Level.BWRAP])
def test_bots_that_all_fail_are_charged_where_the_host_can_play(level: Level, tmp_path: Path) -> None:
    (outcome,) = asyncio.run(play_room(deserted(tmp_path, level=level)))
    assert [faults_of(outcome, bot) for bot in ("tested", "honest1")] == [{"start_failure": 1}] * 2
    assert outcome.result.deals == 8


def test_a_host_that_cannot_play_charges_nobody(tmp_path: Path) -> None:
    spec = without_sdk(deserted(tmp_path / "logs"), tmp_path)
    with pytest.raises(RoomFailed) as caught:
        asyncio.run(play_room(spec))
    assert str(caught.value) == (
        "room m0001: no bot said hello, and the referee's own bots cannot play here either "
        f"(ModuleNotFoundError: No module named 'bourre'): install bourre for {spec.python}, "
        "or run the contest with a Python that has it"
    )


def test_a_host_without_the_python_of_the_contest_charges_nobody(tmp_path: Path) -> None:
    spec = replace(deserted(tmp_path), python="/elsewhere/python")
    with pytest.raises(RoomFailed, match="cannot run /elsewhere/python: No such file or directory"):
        asyncio.run(play_room(spec))


def test_where_a_bot_comes_the_others_are_charged_without_a_proof(tmp_path: Path) -> None:
    spec = without_sdk(room_with("absent", tmp_path / "logs", honest=1), tmp_path)
    (outcome,) = asyncio.run(play_room(spec))
    assert faults_of(outcome, "tested") == {"start_failure": 1}
