"""A bot controlled by a fuzzer's bytes, on one or more streams of its connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fuzzing import honest
from fuzzing.choices import Choices
from fuzzing.lies import Lies
from fuzzing.pipe import Pipe

WAITS = (0.05, 0.2, 0.3, 1.0, 3.0)
MOST_STREAMS = 4

Dial = Callable[[], Pipe]
"""Opens a stream to the referee."""


class Mischief:
    """The fuzzed bot: at every turn the bytes choose whether it is honest, and if not, in which way."""

    def __init__(self, choices: Choices, token: str, dial: Dial) -> None:
        self._choices = choices
        self._token = token
        self._dial = dial
        self._lies = Lies(choices, token)

    async def play(self) -> None:
        """Opens a stream, and further ones if the bytes choose to, until the referee refuses."""
        for _ in range(MOST_STREAMS):
            pipe = self._dial()
            hello = self._lies.hello()
            if hello is not None:
                pipe.say(hello)
            await self._follow(pipe)
            if self._choices.spent:
                return

    async def _follow(self, pipe: Pipe) -> None:
        while True:
            kind = self._choices.number(16)
            if kind == 15:
                pipe.say_no_more()
                if self._choices.number(2):
                    return
            elif kind == 14:
                await asyncio.sleep(self._choices.one_of(WAITS))
            elif kind == 13:
                pipe.say(self._lies.unasked())
            elif kind == 12:
                self._dial().say(honest.hello(self._token))
            else:
                message = await pipe.hear()
                if message is None:
                    return
                for said in self._lies.answers(message):
                    pipe.say(said)
