"""The time of the host, which stands still while it falters, and how long a room waits for its bots in it."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from bourre.rules.actions import Fault
from bourre_referee.model.spec import BotEntry, Clock, Isolation, Level, OwnIsolation, PlacedRoom
from bourre_referee.server.bot_pool import BotPool
from bourre_referee.server.host_check import own_room
from bourre_referee.server.reconnection import Reconnection, _fault_of
from bourre_referee.server.starvation import BEAT_SECONDS, TOLERATED_SECONDS, HostTime, waited_for_processor
from tests.referee.connection_desk import Heard, ManualClock

A_MOMENT = Clock(connect_ms=1, reconnect_ms=1)


class Faltering(HostTime):
    """A host time that stands still for the first readings; then something may happen."""

    def __init__(self, loop: asyncio.AbstractEventLoop, then: Callable[[], None] | None) -> None:
        super().__init__(loop, lambda: 0.0)
        self._looks = 0
        self._then = then

    def time(self) -> float:
        self._looks += 1
        if self._then and self._looks == 5:
            self._then()
        return 100.0 if self._looks < 10 else 200.0


def attendance(monkeypatch: pytest.MonkeyPatch, then: Callable[[], None] | None) -> BotPool:
    """A pool of one bot that its author starts, and that does not come before its time is over by the wall clock."""
    monkeypatch.setattr("bourre_referee.server.bot_pool.HostTime", lambda loop, _waited: Faltering(loop, then))
    monkeypatch.setattr("bourre_referee.server.reconnection._EXIT_SECONDS", 0.0)
    spec = PlacedRoom(
        room="m0001",
        entries=(BotEntry("tight", None, Path()),),
        matches=(),
        tables=1,
        clock=A_MOMENT,
        max_faults=10,
        logs=Path(),
    )
    return BotPool(spec, Heard())


@pytest.mark.parametrize(("returns", "verdict"), [(True, None), (False, Fault.DISCONNECTED)])
async def test_who_is_to_come_back_has_the_time_of_the_host(
    returns: bool, verdict: Fault | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    back = asyncio.Event()
    bots = attendance(monkeypatch, back.set if returns else None)
    waiting = Reconnection(bots, A_MOMENT.reconnect_ms, Mock(), Mock())
    assert (await waiting.await_return("tight", back)) is returns
    assert waiting.gone.get("tight") == verdict


@pytest.mark.parametrize(("comes", "absent"), [(True, set()), (False, {"tight"})])
async def test_who_is_to_connect_has_the_time_of_the_host(
    comes: bool, absent: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = attendance(monkeypatch, (lambda: bots.connections["tight"].arrived.set()) if comes else None)
    await bots.assemble()
    bots.cpu_guard.release()
    assert bots.absent == absent


async def test_the_processor_time_of_each_bot_is_read_once_a_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, used = attendance(monkeypatch, None), {"tight": 5.0, "loose": 7.0}
    processes = {bot: SimpleNamespace(processor_ms=partial(used.get, bot)) for bot in used}
    times = iter([1.0, 1.0, 1.0, 1.001, 2.0])
    monkeypatch.setattr(pool, "_time", SimpleNamespace(time=lambda: next(times)))
    monkeypatch.setattr(pool, "_processes", processes)
    found = [pool.processor_ms(bot) for bot in ("tight", "loose", "remote")]
    used["tight"] = 6.0
    assert [*found, pool.processor_ms("tight"), pool.processor_ms("tight")] == [5.0, 7.0, 0.0, 5.0, 6.0]


def ended(status: int | None, over: bool = False) -> Any:
    """A bot's process, which has ended with this status or still runs."""
    task = SimpleNamespace(done=lambda: status is not None, result=lambda: status)
    return SimpleNamespace(ended=task, over_limit=over)


def test_why_a_bot_does_not_come_back_is_told_by_its_process_and_the_first_reason_counts() -> None:
    processes = (None, ended(None), ended(0), ended(1), ended(137, over=True))
    gone, crashed, over = Fault.DISCONNECTED, Fault.CRASHED, Fault.OVER_LIMIT
    assert [_fault_of(process) for process in processes] == [gone, gone, gone, crashed, over]
    waiting = Reconnection(Mock(), 0, Mock(), Mock())
    assert [waiting.give_up("tight", fault) for fault in (crashed, over)] == [crashed, crashed]
    assert (waiting.give_up("loose", over), waiting.gone) == (over, {"tight": crashed, "loose": over})


async def test_an_error_while_a_bot_is_awaited_is_the_referees() -> None:
    failures: list[Exception] = []
    bots = Mock(connections={"tight": Mock(back=asyncio.Event())})
    bots.process_of.return_value = None
    bots.wait = AsyncMock(side_effect=KeyError("a mistake of ours"))
    waiting = Reconnection(bots, 0, Mock(), failures.append)
    waiting.begin("tight")
    await asyncio.wait({*waiting._waits})
    assert [type(failure) for failure in failures] == [KeyError]


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
    bots = [BotEntry("far", None, Path())] + [
        BotEntry(f"bot{number}", ("true",), Path(), isolation=each) for number, each in enumerate([*own, own[0]])
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
