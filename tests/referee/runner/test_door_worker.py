"""A door whose address an earlier one is about to leave."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bourre_referee.runner.door_worker import open_patiently
from tests import simulated_time


async def opened(free_after: float, patience: float, number: int = errno.EADDRINUSE) -> float:
    """When a door has opened whose address is free after so many seconds."""

    @asynccontextmanager
    async def open_door() -> AsyncIterator[int]:
        if asyncio.get_running_loop().time() < free_after:
            raise OSError(number, "no")
        yield 4000

    async with open_patiently(open_door, patience) as port:
        assert port == 4000
        return asyncio.get_running_loop().time()


def test_a_door_waits_for_its_address() -> None:
    assert simulated_time.run(opened(0, patience=0)) == 0
    assert 4.5 <= simulated_time.run(opened(4.5, patience=10)) <= 5.5


@pytest.mark.parametrize(("free_after", "number"), [(11.5, errno.EADDRINUSE), (1, errno.EADDRNOTAVAIL)])
def test_an_address_that_stays_taken_or_cannot_be_had_is_refused(free_after: float, number: int) -> None:
    with pytest.raises(OSError, match="no"):
        simulated_time.run(opened(free_after, 10, number))
