"""Broken connections: a bot that comes back plays on as if nothing had happened, and no other can take its seat."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

from bourre.bot import Bot
from bourre.connection.client import ClientRefused, play
from bourre.messages import Welcome
from bourre.rules.cards import Card
from bourre.rules.visibility import View
from bourre.v1.game_pb2 import DECISION_PLAY
from bourre.v1.referee_pb2 import Answer, Ask, BotMessage, Hello, RefereeMessage
from bourre.v1.referee_pb2_grpc import RefereeStub
from tests.end_to_end.breaking import Wire, cut_before_first_welcome, played_with, visited_room
from tests.end_to_end.rooms import ALL_HONEST, GENEROUS, faults_of, played, room_with

FOREVER = replace(GENEROUS, reconnect_ms=60_000)


class Stream:
    """One raw call of Play."""

    def __init__(self, call: Any) -> None:
        self.call = call

    async def say_hello(self, token: str) -> None:
        """Sends a hello."""
        await self.call.write(BotMessage(hello=Hello(protocol=1, token=token)))

    async def hear(self) -> RefereeMessage:
        """The next message."""
        message = await self.call.read()
        assert isinstance(message, RefereeMessage)
        return message

    async def hear_out(self) -> None:
        """Reads to the end; a client that goes on writing may lose the status of the call."""
        while isinstance(await self.call.read(), RefereeMessage):
            pass

    async def pass_or_play(self, asks: list[Ask]) -> None:
        """Answers these questions, if there are any: passes, or plays the first legal card."""
        if asks:
            await self.call.write(BotMessage(answers=[answer(ask) for ask in asks]))

    async def play_on(self) -> None:
        """Answers until the goodbye."""
        while isinstance(message := await self.call.read(), RefereeMessage):
            await self.pass_or_play(list(message.asks))
            if message.HasField("goodbye"):
                return


def answer(ask: Ask) -> Answer:
    if ask.decision == DECISION_PLAY:
        return Answer(table=ask.table, id=ask.id, card=ask.view.legal[:2])
    return Answer(table=ask.table, id=ask.id, plays=False)


@asynccontextmanager
async def dialled(address: str, token: str) -> AsyncIterator[Stream]:
    """A stream of its own connection that has said hello."""
    async with connected(address) as stream:
        await stream.say_hello(token)
        yield stream


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Stream]:
    """A stream of its own connection that has said nothing yet."""
    async with grpc.aio.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        call = RefereeStub(channel).Play(wait_for_ready=True)
        await call.wait_for_connection()
        yield Stream(call)
        call.cancel()


@pytest.mark.parametrize("at_once", [False, True], ids=["in turn", "at once"])
@pytest.mark.parametrize("tables", [1, 4])
def test_a_bot_whose_line_breaks_plays_on_with_the_same_instances(tables: int, at_once: bool, tmp_path: Path) -> None:
    instances: list[Bot] = []
    decided: list[tuple[int, int, str]] = []
    calls = []

    async def visit(address: str, token: str) -> None:
        async with Wire(address).open() as wire:

            class Unlucky(Bot):
                def __init__(self) -> None:
                    instances.append(self)

                def declare(self, view: View) -> bool:
                    decided.append((id(self), view.deal, "declare"))
                    if view.deal % 3 == 2:
                        wire.cut()
                    return bool(super().declare(view))

            class UnluckyThinker(Unlucky):
                async def play(self, view: View) -> Card:
                    await asyncio.sleep(0)
                    return view.legal[0]

            await play(UnluckyThinker if at_once else Unlucky, wire.address, token)
            calls.append(wire.calls)

    outcomes = played_with(visited_room(tmp_path, clock=FOREVER, matches=4, tables=tables), visit)
    assert [outcome.faults for outcome in outcomes] == [()] * 4
    assert len(instances) == 4
    assert len(decided) == len(set(decided))
    assert calls[0] > 4
    undisturbed = played(room_with("honest", tmp_path, matches=4), ALL_HONEST)
    assert [outcome.record for outcome in outcomes] == [outcome.record for outcome in undisturbed]


def test_a_bot_whose_line_breaks_before_its_welcome_dials_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit(address: str, token: str) -> None:
        async with Wire(address).open() as wire:
            cut_before_first_welcome(wire, token, monkeypatch)
            await play(Bot, wire.address, token)

    (outcome,) = played_with(visited_room(tmp_path), visit)
    assert outcome.faults == ()


def test_who_comes_back_is_asked_the_same_anew(tmp_path: Path) -> None:
    async def visit(address: str, token: str) -> None:
        async with dialled(address, token) as first:
            message = await first.hear()
            while not message.asks:
                message = await first.hear()
        again = await back(address, token)
        assert [seating.match for seating in again.seatings] == ["m0001"]
        assert again.asks == message.asks

    async def back(address: str, token: str) -> RefereeMessage:
        """The first message to a bot that comes back once the referee has seen it leave; then it plays on."""
        while True:
            async with dialled(address, token) as stream:
                message = await stream.hear()
                if message.HasField("welcome"):
                    await stream.pass_or_play(list(message.asks))
                    await stream.play_on()
                    return message
                assert "taken" in message.refusal.reason

    (outcome,) = played_with(visited_room(tmp_path, clock=FOREVER), visit)
    assert outcome.faults == ()


def test_the_first_holder_of_a_token_is_undisturbed_by_a_second(tmp_path: Path) -> None:
    async def visit(address: str, token: str) -> None:
        async with dialled(address, token) as first:
            welcome = await first.hear()
            for _ in range(3):
                async with dialled(address, token) as second:
                    refused = await second.hear()
                    assert refused.refusal.reason.startswith("tested is already connected: a token opens one")
                    assert not refused.HasField("welcome")
            await first.pass_or_play(list(welcome.asks))
            await first.play_on()

    (outcome,) = played_with(visited_room(tmp_path, clock=FOREVER), visit)
    assert outcome.faults == ()


def test_without_a_grace_period_nobody_comes_back(tmp_path: Path) -> None:
    answers = []

    async def visit(address: str, token: str) -> None:
        async with connected(address) as second:
            async with dialled(address, token) as first:
                message = await first.hear()
                assert message.welcome.reconnect_ms == 0
                while not message.asks:
                    message = await first.hear()
            await second.say_hello(token)
            answers.append(await second.hear())

    (outcome,) = played_with(visited_room(tmp_path, clock=replace(GENEROUS, reconnect_ms=0)), visit)
    assert faults_of(outcome, "tested") == {"disconnected": 1}
    assert outcome.result.seats[0].house_deals >= 7  # in the first the others may all pass before it is asked
    (answer,) = answers  # the line is still in use, or waits for the next room
    assert answer.refusal.reason.startswith("tested is ") or answer.HasField("welcome")
    assert (list(answer.seatings), list(answer.asks)) == ([], [])


def test_a_bot_that_stays_away_is_played_by_the_house(tmp_path: Path) -> None:
    async def visit(address: str, token: str) -> None:
        async with dialled(address, token) as first:
            while not (await first.hear()).asks:  # the room has begun
                pass

    (outcome,) = played_with(visited_room(tmp_path, clock=replace(GENEROUS, reconnect_ms=1)), visit)
    assert faults_of(outcome, "tested") == {"disconnected": 1}


def test_a_bot_that_an_old_referee_does_not_let_in_again_says_what_broke(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that knows nothing of staying, which the bot says at once."""
    monkeypatch.setattr("bourre_referee.server.remote_session.Welcome", lambda *words, stays: Welcome(*words))
    said: list[str] = []

    async def visit(address: str, token: str) -> None:
        async with Wire(address).open() as wire:

            class Unlucky(Bot):
                def declare(self, view: View) -> bool:
                    wire.cut()
                    return False

            with pytest.raises(ClientRefused) as caught:
                await play(Unlucky, wire.address, token)
            said.append(str(caught.value))

    (outcome,) = played_with(visited_room(tmp_path, clock=replace(GENEROUS, reconnect_ms=0)), visit)
    # gRPC reports the one when it was reading, the other when it was about to write.
    assert re.match("The connection to the referee broke: (unavailable|internal) ", said[0])
    assert faults_of(outcome, "tested") == {"disconnected": 1}
    older = "bourre: This referee is older than the bot. After its goodbye, run the bot again for the next match."
    assert capsys.readouterr().err.splitlines() == [older] * 3  # each bot says so


def test_a_bot_waits_for_its_referee_only_so_long(tmp_path: Path) -> None:
    with pytest.raises(ClientRefused, match=r"No referee answered at unix:.*nobody within 0\.2 s"):
        asyncio.run(play(Bot, f"unix:{tmp_path}/nobody", "token", dial_seconds=0.2))


def test_a_flood_is_told_why_it_is_cut_off(tmp_path: Path) -> None:
    said: list[str] = []

    async def visit(address: str, token: str) -> None:
        async with connected(address) as second, dialled(address, token) as stream:
            while not (await stream.hear()).seatings:
                pass  # the room has not begun
            await stream.call.write(BotMessage(answers=[Answer()] * 1000))
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stream.hear_out()
            said.append(f"{caught.value.code().name} {caught.value.details()}")
            await second.say_hello(token)
            said.append((await second.hear()).welcome.bot)

    (outcome,) = played_with(visited_room(tmp_path, clock=FOREVER), visit)
    assert said[0] == "RESOURCE_EXHAUSTED tested sent more than 2 answers for each decision and 32 more"
    assert said[1] == "tested"  # it may wait for the next room
    assert faults_of(outcome, "tested") == {"over_limit": 1}
    assert outcome.result.seats[0].house_deals >= 7
