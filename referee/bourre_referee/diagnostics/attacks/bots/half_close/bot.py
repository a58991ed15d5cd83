"""Closes its sending side and goes on listening."""

import asyncio

import rogue


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial(over)
        await call.write(rogue.hello())
        async for ask in rogue.asks(call):
            if ask.view.deal == 2:
                await call.done_writing()
                break
            await call.write(rogue.message(rogue.honest(ask)))
        await asyncio.get_running_loop().create_future()


asyncio.run(main())
