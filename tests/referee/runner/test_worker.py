"""What a worker process answers, and that it ends even if its room does not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from multiprocessing import Pipe
from typing import NoReturn

import pytest

from bourre_referee.model.spec import BotsAway, MatchOutcome, RoomFailed, RoomSpec
from bourre_referee.runner import worker
from bourre_referee.runner.worker import Alive, Failed, Played, play_or_fail, work
from tests.referee import rooms as fakes


def test_every_failure_becomes_an_answer(rooms: tuple[RoomSpec, ...]) -> None:
    async def fail(error: Exception) -> Sequence[MatchOutcome]:
        raise error

    assert asyncio.run(play_or_fail(fakes.play_room(rooms[0]))) == Played((fakes.played(rooms[0].matches[0]),))
    away = Failed("ada, bob left before it began", ("ada", "bob"))
    assert asyncio.run(play_or_fail(fail(BotsAway(("ada", "bob"))))) == away
    assert asyncio.run(play_or_fail(fail(RoomFailed("no sandbox")))) == Failed("no sandbox")
    mistake = asyncio.run(play_or_fail(fakes.play_and_break(rooms[0])))
    assert isinstance(mistake, Failed)
    assert mistake.reason.startswith("Traceback")
    assert "play_and_break" in mistake.reason
    assert mistake.reason.endswith("KeyError: 'a mistake of ours'\n")


def test_a_worker_ends_with_its_parent_even_if_its_room_does_not(
    rooms: tuple[RoomSpec, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = Pipe()
    heard: list[object] = []

    async def play(room: RoomSpec) -> Sequence[MatchOutcome]:
        if room == rooms[0]:
            return await fakes.play_room(room)
        heard.append(ours.recv())
        while not ours.poll():
            await asyncio.sleep(0)
        heard.append(ours.recv())
        ours.close()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            heard.append("cancelled")
            await asyncio.sleep(60)
        return ()

    def end(status: int) -> NoReturn:
        raise SystemExit(status)

    monkeypatch.setattr(worker, "GRACE_S", 0.01)
    monkeypatch.setattr(os, "_exit", end)
    for message in (rooms[0], rooms[1], Alive()):
        ours.send(message)
    with pytest.raises(SystemExit, match="1"):
        work(theirs, play)
    theirs.close()
    assert heard == [Played((fakes.played(rooms[0].matches[0]),)), Alive(), "cancelled"]
