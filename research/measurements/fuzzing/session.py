"""Plays one input of the fuzzer: a room of two honest bots and one controlled by the bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bourre.rules.house import PRESETS, HouseRules
from bourre_referee.model.spec import BotEntry, Clock, MatchOutcome, MatchSpec, PlacedRoom
from bourre_referee.server import room
from bourre_referee.server.remote_session import RemoteSession
from bourre_referee.server.service import Service, find_among
from fuzzing import honest
from fuzzing.choices import Choices
from fuzzing.judging import FUZZED, HONEST, Played, play_judged
from fuzzing.mischief import Mischief
from fuzzing.pipe import Aborted, Pipe


def play(data: bytes) -> Played:
    """Plays a room by these bytes and judges it; raises Wrong, or whatever the referee raised."""
    choices = Choices(data)
    return play_judged(_Session(_spec(choices), choices).play())


class _Session:
    """A room whose bots are tasks beside it."""

    def __init__(self, spec: PlacedRoom, choices: Choices) -> None:
        self._spec = spec
        self._choices = choices
        self._tasks: list[asyncio.Task[None]] = []
        self._calls: list[asyncio.Task[None]] = []
        self._service: Service

    async def play(self) -> list[MatchOutcome]:
        lines = {bot: RemoteSession(bot, "fuzzing", self._spec.clock, lambda *_: None) for bot in (FUZZED, *HONEST)}
        self._service = Service(find_among(lines), self._spec.clock.start_ms / 1000, lambda _: nullcontext())
        mischief = Mischief(self._choices, FUZZED, self._dial)
        self._start(mischief.play())
        for bot in HONEST:
            self._start(self._be_honest(bot))
        outcomes = await room.play_room(self._spec, lines)
        for task in (*self._calls, *self._tasks):
            task.cancel()
        for ended in await asyncio.gather(*self._calls, *self._tasks, return_exceptions=True):
            if isinstance(ended, Exception) and not isinstance(ended, Aborted):
                raise ended
        return outcomes

    def _start(self, bot: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(bot))

    def _dial(self) -> Pipe:
        pipe = Pipe()
        call = asyncio.create_task(self._service.Play(None, pipe))  # type: ignore[arg-type]
        call.add_done_callback(lambda _: pipe.end())
        self._calls.append(call)
        return pipe

    async def _be_honest(self, token: str) -> None:
        pipe = self._dial()
        pipe.say(honest.hello(token))
        while (message := await pipe.hear()) is not None:
            if message.asks:
                pipe.say(honest.answers(message))


def _spec(choices: Choices) -> PlacedRoom:
    """Makes a small room; the first bytes choose its rules, tables and `faults.max`."""
    house = HouseRules.preset(choices.one_of(("limit", *sorted(PRESETS))))
    names = (FUZZED, *HONEST)
    deals, tables, max_faults = 1 + choices.number(2), 1 + choices.number(2), choices.one_of((10, 1, 2))
    return PlacedRoom(
        room="r",
        entries=tuple(BotEntry(name, None, Path()) for name in names),
        matches=tuple(MatchSpec(f"m{n}", _rotate(names, n), house, deals, bytes([n]) * 32) for n in range(tables)),
        tables=choices.one_of((tables, 1)),
        clock=Clock(1000, 200, 300, 1000, 2000, choices.one_of((300, 0))),
        max_faults=max_faults,
        logs=Path(),
    )


def _rotate(names: tuple[str, ...], by: int) -> tuple[str, ...]:
    return names[by:] + names[:by]
