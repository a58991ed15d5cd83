"""The tools, called by the official client in the same process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from bourre.desk.desk import Desk
from bourre.mcp.mcp_server import make_server
from bourre.mcp.seating import Seating
from bourre.mcp.tools import AgentTools
from tests.end_to_end.agent_clients import call, default_action, refusal


@asynccontextmanager
async def agent() -> AsyncIterator[Client]:
    """An agent whose server shows legal cards; it leaves at the end."""
    seating = Seating(Desk())
    try:
        async with Client(make_server(AgentTools(seating, None, show_legal=True))) as client:
            yield client
    finally:
        await seating.leave()


def illegal_card(question: dict[str, Any]) -> str | None:
    """A card that the agent holds and may not play, if there is one."""
    data = question["data"]
    return next((card for card in data["hand"] if card not in (data["legal"] or data["hand"])), None)


async def until_illegal(client: Client) -> dict[str, Any]:
    """Practises by the defaults until some card would be illegal; returns that question."""
    seen = await call(client, "join", against=["tight", "random"], deals=100)
    while not illegal_card(question := seen["questions"][0]):
        seen = await call(client, "answer", question=question["question"], action=default_action(question))
    return dict(question)


def test_the_referee_rules_an_illegal_card_and_look_teaches_its_one_correction() -> None:
    async def renege() -> tuple[str, str, list[str]]:
        async with agent() as client:
            question = await until_illegal(client)
            wrong = illegal_card(question)
            (asked,) = (await call(client, "answer", question=question["question"], action=wrong))["questions"]
            seen = await call(client, "answer", question=asked["question"], action=default_action(asked))
            assert seen["questions"]
            return str(wrong), asked["words"], (await call(client, "history", deal=question["data"]["deal"]))["deal"]

    wrong, words, happened = asyncio.run(renege())
    assert f"Your {wrong} broke R" in words
    assert "Another illegal card costs" in words
    assert any("seat 0" in line and wrong in line for line in happened)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("answer", {"question": 7, "action": "in"}, "Question 7 is not open"),
        ("answer", {"question": 1, "action": "x" * 101}, "at most 100 characters"),
        ("answer", {"question": 1, "action": "in", "note": "x" * 2049}, "at most 2048 characters"),
        ("look", {"wait_seconds": 3600}, "less than or equal to 50"),
        ("join", {"against": ["/etc/passwd"]}, "names no example"),
        ("join", {"against": ["tight"] * 8}, "at most 7 items"),
        ("join", {"preset": "poker"}, "there is no preset 'poker'"),
        ("history", {"match": "m9"}, "There is no match 'm9'"),
    ],
)
def test_a_useless_call_is_explained(tool: str, arguments: dict[str, object], says: str) -> None:
    async def misuse() -> str:
        async with agent() as client:
            return await refusal(client, tool, **arguments)

    assert says in asyncio.run(misuse())


def test_the_rules_are_a_resource() -> None:
    async def read() -> str:
        async with agent() as client:
            (rules,) = (await client.read_resource("bourre://rules")).contents
            return str(rules.model_dump()["text"])

    assert "Follow suit if you can" in asyncio.run(read())


def test_an_agent_that_leaves_in_the_middle_ends_its_practice() -> None:
    async def leave() -> str:
        seating = Seating(Desk())
        seating.practise(["tight"], deals=5, preset="limit", seed=0)
        await seating.desk.wait(50)
        await seating.leave()
        return seating.desk.status

    assert asyncio.run(leave()) == "The agent has left."
