"""The room in which the referee's own bots prove that this host can play."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.model.spec import Clock, Entry, Isolation, Level, OwnIsolation, PlacedRoom
from bourre_referee.server.host_proof import own_room


def test_the_referees_own_bots_start_like_those_of_the_room_with_ample_time(tmp_path: Path) -> None:
    own = [OwnIsolation(level) for level in (Level.NONE, Level.BWRAP, Level.CONTAINER)]
    bots = [Entry("far", None, Path())] + [
        Entry(f"bot{number}", ("true",), Path(), isolation=each) for number, each in enumerate([*own, own[0]])
    ]
    for entries, isolations in [(bots, [own[0], own[2]]), (bots[:3], own[:2]), (bots[:2], [own[0]] * 2)]:
        room = PlacedRoom(
            room="m0007",
            entries=tuple(entries),
            matches=(),
            tables=5,
            clock=Clock(start_ms=1),
            max_faults=9,
            logs=Path("logs"),
            isolation=Isolation(Level.BWRAP),
            python="a-python",
        )
        found = own_room(room, tmp_path)
        assert [entry.isolation for entry in found.entries] == isolations
        assert {(entry.command or ())[0] for entry in found.entries} == {"a-python"}
        assert (found.room, found.tables, found.max_faults, found.logs) == ("m0007-own", 1, 1, tmp_path)
        assert (found.isolation, found.clock) == (room.isolation, Clock())
        assert len(found.matches) == 1
