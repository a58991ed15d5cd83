"""How long the room waits for bots, in host time, which stands still while the host falters; and what they used."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from bourre.rules.actions import Fault
from bourre_referee.model.spec import Clock, Entry, PlacedRoom
from bourre_referee.server.bot_pool import BotPool
from bourre_referee.server.host_time import HostTime
from bourre_referee.server.reconnection import Reconnection, _fault_of
from tests.referee.connection_desk import Heard

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
        entries=(Entry("tight", None, Path()),),
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
    assert (await Reconnection(bots, A_MOMENT.reconnect_ms, Mock(), Mock()).await_return("tight", back)) == verdict


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
