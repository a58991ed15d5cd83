"""Calls with far more metadata than the referee takes. Then it plays."""

import asyncio

import rogue

from bourre.v1.referee_pb2_grpc import RefereeStub


async def main() -> None:
    async with rogue.channel() as over:
        call = RefereeStub(over).Play(metadata=[(f"x{number}", "y" * 8000) for number in range(20)])
        print(await rogue.outcome(call))
        call.cancel()
    await rogue.play()


asyncio.run(main())
