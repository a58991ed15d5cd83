"""Closes its connection in the middle of the match and stays alive, holding on to whatever it can."""

import asyncio
import signal

import rogue


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial(over)
        await call.write(rogue.hello())
        async for ask in rogue.asks(call):
            if ask.decision == rogue.PHASES["play"]:
                break
            await call.write(rogue.message(rogue.honest(ask)))
        call.cancel()
    signal.pause()


asyncio.run(main())
