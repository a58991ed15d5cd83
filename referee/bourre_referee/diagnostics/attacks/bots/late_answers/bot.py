"""Answers everything, always too late."""

import asyncio

import rogue


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial(over)
        await call.write(rogue.hello())
        async for ask in rogue.asks(call):
            await asyncio.sleep(1.5)
            await call.write(rogue.message(rogue.honest(ask)))


asyncio.run(main())
