"""Sends a card whose text is not valid UTF-8."""

import asyncio

import rogue

CARD = b"\x08\x00\x10\x01\x2a\x02\xff\xfe"  # an answer: table 0, id 1, card of two bytes
ANSWER = b"\x12" + bytes([len(CARD)]) + CARD


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial_raw(over)
        await call.write(rogue.hello().SerializeToString())
        await call.read()
        await call.write(ANSWER)
        print(await rogue.outcome(call))


asyncio.run(main())
