"""What is waited for to its end although whoever waits is cancelled meanwhile: only so is nothing left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def shielded(ending: Awaitable[T]) -> T:
    """What this comes to, or raises; where the waiting was cancelled, even often, CancelledError once it has ended."""
    going = asyncio.ensure_future(ending)
    try:
        await asyncio.wait({going})  # which, cancelled, lets it go on
    except asyncio.CancelledError:
        await shielded(going)
        raise
    return going.result()
