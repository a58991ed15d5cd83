"""A person in a contest: `python -m bourre_seats.seat --terminal` as the process of a bot with a token."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.bot import Bot
from bourre.connection.client import play
from bourre.record import read
from bourre_referee.diagnostics.attacks.invited_room import open_listener
from tests.end_to_end.rooms import GENEROUS, room_with

pytestmark = pytest.mark.xdist_group("processes")
TYPED = "pass\nin\n1\n2\n3\n4\n5\n" * 40
"""What does not answer a question is refused, and the next line is tried."""
MINUTES = 600_000


async def typed_through(variables: dict[str, str]) -> tuple[int | None, str]:
    """Types everything to a seat; returns its exit status, and all that it wrote."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bourre_seats.seat", "--terminal"),
        env={**os.environ, **variables},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate(TYPED.encode())
    return process.returncode, out.decode()


def test_a_person_sits_in_a_contest_by_a_token_and_is_scored(tmp_path: Path) -> None:
    async def contest() -> tuple[str, tuple[int | None, str]]:
        spec = room_with("honest", tmp_path, deals=3, clock=replace(GENEROUS, decision_ms=MINUTES, match_ms=MINUTES))
        spec = replace(spec, entries=tuple(replace(entry, command=None) for entry in spec.entries))
        async with open_listener(spec) as (listener, address, tokens):
            variables = {"BOURRE_ADDRESS": address, "BOURRE_TOKEN": tokens.pop("tested")}
            person = asyncio.ensure_future(typed_through(variables))
            bots = [asyncio.ensure_future(play(Bot, address, token)) for token in tokens.values()]
            (outcome,) = await listener.play(spec)
            listener.say_goodbye("the contest is over")
            await asyncio.gather(*bots)
            return outcome.record, await person

    record, (status, told) = asyncio.run(contest())
    played = read(record)
    chips = played.final[played.header.bots.index("tested")]
    assert status == 0
    assert f"you end with {chips:+d}." in told
    assert "You have 600 seconds." in told


def test_a_seat_without_an_invitation_says_what_is_missing() -> None:
    async def alone() -> tuple[int | None, str]:
        return await typed_through({"BOURRE_ADDRESS": "", "BOURRE_TOKEN": ""})

    status, told = asyncio.run(alone())
    assert status == 1
    assert "BOURRE_ADDRESS and BOURRE_TOKEN are not set" in told
