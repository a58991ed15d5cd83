"""Sends every message with fields that the protocol does not know, and numbers of ten bytes."""

import asyncio

import rogue

from bourre.v1.referee_pb2 import RefereeMessage

UNKNOWN = b"\xf8\xff\x7f" + b"\xff" * 9 + b"\x01" + b"\xfa\xff\x7f\x05bytes"


async def main() -> None:
    async with rogue.channel() as over:
        call = rogue.dial_raw(over)
        await call.write(rogue.hello().SerializeToString() + UNKNOWN)
        while isinstance(said := await call.read(), bytes):
            for ask in RefereeMessage.FromString(said).asks:
                await call.write(rogue.message(rogue.honest(ask)).SerializeToString() + UNKNOWN)


asyncio.run(main())
