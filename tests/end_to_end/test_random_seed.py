"""A bot that draws from Python's `random` plays a repeated match the same at every level."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.model.spec import Isolation, Level, PlacedRoom
from tests.end_to_end.rooms import faults_of, played, room_with


@pytest.fixture(params=["none", "bwrap", "container"])
def isolation(request: pytest.FixtureRequest) -> Isolation:
    """Each level, with the usual limits."""
    if request.param == "container":
        found: Isolation = request.getfixturevalue("containers")
        return found
    return Isolation(Level(request.param))


def _room(logs: Path, isolation: Isolation) -> PlacedRoom:
    spec = room_with("draws", logs)
    entries = tuple(replace(entry, files=(Path(entry.command[1]).name,)) for entry in spec.entries if entry.command)
    return replace(spec, entries=entries, isolation=isolation)


def test_a_repeated_match_is_the_same(tmp_path: Path, isolation: Isolation) -> None:
    first, again = (played(_room(tmp_path / name, isolation))[0] for name in ("first", "again"))
    assert first.record == again.record
    assert faults_of(first, "tested") == {}
