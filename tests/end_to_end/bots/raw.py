"""A bot without the SDK: `play(answer)` sends whatever `answer` returns for each question."""

import asyncio
import os
from collections.abc import Callable

import grpc.aio

from bourre.v1.referee_pb2 import Ask, BotMessage, Hello, RefereeMessage
from bourre.v1.referee_pb2_grpc import RefereeStub

Respond = Callable[[Ask], BotMessage]


def play(respond: Respond, protocol: int = 1) -> None:
    """Says hello, then sends one message for each question."""
    asyncio.run(_play(respond, protocol))


async def _play(respond: Respond, protocol: int) -> None:
    async with grpc.aio.insecure_channel(os.environ["BOURRE_ADDRESS"]) as channel:
        call = RefereeStub(channel).Play(wait_for_ready=True)
        await call.write(BotMessage(hello=Hello(protocol=protocol, token=os.environ["BOURRE_TOKEN"])))
        while isinstance(message := await call.read(), RefereeMessage):
            if message.HasField("refusal"):
                print(message.refusal.reason)
            for ask in message.asks:
                await call.write(respond(ask))
