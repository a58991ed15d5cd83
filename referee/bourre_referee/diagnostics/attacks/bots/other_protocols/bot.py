"""Calls methods that do not exist, in the protocols of other programs, before it plays."""

import asyncio
from typing import Any

import grpc.aio
import rogue

METHODS = (
    "/bourre.v1.Referee/Deck",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/",
    "/" + "x" * 4000,
)


async def main() -> None:
    async with rogue.channel() as over:
        # One message, sent together with the call: a later write to a call that is refused already ends as INTERNAL.
        kind: Any = over.unary_unary
        for method in METHODS:
            try:
                print("FOUND", await kind(method)(b"\xff" * 1000, wait_for_ready=True))
            except grpc.aio.AioRpcError as error:
                print(error.code().name)
    await rogue.play()


asyncio.run(main())
