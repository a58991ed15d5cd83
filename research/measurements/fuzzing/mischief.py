"""A bot that does what the bytes of a fuzzer say, on one or more streams of its line."""

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
    """The bot of the bytes: at every turn they decide whether it is honest, and if not, in which way."""

    def __init__(self, choices: Choices, token: str, dial: Dial) -> None:
        self._choices = choices
        self._token = token
        self._dial = dial
        self._lies = Lies(choices, token)

    async def play(self) -> None:
        """Opens a stream, and another one where the bytes let it, until the referee has had enough."""
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
