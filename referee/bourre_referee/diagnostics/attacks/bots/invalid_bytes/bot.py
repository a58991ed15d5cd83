"""Sends bytes that are not a message."""

import asyncio
import os

import rogue


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial_raw(over)
        await call.write(rogue.hello().SerializeToString())
        await call.read()
        await call.write(b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f" + os.urandom(100))
        print(await rogue.outcome(call))


asyncio.run(main())
