"""Awaits something to its end even if the waiting task is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def shielded(ending: Awaitable[T]) -> T:
    """Returns the result of `ending` or raises its error. If cancelled, raises CancelledError after its end."""
    going = asyncio.ensure_future(ending)
    try:
        await asyncio.wait({going})  # a cancelled wait does not cancel its tasks
    except asyncio.CancelledError:
        await shielded(going)
        raise
    return going.result()
