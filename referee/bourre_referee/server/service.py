"""The gRPC service of a room or a listener: admits bots by their tokens, sends bundles and receives answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Set
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, Self, TypeVar

import grpc
import grpc.aio

from bourre import codec
from bourre.messages import PROTOCOL, Answer, Bundle, Hello
from bourre.v1.referee_pb2 import BotMessage, RefereeMessage
from bourre.v1.referee_pb2_grpc import RefereeServicer, add_RefereeServicer_to_server
from bourre_referee.model.listener_spec import hash_token
from bourre_referee.server.certificates import ReadPems, names_in_certificate, server_credentials
from bourre_referee.server.connection_limiter import ConnectionLimiter
from bourre_referee.server.server_options import Options, claim
from bourre_referee.server.uncancelled import shielded

Context = grpc.aio.ServicerContext[BotMessage, RefereeMessage]
T = TypeVar("T")

Trust = Callable[[str], AbstractContextManager[None]]
"""Marks inside a block that this peer's connection has shown a token."""

_STOP_SECONDS = 1.0


class StreamOwner(Protocol):
    """The owner of a token: a room's `Connection`, or the `RemoteSession` of a remote bot."""

    turned_away: str
    """Why its last hello was refused, for its author."""

    @property
    def bot(self) -> str:
        """The bot's name."""

    @property
    def live(self) -> bool:
        """Whether a stream is open."""

    @property
    def closed(self) -> bool:
        """Whether the bot cannot come back."""

    @property
    def refusal(self) -> str:
        """Why the bot was cut off, for its author."""

    def admit(self, hello: Hello) -> None:
        """Begins a stream."""

    async def outgoing(self) -> Bundle | None:
        """Waits for messages to send; None ends the stream."""

    def sending(self) -> AbstractContextManager[None]:
        """Marks a write in progress."""

    def receive(self, answers: list[Answer]) -> None:
        """Takes the answers of one message."""

    def hang_up(self) -> None:
        """Handles the end of the stream."""

    def fail(self, error: Exception) -> None:
        """Reports a failure of the referee itself."""


class Refusal(str):
    """Why a hello is refused, for the bot's author."""

    kind: str
    """The reason for statistics, which no stranger can choose."""
    bot: str
    """The bot, if its token is known."""

    def __new__(cls, text: str, kind: str, bot: str = "") -> Self:
        """Makes the text, with its kind and its bot."""
        made = super().__new__(cls, text)
        made.kind, made.bot = kind, bot
        return made


Find = Callable[[str], Awaitable[StreamOwner | Refusal]]
"""Returns the owner of a token, or why the token is refused."""


def _ignore(refusal: Refusal) -> None:
    """Counts no refusal."""


def find_among(owners: Mapping[str, StreamOwner]) -> Find:
    """Finds the owner of a token in a room. It compares hashes, so its time reveals nothing."""
    by_hash = {hash_token(token): owner for token, owner in owners.items()}
    unknown = Refusal("unknown token: use BOURRE_TOKEN as the referee gave it", "unknown token")

    async def find(token: str) -> StreamOwner | Refusal:
        return by_hash.get(hash_token(token), unknown)

    return find


@asynccontextmanager
async def serve_connections(
    find: Find,
    addresses: Iterable[str],
    hello_seconds: float,
    options: Options,
    read_pems: ReadPems | None = None,
    refused: Callable[[Refusal], None] = _ignore,
) -> AsyncIterator[list[int]]:
    """Serves the owners of tokens at these addresses, and yields the ports. Raises OSError if one is taken.

    With `read_pems` it uses TLS. With a `client_ca`, a token also needs a certificate with the name of its bot.
    `refused` gets each refused hello.
    """
    async with AsyncExitStack() as stack:
        limiter = ConnectionLimiter(Path(stack.enter_context(TemporaryDirectory(prefix="bourre-"))))
        server = grpc.aio.server(options=options)
        asks_for_names = read_pems is not None and read_pems().client_ca is not None
        add_RefereeServicer_to_server(
            Service(find, hello_seconds, limiter.trust, refused, asks_for_names=asks_for_names), server
        )
        ports = [await _listen(server, address, limiter, stack, read_pems) for address in addresses]
        try:
            await server.start()  # inside the try, because a cancelled start must be stopped too
            yield ports
        finally:
            await shielded(server.stop(_STOP_SECONDS))


