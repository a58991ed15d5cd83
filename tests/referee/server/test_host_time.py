"""Host time stands still while the heartbeat falters, and only then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from bourre_referee.model.spec import Clock, Entry, Isolation, Level, OwnIsolation, PlacedRoom
from bourre_referee.server.host_proof import own_room
from bourre_referee.server.host_time import BEAT_SECONDS, TOLERATED_SECONDS, HostTime, waited_for_processor
from tests.referee.connection_desk import ManualClock


class Host:
    """A host that stands still when the test says so."""

    def __init__(self) -> None:
        self.loop = ManualClock()
        self.waited = 0.0
        self.time = HostTime(self.loop, lambda: self.waited)

    def freeze(self, seconds: float) -> None:
        """Lets the time pass without firing any timer."""
        self.loop.now += seconds


@pytest.fixture
def host() -> Iterator[Host]:
    """A host with a running heartbeat."""
    host = Host()
    with host.time.measure():
        yield host


def test_a_host_that_beats_is_not_starved(host: Host) -> None:
    host.loop.advance(100)
    assert host.time.starved_seconds() == 0
    assert host.time.time() == pytest.approx(200)


def test_a_beat_that_is_a_little_late_is_tolerated(host: Host) -> None:
    for _ in range(100):
        host.freeze(BEAT_SECONDS + 0.9 * TOLERATED_SECONDS)
        host.loop.advance(0)
    assert host.time.starved_seconds() == 0


def test_a_freeze_is_seen_at_once_and_remembered(host: Host) -> None:
    host.freeze(3 + BEAT_SECONDS)
    assert host.time.starved_seconds() == pytest.approx(3 - TOLERATED_SECONDS)
    assert host.time.time() == pytest.approx(100 + BEAT_SECONDS + TOLERATED_SECONDS)
    host.loop.advance(10)
    assert host.time.starved_seconds() == pytest.approx(3 - TOLERATED_SECONDS)
    host.freeze(1 + BEAT_SECONDS)
    assert host.time.starved_seconds() == pytest.approx(4 - 2 * TOLERATED_SECONDS)


def test_a_wait_for_a_processor_counts_too(host: Host) -> None:
    host.waited = 0.04
    host.loop.advance(BEAT_SECONDS)
    assert host.time.starved_seconds() == 0
    host.waited += 0.07
    host.freeze(BEAT_SECONDS + 0.03)  # tolerated by itself
    host.loop.advance(0)
    assert host.time.starved_seconds() == pytest.approx(0.07 - TOLERATED_SECONDS)
    host.loop.advance(10)
    assert host.time.starved_seconds() == pytest.approx(0.07 - TOLERATED_SECONDS)


def test_time_goes_on_whatever_the_system_tells(host: Host) -> None:
    for _ in range(100):
        host.waited += 1000
        host.loop.advance(BEAT_SECONDS)
    assert host.time.time() >= 100 + 100 * TOLERATED_SECONDS - 1e-6


def test_an_alarm_is_set_in_the_time_of_the_host(host: Host) -> None:
    host.freeze(3 + BEAT_SECONDS)
    host.loop.advance(0)
    handle = host.time.call_at(host.time.time() + 1, lambda: None)
    assert handle.when() == pytest.approx(host.loop.now + 1)


def test_without_a_heartbeat_the_time_is_that_of_the_loop() -> None:
    host = Host()
    with host.time.measure():
        host.loop.advance(1)
    host.freeze(60)
    assert host.time.starved_seconds() == 0
    assert host.time.time() == pytest.approx(161)
    assert all(handle.cancelled() for handle in host.loop.handles)


def test_the_wait_for_a_processor_never_falls() -> None:
    before = waited_for_processor()
    sum(range(1_000_000))
    assert waited_for_processor() >= before >= 0


async def test_a_real_loop_will_do() -> None:
    loop = asyncio.get_running_loop()
    host = HostTime(loop, waited_for_processor)
    with host.measure():
        beaten = asyncio.Event()
        host.call_at(host.time() + 3 * BEAT_SECONDS, beaten.set)
        await beaten.wait()
        found = loop.time() - host.time() - host.starved_seconds()
    assert found == pytest.approx(0, abs=1e-3)


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
