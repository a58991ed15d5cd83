"""Opens and cancels five hundred calls, some before and some after their hello, then plays."""

import asyncio
from contextlib import suppress

import grpc.aio
import rogue


async def main() -> None:
    async with rogue.channel() as over:
        for number in range(500):
            call = rogue.dial(over)
            if number % 2:
                with suppress(grpc.aio.AioRpcError):  # refused: too many at once
                    await call.write(rogue.hello("f" * 64))
            call.cancel()
    await rogue.play()


asyncio.run(main())