async def _listen(
    server: grpc.aio.Server, address: str, limiter: ConnectionLimiter, stack: AsyncExitStack, read_pems: ReadPems | None
) -> int:
    """Listens at an address and returns its port: directly for a socket file, otherwise behind a limiter."""
    if address.startswith("unix:"):
        stack.enter_context(claim(address))
        return _bind(server, address)
    _bind(server, f"unix:{limiter.behind}", read_pems)
    return await stack.enter_async_context(limiter.listen(address))


def _bind(server: grpc.aio.Server, address: str, read_pems: ReadPems | None = None) -> int:
    try:
        if read_pems is None:
            return server.add_insecure_port(address)
        return server.add_secure_port(address, server_credentials(read_pems))
    except RuntimeError as error:
        raise OSError(str(error)) from error


class Service(RefereeServicer):
    """Each call of Play is one stream of a connection, from hello to goodbye or until it breaks."""

    def __init__(
        self,
        find: Find,
        hello_seconds: float,
        trust: Trust,
        refused: Callable[[Refusal], None] = _ignore,
        *,
        asks_for_names: bool = False,
    ) -> None:
        self._find = find
        self._refused = refused
        self._asks_for_names = asks_for_names
        self._hello_seconds = hello_seconds
        self._trust = trust
        self._writer = codec.BundleWriter()

    async def Play(self, _requests: Any, context: Context) -> None:
        """Admits a bot, then carries messages until the referee says goodbye or the bot hangs up."""
        names = names_in_certificate(context) if self._asks_for_names else None
        admitted = await self._admit(await self._read_hello(context), names)
        if isinstance(admitted, Refusal):
            self._refused(admitted)
            # A client that does not read blocks this write until the server stops.
            await context.write(codec.bundle_to_wire(Bundle(refusal=admitted)))
            return
        with self._trust(context.peer()):
            await self._carry(admitted, context)
        if admitted.refusal:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, admitted.refusal)

    async def _carry(self, admitted: StreamOwner, context: Context) -> None:
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

    async def _admit(self, hello: Hello | None, names: Set[str] | None) -> StreamOwner | Refusal:
        """Returns the owner of the stream that this hello opens, or why the hello is refused.

        `names` are from the bot's certificate; None without mutual TLS.
        """
        if hello is None:
            return Refusal("the first message must be a hello, sent at once", "no hello")
        found = await self._find(hello.token)
        refusal = _refusal_of(hello, found, names)
        if isinstance(found, Refusal):
            return refusal or found
        if refusal:
            found.turned_away = str(refusal)
            return refusal
        found.admit(hello)
        return found


def _refusal_of(hello: Hello, found: StreamOwner | Refusal, names: Set[str] | None) -> Refusal | None:
    """Returns why this hello is refused; None if it is accepted."""
    bot = found.bot
    if hello.protocol != PROTOCOL:
        text = f"this referee speaks protocol {PROTOCOL}, the bot {hello.protocol}: install a matching bourre"
        return Refusal(text, "other protocol", bot)
    if isinstance(found, Refusal):
        return found
    if names is not None and found.bot not in names:
        text = f"this token needs a certificate with {found.bot} as its common name or an alternative name"
        return Refusal(text, "certificate", bot)
    if found.closed:
        why = found.refusal or "its time to come back is over"
        return Refusal(f"the connection of {found.bot} is closed: {why}", "closed", bot)
    if found.live:
        text = f"{found.bot} is already connected: a token opens one connection at a time"
        return Refusal(text, "already connected", bot)
    return None


class _Broken(Exception):
    """Raised if the wire broke, for any reason."""


async def _carry_until_broken(connection: StreamOwner, carrying: Awaitable[None]) -> None:
    """Carries messages until the wire breaks. Any other error is the referee's, and no bot is charged for it."""
    try:
        await carrying
    except _Broken:
        return
    except Exception as error:
        connection.fail(error)


async def _call_grpc(step: Awaitable[T]) -> T:
    """Awaits a step of gRPC. Any error, such as malformed bytes, breaks the wire."""
    try:
        return await step
    except Exception as error:
        raise _Broken from error


async def _send(connection: StreamOwner, writer: codec.BundleWriter, context: Context) -> None:
    """Repeatedly writes everything that is ready in one message, until the goodbye."""
    while (bundle := await connection.outgoing()) is not None:
        message = writer.write(bundle)
        with connection.sending():
            await _call_grpc(context.write(message))
        if bundle.goodbye or bundle.refusal:
            return


async def _receive(connection: StreamOwner, context: Context) -> None:
    while not connection.refusal and isinstance(message := await _call_grpc(context.read()), BotMessage):
        connection.receive(codec.answers_from_wire(message))
