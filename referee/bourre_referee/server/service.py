"""The gRPC face of a room: lets bots in by their token and carries bundles out and answers in."""

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
from bourre_referee.server.server_options import Options, claimed
from bourre_referee.server.shielded import shielded

Context = grpc.aio.ServicerContext[BotMessage, RefereeMessage]
T = TypeVar("T")

Known = Callable[[str], AbstractContextManager[None]]
"""Says for as long as it lasts that the connection of this peer has shown a token."""

_STOP_SECONDS = 1.0


@asynccontextmanager
async def serving(
    lines: dict[str, Connection], addresses: Iterable[str], hello_seconds: float, options: Options
) -> AsyncIterator[list[int]]:
    """Serves these lines, by token, at these addresses; yields the ports bound. Raises OSError where one is taken."""
    async with AsyncExitStack() as stack:
        gate = Gate(Path(stack.enter_context(TemporaryDirectory(prefix="bourre-"))))
        server = grpc.aio.server(options=options)
        add_RefereeServicer_to_server(Service(lines, hello_seconds, gate.known), server)
        ports = [await _listen(server, address, gate, stack) for address in addresses]
        try:
            await server.start()  # also when it is cancelled here the server must be stopped
            yield ports
        finally:
            await shielded(server.stop(_STOP_SECONDS))


async def _listen(server: grpc.aio.Server, address: str, gate: Gate, stack: AsyncExitStack) -> int:
    """The port: at a socket file gRPC listens itself, at any other address there is a gate before it."""
    if address.startswith("unix:"):
        stack.enter_context(claimed(address))
        return _bound(server, address)
    _bound(server, f"unix:{gate.behind}")
    return await stack.enter_async_context(gate.opened(address))


def _bound(server: grpc.aio.Server, address: str) -> int:
    try:
        return server.add_insecure_port(address)
    except RuntimeError as error:
        raise OSError(str(error)) from error


class Service(RefereeServicer):
    """One call of Play is one stream of a line, from hello to goodbye or until it breaks."""

    def __init__(self, lines: dict[str, Connection], hello_seconds: float, known: Known) -> None:
        self._lines = lines
        self._hello_seconds = hello_seconds
        self._known = known
        self._writer = codec.BundleWriter()

    async def Play(self, _requests: Any, context: Context) -> None:
        """Admits a bot, then carries until its line says goodbye or the bot hangs up."""
        admitted = self._admit(await self._read_hello(context))
        if isinstance(admitted, str):
            await context.write(codec.bundle_to_wire(Bundle(refusal=admitted)))  # unread, it waits for the end of all
            return
        with self._known(context.peer()):
            await self._carry(admitted, context)
        if admitted.refusal:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, admitted.refusal)

    async def _carry(self, admitted: Connection, context: Context) -> None:
        sending = asyncio.create_task(_carried(admitted, _send(admitted, self._writer, context)))
        receiving = asyncio.create_task(_carried(admitted, _receive(admitted, context)))
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
        """The line of this hello's token, or why there is none."""
        if hello is None:
            return "the first message must hold a hello, and come at once"
        known = [
            line for token, line in self._lines.items() if hmac.compare_digest(token.encode(), hello.token.encode())
        ]
        if why := _objection(hello, known):
            for line in known:
                line.turned_away = why
            return why
        known[0].admit(hello)
        return known[0]


def _objection(hello: Hello, known: list[Connection]) -> str | None:
    """Why this hello does not open its line, where there is one; None: it does."""
    if hello.protocol != PROTOCOL:
        return f"this referee speaks protocol {PROTOCOL}, the bot {hello.protocol}: install a matching bourre"
    if not known:
        return "this token opens no seat in this room: use BOURRE_TOKEN as the referee gave it"
    line = known[0]
    if line.closed:
        return f"the line of {line.bot} is closed: {line.refusal or 'its time to come back is over'}"
    return f"the line of {line.bot} is taken: a token opens one line at a time" if line.live else None


class _Broken(Exception):
    """The wire is broken, by whatever the bot has done to it."""


async def _carried(line: Connection, carrying: Awaitable[None]) -> None:
    """Carries until the wire breaks; any other error is a mistake of the referee, which no bot is to pay for."""
    try:
        await carrying
    except _Broken:
        return
    except Exception as error:
        line.fail(error)


async def _on_the_wire(step: Awaitable[T]) -> T:
    """What gRPC does. Whatever it raises, such as at bytes that are no message, breaks the wire."""
    try:
        return await step
    except Exception as error:
        raise _Broken from error


async def _send(line: Connection, writer: codec.BundleWriter, context: Context) -> None:
    """Writes all that is ready in one message, again and again, until goodbye."""
    while True:
        bundle = await line.outgoing()
        message = writer.write(bundle)
        with line.sending():
            await _on_the_wire(context.write(message))
        if bundle.goodbye:
            return


async def _receive(line: Connection, context: Context) -> None:
    while not line.refusal and isinstance(message := await _on_the_wire(context.read()), BotMessage):
        line.receive(codec.answers_from_wire(message))
