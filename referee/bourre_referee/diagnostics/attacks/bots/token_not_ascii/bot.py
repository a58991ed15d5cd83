"""Says hello with a token that is not ASCII, which breaks a careless comparison. Then it plays."""

import asyncio

import rogue


async def main() -> None:
    async with rogue.channel() as over:
        for token in ("é" * 32, "\U0001f0a1" * 64, "\u202e\0"):
            call = rogue.dial(over)
            await call.write(rogue.hello(token))
            print(await rogue.outcome(call))
            call.cancel()
    await rogue.play()


asyncio.run(main())
