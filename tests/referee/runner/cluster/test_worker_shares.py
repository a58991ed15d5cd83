"""What each host did, in words."""

from __future__ import annotations

from dataclasses import replace

from bourre_referee.model.spec import RoomSpec, SeatTiming
from bourre_referee.runner.cluster.station import WorkerShares
from tests.referee.rooms import played


def test_rooms_time_faults_and_losses_are_told_by_host(rooms: tuple[RoomSpec, ...]) -> None:
    shares = WorkerShares()
    first = played(rooms[0].matches[0])
    shares.add("beta", [replace(first, timings=2 * (SeatTiming(1, 1.0, 1.0, cpu_ms=2_500.0),))], 3.0)
    shares.add("beta", [played(rooms[1].matches[0])], 4.0)
    shares.add_lost("alpha")
    assert (shares.lost("alpha"), shares.lost("beta"), shares.lost("gamma")) == (1, 0, 0)
    assert shares.lines() == (
        "alpha played 0 rooms in 0 s of room time, with 0 s of the bots' processors, 0 faults of bots and 1 lost "
        "attempts",
        "beta played 2 rooms in 7 s of room time, with 5 s of the bots' processors, 4 faults of bots and 0 lost "
        "attempts",
    )
