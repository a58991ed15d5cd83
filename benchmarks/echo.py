"""A bare gRPC echo in the shape of a room: one stream for each bot, and a token for each table that goes round.

Bytes in, bytes out: no protobuf, no rules, no clock. The sizes are the room's own (`sizes.py`).
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio

METHOD = "/bench.Echo/Play"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of one message each way."""

    ask: int
    answer: int


class Rings:
    """Carries `tokens` asks at a time around the bots, until `asks` have been answered."""

    def __init__(self, bots: int, asks: int, tokens: int, sizes: Sizes) -> None:
        self.sizes = sizes
        self.streams: list[asyncio.Queue[bytes]] = [asyncio.Queue() for _ in range(bots)]
        self.left = asks
        self.tokens = tokens
        self.joined = 0
        self.everybody = asyncio.Event()
        self.done = asyncio.Event()

    def begin(self) -> None:
        """Sends the first asks."""
        for token in range(self.tokens):
            self.streams[token % len(self.streams)].put_nowait(bytes(self.sizes.ask))

    async def play(self, _requests: Any, context: Any) -> None:
        """One bot's stream: writes what waits for it, passes the token on for each answer."""
        await context.read()
        bot = self.joined
        self.joined += 1
        if self.joined == len(self.streams):
            self.everybody.set()
        writing = asyncio.create_task(self._write(self.streams[bot], context))
        while (answers := await context.read()) is not grpc.aio.EOF:
            for _ in range(len(answers) // self.sizes.answer):
                self._pass_on(bot)
        writing.cancel()

    def _pass_on(self, bot: int) -> None:
        self.left -= 1
        if self.left >= self.tokens:
            self.streams[(bot + 1) % len(self.streams)].put_nowait(bytes(self.sizes.ask))
        elif self.left == 0:
            self.done.set()

    async def _write(self, waiting: asyncio.Queue[bytes], context: Any) -> None:
        while True:
            ready = [await waiting.get()]
            while not waiting.empty():
                ready.append(waiting.get_nowait())
            await context.write(b"".join(ready))


async def exchange(bots: int, asks: int, tokens: int, sizes: Sizes) -> float:
    """Seconds for that many asks and answers, once every bot process is there."""
    rings = Rings(bots, asks, tokens, sizes)
    server = grpc.aio.server()
    handler: Any = grpc.stream_stream_rpc_method_handler(rings.play)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", {"Play": handler}),))
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/echo.sock"
        server.add_insecure_port(address)
        await server.start()
        bot = (sys.executable, __file__, address, str(sizes.ask), str(sizes.answer))
        processes = [await asyncio.create_subprocess_exec(*bot) for _ in range(bots)]
        await rings.everybody.wait()
        began = time.perf_counter()
        rings.begin()
        await rings.done.wait()
        seconds = time.perf_counter() - began
        for process in processes:
            process.kill()
            await process.wait()
        await server.stop(0)
    return seconds


async def answer(address: str, sizes: Sizes) -> None:
    """A bot: one answer for each ask of a message, in one message."""
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream(METHOD)(wait_for_ready=True)
        await call.write(bytes(sizes.answer))
        while (asks := await call.read()) is not grpc.aio.EOF:
            await call.write(bytes(sizes.answer * (len(asks) // sizes.ask)))


if __name__ == "__main__":
    asyncio.run(answer(sys.argv[1], Sizes(int(sys.argv[2]), int(sys.argv[3]))))
