"""Floods before anyone has a seat, so that no table can object. Then it plays, if it still may."""

import asyncio

import rogue

from bourre.v1.referee_pb2 import Answer

UNASKED = rogue.message(*(Answer(table=0, id=number, plays=True, discards="") for number in range(1000)))


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial(over)
        await call.write(rogue.hello())
        for _ in range(50):
            await call.write(UNASKED)
        async for ask in rogue.asks(call):
            await call.write(rogue.message(rogue.honest(ask)))


asyncio.run(main())
