"""The gRPC service of a room: admits bots by their tokens, sends bundles and receives answers."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import grpc
import grpc.aio

from bourre import codec
from bourre.messages import PROTOCOL, Bundle, Hello
from bourre.v1.referee_pb2 import BotMessage, RefereeMessage
from bourre.v1.referee_pb2_grpc import RefereeServicer, add_RefereeServicer_to_server
from bourre_referee.server.connection import Connection
from bourre_referee.server.gate import Gate
from bourre_referee.server.server_options import Options, claim
from bourre_referee.server.shielded import shielded

Context = grpc.aio.ServicerContext[BotMessage, RefereeMessage]
T = TypeVar("T")

Trust = Callable[[str], AbstractContextManager[None]]
"""Marks, while it is entered, that this peer's connection has shown a token."""

_STOP_SECONDS = 1.0


@asynccontextmanager
async def serve_connections(
    connections: dict[str, Connection], addresses: Iterable[str], hello_seconds: float, options: Options
) -> AsyncIterator[list[int]]:
    """Serves these connections, by token, at these addresses; yields the ports. Raises OSError if one is taken."""
    async with AsyncExitStack() as stack:
        gate = Gate(Path(stack.enter_context(TemporaryDirectory(prefix="bourre-"))))
        server = grpc.aio.server(options=options)
        add_RefereeServicer_to_server(Service(connections, hello_seconds, gate.trust), server)
        ports = [await _listen(server, address, gate, stack) for address in addresses]
        try:
            await server.start()  # inside the try: a start that is cancelled must be stopped too
            yield ports
        finally:
            await shielded(server.stop(_STOP_SECONDS))


async def _listen(server: grpc.aio.Server, address: str, gate: Gate, stack: AsyncExitStack) -> int:
    """Listens at an address and returns its port: directly at a socket file, behind a gate at any other address."""
    if address.startswith("unix:"):
        stack.enter_context(claim(address))
        return _bind(server, address)
    _bind(server, f"unix:{gate.behind}")
    return await stack.enter_async_context(gate.listen(address))


def _bind(server: grpc.aio.Server, address: str) -> int:
    try:
        return server.add_insecure_port(address)
    except RuntimeError as error:
        raise OSError(str(error)) from error


class Service(RefereeServicer):
    """One call of Play is one stream of a connection, from hello to goodbye or until it breaks."""

    def __init__(self, connections: dict[str, Connection], hello_seconds: float, trust: Trust) -> None:
        self._connections = connections
        self._hello_seconds = hello_seconds
        self._trust = trust
        self._writer = codec.BundleWriter()

    async def Play(self, _requests: Any, context: Context) -> None:
        """Admits a bot, then carries messages until the referee says goodbye or the bot hangs up."""
        admitted = self._admit(await self._read_hello(context))
        if isinstance(admitted, str):
            # A client that does not read it blocks this write until the server stops.
            await context.write(codec.bundle_to_wire(Bundle(refusal=admitted)))
            return
        with self._trust(context.peer()):
            await self._carry(admitted, context)
        if admitted.refusal:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, admitted.refusal)

    async def _carry(self, admitted: Connection, context: Context) -> None:
        sending = asyncio.create_task(_carry_until_broken(admitted, _send(admitted, self._writer, context)))
        receiving = asyncio.create_task(_carry_until_broken(admitted, _receive(admitted, context)))
        try:
            await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            receiving.cancel()
            admitted.hang_up()

    async def _read_hello(self, context: Context) -> Hello | None:
        try:
            async with asyncio.timeout(self._hello_seconds):
                message = await context.read()
        except TimeoutError:
            return None
        return codec.hello_from_wire(message) if isinstance(message, BotMessage) else None

    def _admit(self, hello: Hello | None) -> Connection | str:
        """Returns the connection that this hello's token opens, or why it opens none."""
        if hello is None:
            return "the first message must hold a hello, and come at once"
        sent = hello.token.encode()
        known = [each for token, each in self._connections.items() if hmac.compare_digest(token.encode(), sent)]
        if why := _refusal_reason(hello, known):
            for connection in known:
                connection.turned_away = why
            return why
        known[0].admit(hello)
        return known[0]


def _refusal_reason(hello: Hello, known: list[Connection]) -> str | None:
    """Why this hello is refused; None if it opens its connection."""
    if hello.protocol != PROTOCOL:
        return f"this referee speaks protocol {PROTOCOL}, the bot {hello.protocol}: install a matching bourre"
    if not known:
        return "this token opens no seat in this room: use BOURRE_TOKEN as the referee gave it"
    connection = known[0]
    if connection.closed:
        why = connection.refusal or "its time to come back is over"
        return f"the connection of {connection.bot} is closed: {why}"
    if connection.live:
        return f"{connection.bot} is already connected: a token opens one connection at a time"
    return None


class _Broken(Exception):
    """The wire broke, whatever the bot did to it."""


async def _carry_until_broken(connection: Connection, carrying: Awaitable[None]) -> None:
    """Carries until the wire breaks; any other error is the referee's own, and no bot pays for it."""
    try:
        await carrying
    except _Broken:
        return
    except Exception as error:
        connection.fail(error)


async def _call_grpc(step: Awaitable[T]) -> T:
    """Awaits a step of gRPC. Whatever it raises, for instance on malformed bytes, breaks the wire."""
    try:
        return await step
    except Exception as error:
        raise _Broken from error


async def _send(connection: Connection, writer: codec.BundleWriter, context: Context) -> None:
    """Writes everything that is ready in one message, again and again, until goodbye."""
    while True:
        bundle = await connection.outgoing()
        message = writer.write(bundle)
        with connection.sending():
            await _call_grpc(context.write(message))
        if bundle.goodbye:
            return


async def _receive(connection: Connection, context: Context) -> None:
    while not connection.refusal and isinstance(message := await _call_grpc(context.read()), BotMessage):
        connection.receive(codec.answers_from_wire(message))
