"""The tools, called by the official client in the same process, and what they do with a desk."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from bourre.connection.channel import Tls
from bourre.rules.actions import Play
from bourre.rules.cards import Card
from bourre.rules.events import DealEnded, DealStarted
from bourre.testing import view
from bourre.words.table_words.deal_lines import MatchLog
from bourre_seats.mcp.__main__ import main
from bourre_seats.mcp.agent_seating import AgentSeating
from bourre_seats.mcp.mcp_server import KeyVerifier, make_server
from bourre_seats.mcp.tools import MOST_SHOWN, AgentTools, History
from bourre_seats.question_queue.desk import Desk
from bourre_seats.question_queue.question import AnswerError, Reply
from tests.end_to_end.agent_clients import call, default_action, refusal


@asynccontextmanager
async def agent() -> AsyncIterator[Client]:
    """An agent whose server shows legal cards; it leaves at the end."""
    seating = AgentSeating(Desk())
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
        ("join", {"against": ["/etc/passwd"]}, "Unknown example"),
        ("join", {"against": ["tight"] * 8}, "at most 7 items"),
        ("join", {"preset": "poker"}, "Unknown preset 'poker'"),
        ("history", {"match": "m9"}, "Unknown match 'm9'"),
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
        seating = AgentSeating(Desk())
        seating.practise(["tight"], deals=5, preset="limit", seed=0)
        await seating.desk.wait(50)
        await seating.leave()
        return seating.desk.status

    assert asyncio.run(leave()) == "The agent has left."


def test_look_shows_the_oldest_questions_and_an_answer_goes_to_its_own() -> None:
    async def look() -> tuple[list[list[int]], Reply]:
        desk = Desk()
        tools = AgentTools(AgentSeating(desk), None, show_legal=False)
        desk.begin("Playing.")
        asked = [view("play hand='AS KH 2C' trick=QH trump=S") for _ in range(MOST_SHOWN + 1)]
        replies = [asyncio.ensure_future(desk.ask(each, MatchLog())) for each in asked]
        await asyncio.sleep(0)
        seen = [await tools.look(0), await tools.answer(2, "KH", "hearts were led", 0)]
        said = await replies[1]
        desk.end("over")
        await asyncio.gather(*replies, return_exceptions=True)
        assert {question.data.legal for each in seen for question in each.questions} == {None}
        return [[question.question for question in each.questions] for each in seen], said

    shown, said = asyncio.run(look())
    assert shown == [[*range(1, MOST_SHOWN + 1)], [1, *range(3, MOST_SHOWN + 2)]]
    assert said == Reply(Play(Card("KH")), "hearts were led")


def test_history_is_that_of_the_latest_match_and_deal_unless_others_are_named() -> None:
    async def tell(*words: object) -> History:
        desk = Desk()
        tools = AgentTools(AgentSeating(desk), None, show_legal=False)
        assert await tools.history() == History("", [], [], [])
        for match in ("m1", "m2"):
            desk.logs[match] = log = MatchLog()
            for deal in (1, 2):
                log.hear(DealStarted(deal, 0), f"deal {deal} of {match}")
                log.hear(DealEnded(deal, (deal, -deal), 0), f"end {deal}")
        return await tools.history(*words)  # type: ignore[arg-type]

    both = ["m1", "m2"]
    earlier = ["deal 1: end 1", "deal 2: end 2"]
    assert asyncio.run(tell()) == History("m2", both, ["deal 2 of m2", "end 2"], earlier)
    assert asyncio.run(tell("m1", 1)) == History("m1", both, ["deal 1 of m1", "end 1"], earlier)


class Noted(AgentSeating):
    """Takes no seat, and notes which one it was to take."""

    def __init__(self) -> None:
        super().__init__(Desk())
        self.asked = list[tuple[object, ...]]()

    def join(self, *words: object, **more: object) -> None:
        self.asked.append(words)

    def practise(self, *words: object, **more: object) -> None:
        self.asked.append(words)


def test_join_goes_to_a_referee_or_to_practice_as_it_is_told() -> None:
    seating, tls = Noted(), Tls(b"an authority")
    tools = AgentTools(seating, tls, show_legal=False)

    async def join() -> None:
        await tools.join(wait_seconds=0)
        await tools.join(["counter"], 3, "nba", 5, wait_seconds=0)
        await tools.join(address="host:1", token="secret", wait_seconds=0)

    asyncio.run(join())
    practised = (["tight", "counter"], 20, "limit", 0), (["counter"], 3, "nba", 5)
    assert seating.asked == [*practised, ("host:1", "secret", tls)]


def test_an_agent_has_one_seat_at_a_time_and_its_opponents_have_names() -> None:
    async def practise() -> str:
        seating = AgentSeating(Desk())
        desk = seating.desk
        for _ in range(2):
            seating.practise(["tight", "tight"], deals=2, preset="limit", seed=3)
            with pytest.raises(AnswerError) as refused:
                seating.practise(["random"], deals=2, preset="limit", seed=3)
            assert str(refused.value) == (
                "You have a seat already. You practise against tight, tight by the preset limit. Call look."
            )
            while not desk.status.startswith("Practice is over"):
                await desk.wait(50)
                for question in desk.questions:
                    asked = question.view
                    words = {"declare": "pass", "draw": "draw"}
                    desk.answer(question.number, words.get(str(asked.decision)) or str(asked.legal[0]))
            await seating.ended()
        return desk.status

    chips = re.fullmatch(
        r"Practice is over\. Chips: you ([+-]\d+), tight ([+-]\d+), tight 3 ([+-]\d+)\.", asyncio.run(practise())
    )
    assert chips is not None
    assert sum(map(int, chips.groups())) == 0


def test_http_is_for_this_machine_and_for_the_key_alone(capsys: pytest.CaptureFixture[str]) -> None:
    for where in ("0.0.0.0:80", "127.0.0.1", "127.0.0.1:x", "localhost:65536", "example.org:80"):
        with pytest.raises(SystemExit) as ended:
            main(["--http", where])
        assert ended.value.code == 2
        assert f"{where!r} is no loopback address.\nhint: use 127.0.0.1:PORT" in capsys.readouterr().err
    granted = [asyncio.run(KeyVerifier("the key").verify_token(token)) for token in ("the key", "the kex", "", "the")]
    assert [grant and grant.client_id for grant in granted] == ["agent", None, None, None]
