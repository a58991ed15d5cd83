"""The official client as an agent: it plays by the defaults of `Bot`, from what `look` tells it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

KEY = "the key of this test"
COMMAND = ("-m", "bourre_seats.mcp", "--legal")


def over_stdio(variables: Mapping[str, str]) -> Client:
    """A client that starts a server of its own, with these variables."""
    return Client(StdioServerParameters(command=sys.executable, args=list(COMMAND), env={**os.environ, **variables}))


@asynccontextmanager
async def over_http(url: str, key: str = KEY) -> AsyncIterator[Client]:
    """A client of the server at this address."""
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as carrier,
        Client(streamable_http_client(url, http_client=carrier)) as client,
    ):
        yield client


@asynccontextmanager
async def http_server(variables: Mapping[str, str]) -> AsyncIterator[str]:
    """The address of a server over HTTP, started with these variables."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *COMMAND,
        "--http",
        "127.0.0.1:0",
        env={**os.environ, "BOURRE_MCP_KEY": KEY, **variables},
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        said = (await process.stderr.readline()).decode()
        yield next(word for word in said.split() if word.startswith("http"))
    finally:
        process.terminate()
        await process.communicate()


def default_action(question: Mapping[str, Any]) -> str:
    """What `Bot` answers by default."""
    data = question["data"]
    if question["asked"] == "declare":
        return "in" if any(card.endswith(data["trump"]) for card in data["hand"]) else "pass"
    return "draw" if question["asked"] == "draw" else str(data["legal"][0])


async def call(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """Calls a tool that succeeds, and returns its data."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    """Calls a tool that fails, and returns what it says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return " ".join(part.text for part in result.content if part.type == "text")


async def play_on(client: Client, answers: int = 10**9) -> dict[str, Any]:
    """Answers by the defaults until the game is over or this many are given; returns what the agent saw last."""
    seen = await call(client, "look")
    while answers and not _is_over(seen):
        for question in seen["questions"][:1]:
            seen = await call(client, "answer", question=question["question"], action=default_action(question))
            answers -= 1
        if not seen["questions"] and not _is_over(seen):
            seen = await call(client, "look")
    return seen


def _is_over(seen: Mapping[str, Any]) -> bool:
    return str(seen["status"]).startswith(("The referee said goodbye", "Practice is over"))
