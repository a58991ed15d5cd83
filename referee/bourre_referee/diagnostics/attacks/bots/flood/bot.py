"""Sends ten thousand unasked answers as fast as it can, and never waits for a question."""

import asyncio

import grpc.aio
import rogue

from bourre.v1.referee_pb2 import Answer

UNASKED = rogue.message(*(Answer(table=0, id=1000 + number, plays=True, discards="") for number in range(100)))


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial(over)
        await call.write(rogue.hello())
        await anext(rogue.asks(call))
        try:
            for _ in range(100):
                await call.write(UNASKED)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            print("the line was closed")
        await asyncio.get_running_loop().create_future()


asyncio.run(main())
