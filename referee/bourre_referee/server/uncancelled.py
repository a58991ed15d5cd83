"""Awaits something to its end even if the waiting task is cancelled, so that nothing is left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def shielded(ending: Awaitable[T]) -> T:
    """Returns or raises what `ending` does; if cancelled meanwhile, even repeatedly, CancelledError after its end."""
    going = asyncio.ensure_future(ending)
    try:
        await asyncio.wait({going})  # a cancelled wait lets its tasks go on
    except asyncio.CancelledError:
        await shielded(going)
        raise
    return going.result()
