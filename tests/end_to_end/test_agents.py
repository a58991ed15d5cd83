"""Agents at a referee, over stdio and over HTTP, with the official client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from bourre.bot import Bot
from bourre.connection.client import play
from bourre_referee.diagnostics.attacks.invited_room import open_listener
from bourre_referee.model.spec import MatchOutcome
from tests.end_to_end.agent_clients import KEY, call, http_server, over_http, over_stdio, play_on, refusal
from tests.end_to_end.rooms import ALL_HONEST, GENEROUS, room_with, visited

pytestmark = pytest.mark.xdist_group("processes")
A_DAY = 86_400_000
Agent = Callable[[dict[str, str]], Awaitable[None]]
"""Plays at the referee that these variables name, until its goodbye."""


async def played_with(agent: Agent, logs: Path, deals: int) -> MatchOutcome:
    """One match of this agent against two honest bots, whose referee gives each answer a day."""
    spec = room_with(
        "honest", logs, deals=deals, clock=replace(GENEROUS, decision_ms=A_DAY, match_ms=A_DAY, reconnect_ms=60_000)
    )
    spec = replace(spec, entries=tuple(replace(entry, command=None) for entry in spec.entries))
    async with open_listener(spec) as (listener, address, tokens):
        visits = [
            asyncio.ensure_future(
                agent({"BOURRE_ADDRESS": address, "BOURRE_TOKEN": token})
                if bot == "tested"
                else play(Bot, address, token)
            )
            for bot, token in tokens.items()
        ]
        (outcome,) = await listener.play(spec)
        listener.say_goodbye("the contest is over")
        await asyncio.gather(*visits)
    return outcome


def by_plain_bots(logs: Path, deals: int) -> str:
    """The record of the same match if a plain bot plays for the agent."""
    (outcome,) = asyncio.run(visited(room_with("honest", logs, deals=deals), ALL_HONEST))
    return outcome.record


async def at_once_over_stdio(variables: dict[str, str]) -> None:
    async with over_stdio(variables) as client:
        seen = await play_on(client)
    assert seen["status"].startswith("The referee said goodbye")


async def with_another_client_over_http(variables: dict[str, str]) -> None:
    """Goes away while it is asked, and comes back as another client."""
    async with http_server(variables) as url:
        async with over_http(url) as client:
            seen = await play_on(client, answers=5)
        async with over_http(url) as client:
            again = await call(client, "look")
            assert [asked["question"] for asked in again["questions"]] == [
                asked["question"] for asked in seen["questions"]
            ]
            await play_on(client)


async def with_another_process_over_stdio(variables: dict[str, str]) -> None:
    """Goes away with its server while it is asked, and comes back as a new process with the same token."""
    async with over_stdio(variables) as client:
        await play_on(client, answers=5)
    await at_once_over_stdio(variables)


@pytest.mark.parametrize(
    ("agent", "deals"),
    [
        (at_once_over_stdio, 3),
        pytest.param(with_another_client_over_http, 4, marks=pytest.mark.long),
        pytest.param(with_another_process_over_stdio, 4, marks=pytest.mark.long),
    ],
)
def test_an_agent_plays_as_a_plain_bot_with_its_answers_does(agent: Agent, deals: int, tmp_path: Path) -> None:
    outcome = asyncio.run(played_with(agent, tmp_path, deals))
    assert not outcome.faults
    assert outcome.record == by_plain_bots(tmp_path, deals)


def test_over_http_nobody_acts_without_the_key_or_from_another_site_or_at_length() -> None:
    async def knock() -> list[int]:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        allowed = {"Authorization": f"Bearer {KEY}", "Accept": "application/json, text/event-stream"}
        async with http_server({}) as url, httpx2.AsyncClient() as web:
            tries = [
                await web.post(url, json=ping),
                await web.post(url, json=ping, headers={**allowed, "Authorization": "Bearer the wrong key"}),
                await web.post(url, json=ping, headers={**allowed, "Host": "elsewhere.example"}),
                await web.post(url, json=ping, headers={**allowed, "Origin": "http://elsewhere.example"}),
                await web.post(url, json={**ping, "more": "x" * 100_000}, headers=allowed),
            ]
            async with over_http(url) as client:
                assert (await call(client, "look", wait_seconds=0))["questions"] == []
        return [answer.status_code for answer in tries]

    assert asyncio.run(knock()) == [401, 401, 421, 403, 413]


def test_an_agent_with_nothing_else_running_practises() -> None:
    async def practise() -> tuple[str, str, str]:
        async with over_stdio({}) as client:
            wrong = await refusal(client, "join", against=["/etc/passwd"])
            await call(client, "join", against=["tight", "counter"], deals=3)
            twice = await refusal(client, "join", against=["tight"])
            return wrong, twice, (await play_on(client))["status"]

    wrong, twice, status = asyncio.run(practise())
    assert "Unknown example '/etc/passwd'" in wrong
    assert "You have a seat already" in twice
    assert status.startswith("Practice is over. Chips: you ")
