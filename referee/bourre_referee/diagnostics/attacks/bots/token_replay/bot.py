"""Connects again and again with its own token while its call is open, in the hope of a second seat."""

import asyncio

import rogue


async def dial_again() -> None:
    for _ in range(5):
        async with rogue.channel() as over:
            call = rogue.dial(over)
            await call.write(rogue.hello())
            answer = await rogue.outcome(call)
            print("FOUND a second line" if answer == "welcome" else f"second line: {answer}")
            call.cancel()


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial(over)
        await call.write(rogue.hello())
        async for ask in rogue.asks(call):
            if ask.id == 2:
                await dial_again()
            await call.write(rogue.message(rogue.honest(ask)))


asyncio.run(main())
