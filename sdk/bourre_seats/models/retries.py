"""Asks again while that may help and the clock allows; never beyond it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import count
from math import inf

from bourre_seats.models.chat import AnswerFormat, Chat, Completion, Message, TryAgain, Unavailable

MOST_CALLS = 10
"""The most calls for one answer, where no clock ends them."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between calls: each pause is twice the one before, unless the server asks for a longer one."""
LONGEST_ASKED = 300.0
"""The longest pause that a server gets: where no clock runs, one of a century would never end."""


@dataclass(frozen=True, slots=True)
class Timer:
    """A clock in seconds, and how to wait."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


async def complete(
    chat: Chat,
    messages: Sequence[Message],
    form: AnswerFormat,
    until: float,
    call_seconds: float,
    on_call: Callable[[], None] = lambda: None,
    timer: Timer | None = None,
) -> Completion:
    """Returns a completion before `until`, a time of the timer; a call takes at most `call_seconds`.

    Calls `on_call` before each call. Raises Unavailable, which says what the last call failed of.
    """
    timer, pause, why = timer or Timer(), FIRST_PAUSE, "no time was left for a call"
    for _ in range(MOST_CALLS) if until == inf else count():
        if (left := until - timer.now()) <= 0:
            break
        on_call()
        try:
            return await chat.complete(messages, form, min(left, call_seconds))
        except TryAgain as failed:
            why, wait = str(failed), max(pause, failed.after_s)
        if timer.now() + wait >= until or wait > LONGEST_ASKED:
            break
        await timer.sleep(wait)
        pause = min(2 * pause, LONGEST_PAUSE)
    raise Unavailable(f"no answer in time: {why}")
