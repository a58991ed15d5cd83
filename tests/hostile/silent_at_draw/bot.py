"""Plays along until it is asked to draw; there it falls silent for good."""

import asyncio

import rogue


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial(over)
        await call.write(rogue.hello())
        async for ask in rogue.asks(call):
            if ask.decision != rogue.PHASES["draw"]:
                await call.write(rogue.message(rogue.honest(ask)))


asyncio.run(main())
