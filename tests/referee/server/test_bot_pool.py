"""How long the room waits for bots: in host time, which stands still while the host falters."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from bourre.rules.actions import Fault
from bourre_referee.model.spec import Clock, Entry, PlacedRoom
from bourre_referee.server.bot_pool import BotPool
from bourre_referee.server.host_time import HostTime
from bourre_referee.server.reconnection import Reconnection
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
def test_who_is_to_come_back_has_the_time_of_the_host(
    returns: bool, verdict: Fault | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def verdict_on_it() -> Fault | None:
        back = asyncio.Event()
        bots = attendance(monkeypatch, back.set if returns else None)
        return await Reconnection(bots, A_MOMENT.reconnect_ms, Mock(), Mock()).await_return("tight", back)

    assert asyncio.run(verdict_on_it()) == verdict


@pytest.mark.parametrize(("comes", "absent"), [(True, set()), (False, {"tight"})])
def test_who_is_to_connect_has_the_time_of_the_host(
    comes: bool, absent: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def who_is_absent() -> set[str]:
        bots = attendance(monkeypatch, (lambda: bots.connections["tight"].arrived.set()) if comes else None)
        await bots.assemble()
        bots.cpu_guard.release()
        return bots.absent

    assert asyncio.run(who_is_absent()) == absent
