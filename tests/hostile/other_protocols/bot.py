"""Calls methods that are not there, with the wire of another program, before it plays."""

import asyncio

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
        for method in METHODS:
            call = rogue.dial_raw(over, method)
            try:
                await call.write(b"\xff" * 1000)
                print("FOUND", await call.read())
            except grpc.aio.AioRpcError as error:
                print(error.code().name)
    await rogue.play()


asyncio.run(main())
