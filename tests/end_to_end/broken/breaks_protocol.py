"""Breaks the protocol in each of its first five answers, each time in a different way."""

import asyncio
import os

import grpc.aio

from bourre.v1.game_pb2 import DECISION_PLAY
from bourre.v1.referee_pb2 import Answer, Ask, BotMessage, Hello, RefereeMessage
from bourre.v1.referee_pb2_grpc import RefereeStub


def honest(ask: Ask) -> Answer:
    if ask.decision == DECISION_PLAY:
        return Answer(table=ask.table, id=ask.id, card=ask.view.legal[:2])
    return Answer(table=ask.table, id=ask.id, plays=True, discards="")


def answers(number: int, ask: Ask) -> list[Answer]:
    """Answers the question of this number, counting from 1."""
    own = honest(ask)
    wrong = {
        1: [Answer(table=ask.table, id=ask.id, card="10S")],
        2: [Answer(table=ask.table, id=ask.id, trump="S")],
        3: [own, own],
        4: [own, Answer(table=ask.table, id=ask.id + 1000, card="AS")],
        5: [own, Answer(table=ask.table + 1000, id=ask.id, card="AS")],
    }
    return wrong.get(number, [own])


async def play() -> None:
    async with grpc.aio.insecure_channel(os.environ["BOURRE_ADDRESS"]) as channel:
        call = RefereeStub(channel).Play()
        await call.write(BotMessage(hello=Hello(protocol=1, token=os.environ["BOURRE_TOKEN"])))
        number = 0
        while isinstance(message := await call.read(), RefereeMessage):
            for ask in message.asks:
                number += 1
                await call.write(BotMessage(answers=answers(number, ask)))


asyncio.run(play())
