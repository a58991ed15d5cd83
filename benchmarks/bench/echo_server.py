"""A bare gRPC echo with the routing of a room: one stream per bot, and a token per table on the room's route.

Bytes in, bytes out: no protobuf, no rules, no clock. Asks that are ready for a bot travel together. An ask and its
answer hold the number of the table, and are as large as the room's own (`echo_routes.py`).
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio

from bourre_referee.server.ask_batching import MANY_TABLES

FLUSH_SECONDS = 0.001
"""How long tokens wait for others at many tables: a fixed yardstick, however a room gathers its asks."""
METHOD = "/bench.Echo/Play"
BOT = (sys.executable, "-P", __file__)
"""The command that runs this file as a bot; -P keeps files of the user's folder from being imported."""
NUMBER = 4
"""How many bytes the number of a table takes."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many bytes an ask and an answer have: at least as many as the number of a table."""

    ask: int
    answer: int


class Tokens:
    """Passes one token per table from bot to bot, as asks and answers, until every route ends."""

    def __init__(self, bots: int, routes: Sequence[Sequence[int]], sizes: Sizes) -> None:
        self.all_joined = asyncio.Event()
        self.done = asyncio.Event()
        self._streams: list[asyncio.Queue[bytes]] = [asyncio.Queue() for _ in range(bots)]
        self._routes = [iter(route) for route in routes]
        self._asks = [table.to_bytes(NUMBER).ljust(sizes.ask, b"\0") for table in range(len(routes))]
        self._answer = sizes.answer
        self._left = sum(map(len, routes))
        self._joined = 0

    def begin(self) -> None:
        """Sends the first ask of every table."""
        for table in range(len(self._routes)):
            self._pass_on(table)

    async def play(self, _requests: Any, context: Any) -> None:
        """Serves one bot's stream: writes the waiting asks, and passes the token on for each answer."""
        await context.read()
        bot = self._joined
        self._joined += 1
        if self._joined == len(self._streams):
            self.all_joined.set()
        writing = asyncio.create_task(self._write(self._streams[bot], context))
        while (answers := await context.read()) is not grpc.aio.EOF:
            for start in range(0, len(answers), self._answer):
                self._pass_on(int.from_bytes(answers[start : start + NUMBER]))
            self._left -= len(answers) // self._answer
            if not self._left:
                self.done.set()
        writing.cancel()

    def _pass_on(self, table: int) -> None:
        bot = next(self._routes[table], None)
        if bot is not None:
            self._streams[bot].put_nowait(self._asks[table])

    async def _write(self, waiting: asyncio.Queue[bytes], context: Any) -> None:
        while True:
            ready = [await waiting.get()]
            if len(self._routes) >= MANY_TABLES:
                await asyncio.sleep(FLUSH_SECONDS)
            while not waiting.empty():
                ready.append(waiting.get_nowait())
            await context.write(b"".join(ready))


async def exchange(bots: int, routes: Sequence[Sequence[int]], sizes: Sizes) -> float:
    """Returns the seconds all asks and answers take once every bot has joined; raises OSError if one ends early."""
    tokens = Tokens(bots, routes, sizes)
    server = grpc.aio.server()
    handler: Any = grpc.stream_stream_rpc_method_handler(tokens.play)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", {"Play": handler}),))
    with tempfile.TemporaryDirectory(prefix="bourre-bench-") as folder:
        address = f"unix:{folder}/echo.sock"
        server.add_insecure_port(address)
        await server.start()
        try:
            async with _run_bots(bots, (*BOT, address, str(sizes.ask), str(sizes.answer))) as ends:
                await _wait_unless_ended(ends, tokens.all_joined.wait())
                began = time.perf_counter()
                tokens.begin()
                await _wait_unless_ended(ends, tokens.done.wait())
                return time.perf_counter() - began
        finally:
            await server.stop(0)


@asynccontextmanager
async def _run_bots(number: int, command: tuple[str, ...]) -> AsyncIterator[set[asyncio.Task[int]]]:
    """Starts this many processes, killed on exit; yields tasks that finish when one of them ends."""
    processes = []
    try:
        for _ in range(number):
            # A new session, so that Ctrl-C in a terminal reaches only the parent.
            processes.append(await asyncio.create_subprocess_exec(*command, start_new_session=True))
        yield {asyncio.create_task(process.wait()) for process in processes}
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _wait_unless_ended(ends: set[asyncio.Task[int]], awaited: Coroutine[Any, Any, Any]) -> None:
    """Waits for the coroutine; raises OSError if a process ends meanwhile."""
    waiting = asyncio.create_task(awaited)
    await asyncio.wait({waiting, *ends}, return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():
        waiting.cancel()
        raise OSError("a process of the echo ended too early")


async def answer(address: str, sizes: Sizes) -> None:
    """Runs a bot that answers all asks of a message in one message."""
    rest = bytes(sizes.answer - NUMBER)
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream(METHOD)(wait_for_ready=True)
        await call.write(rest)
        while (asks := await call.read()) is not grpc.aio.EOF:
            numbers = (asks[start : start + NUMBER] for start in range(0, len(asks), sizes.ask))
            await call.write(b"".join(number + rest for number in numbers))


if __name__ == "__main__":
    asyncio.run(answer(sys.argv[1], Sizes(int(sys.argv[2]), int(sys.argv[3]))))
