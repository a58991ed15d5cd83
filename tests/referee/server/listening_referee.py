"""A referee that listens, with its own limits or with some changed, and a standard gRPC client."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio

from bourre.v1.referee_pb2 import BotMessage, Hello, RefereeMessage
from bourre.v1.referee_pb2_grpc import RefereeServicer, RefereeStub, add_RefereeServicer_to_server
from bourre_referee.model.spec import Clock
from bourre_referee.server.server_options import Options, server_options
from bourre_referee.server.service import find_among, serve_connections

OPTIONS = server_options(Clock())
HELLO_SECONDS = 30.0


def options(**changed: int | None) -> Options:
    """The referee's own limits with these changes; `http2_` stands for `http2.`, and None leaves a limit out."""
    given = dict(OPTIONS)
    for word, value in changed.items():
        name = "grpc." + word.replace("http2_", "http2.")
        if value is None:
            del given[name]
        else:
            given[name] = value
    return tuple(given.items())


@asynccontextmanager
async def served(
    limits: Options = OPTIONS, address: str = "", hello_seconds: float = HELLO_SECONDS
) -> AsyncIterator[str]:
    """The referee's own service, without a seat to take; at a new socket if no address is given."""
    with tempfile.TemporaryDirectory() as folder:
        at = address or f"unix:{folder}/socket"
        async with serve_connections(find_among({}), [at], hello_seconds, limits) as (port,):
            yield at if at.startswith("unix:") else f"127.0.0.1:{port}"


class Deaf(RefereeServicer):
    """A service that accepts calls and reads nothing."""

    def __init__(self) -> None:
        self.running = 0
        self.ended = asyncio.Event()
        """Whether a call has ended."""
        self._changed = asyncio.Condition()

    async def Play(self, _requests: Any, context: Any) -> None:
        """Waits until the call breaks."""
        try:
            await self._count(1)
            await asyncio.Event().wait()
        finally:
            self.ended.set()
            self.running -= 1

    async def runs(self, calls: int) -> None:
        """Waits until this many calls are running."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.running == calls)

    async def _count(self, more: int) -> None:
        async with self._changed:
            self.running += more
            self._changed.notify_all()


@asynccontextmanager
async def deaf(limits: Options = OPTIONS, service: Deaf | None = None) -> AsyncIterator[str]:
    """A deaf service under these limits, at a TCP address."""
    server = grpc.aio.server(options=limits)
    add_RefereeServicer_to_server(service or Deaf(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)


LOST = "Internal error from Core"
"""What gRPC reports if it has lost the status."""


async def said_to_hello(
    address: str,
    token: str = "x",
    metadata: tuple[tuple[str, str], ...] = (),
    compression: grpc.Compression | None = None,
) -> str:
    """What a standard client gets after its hello: the referee's reason for a refusal, or the status of gRPC.

    gRPC may lose the status of a call that ends before the hello is written; such a call is repeated.
    """
    async with grpc.aio.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        while True:
            call = RefereeStub(channel).Play(metadata=metadata, compression=compression)
            try:
                await call.write(BotMessage(hello=Hello(protocol=1, token=token)))
                message = await call.read()
            except grpc.aio.AioRpcError as error:
                if error.details() == LOST:
                    continue
                return f"{error.code().name}: {error.details()}"
            return message.refusal.reason if isinstance(message, RefereeMessage) else f"{await call.code()}"
