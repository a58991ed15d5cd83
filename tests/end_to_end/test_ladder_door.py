"""The door of a ladder: bots join while it is open, play as versions, and come back by themselves to the next one."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.model.door_spec import DoorSpec, Listen
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec, RoomSpec
from bourre_referee.runner.door_process import DoorProcess
from bourre_referee.runner.door_rooms import DoorRooms
from bourre_referee.runner.executor import Executor, Workplace
from bourre_referee.runner.invitations import renew_token
from bourre_referee.runner.local_executor import local_rooms
from bourre_referee.runner.room_reports import Attendance, Report, RoomPlayed
from tests.end_to_end.remote_bots import RemoteBots
from tests.end_to_end.rooms import room_with

pytestmark = pytest.mark.xdist_group("processes")


def ladder_of(tokens: Path, listen: Listen, room: RoomSpec) -> DoorSpec:
    return DoorSpec("ladder", (), room.clock, listen, tokens, most_bots=10, versioned=True)


def room_of(folder: Path, *names: str) -> RoomSpec:
    """A match of these bots, all of them remote."""
    room = room_with("honest", folder, honest=len(names) - 1)
    (match,) = room.matches
    return RoomSpec(
        room=room.room,
        entries=tuple(BotSpec(name, None) for name in names),
        matches=(replace(match, line_up=names),),
        tables=room.tables,
        clock=room.clock,
        max_faults=room.max_faults,
    )


def at_door(door: DoorProcess, folder: Path) -> Workplace:
    site = Site(folder, folder)
    return Workplace(site, door=DoorRooms(door, site))


def await_report(executor: Executor, wanted: Callable[[Report], bool]) -> Report:
    """The first report of this kind."""
    while True:
        for report in executor.reports(0.2):
            if wanted(report):
                return report


def all_here(bots: set[str]) -> Callable[[Report], bool]:
    return lambda report: isinstance(report, Attendance) and report.here == bots


def record_of(report: Report) -> str:
    """The record of a match that was played without faults."""
    assert isinstance(report, RoomPlayed)
    (outcome,) = report.outcomes
    assert outcome.faults == ()
    return outcome.record


def is_played(report: Report) -> bool:
    return isinstance(report, RoomPlayed)


def test_bots_join_an_open_door_and_find_the_next_one_by_themselves(tmp_path: Path) -> None:
    room = room_of(tmp_path, "ada.2", "bob.1", "cy.7")
    tokens = tmp_path / "tokens.json"

    with RemoteBots() as bots:
        spec = ladder_of(tokens, Listen(), room)
        with DoorProcess(spec, os.environ) as door, local_rooms(1)(at_door(door, tmp_path)) as executor:
            port = int(door.listen.address.rpartition(":")[2])
            for bot in ("ada", "bob", "cy"):
                settings = {"BOURRE_ADDRESS": door.listen.address, "BOURRE_TOKEN": renew_token(bot, tokens)}
                bots.start(bot, settings)
            await_report(executor, all_here({"ada", "bob", "cy"}))
            executor.submit(room)
            first = record_of(await_report(executor, is_played))
        # Nobody has said goodbye: the bots dial.
        spec = ladder_of(tokens, Listen().at_port(port), room)
        with DoorProcess(spec, os.environ) as door, local_rooms(1)(at_door(door, tmp_path)) as executor:
            await_report(executor, all_here({"ada", "bob", "cy"}))
            executor.submit(room)
            assert record_of(await_report(executor, is_played)) == first
            door.say_goodbye("the ladder is over")
        assert bots.ends() == {"ada": "", "bob": "", "cy": ""}
    assert "ada.2" in first
