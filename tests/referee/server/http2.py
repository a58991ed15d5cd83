"""A connection that speaks HTTP/2 frame by frame, without a gRPC library."""

import asyncio
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
METHOD = "/bourre.v1.Referee/Play"
_HEADERS = {":method": "POST", ":scheme": "http", ":path": METHOD, ":authority": "referee", "te": "trailers"}
_HEADERS_GRPC = {**_HEADERS, "content-type": "application/grpc"}
ANSWERED_SECONDS = 20.0
"""Far more than any answer of the referee may take, so that no test hangs."""


class Kind(IntEnum):
    """The frames that matter here (RFC 9113, section 6)."""

    DATA = 0
    HEADERS = 1
    RST_STREAM = 3
    SETTINGS = 4
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8


ACK = END_STREAM = 0x1
END_HEADERS = 0x4
INITIAL_WINDOW = 65_535
"""The window of a stream and of a connection, until the other side grants more (RFC 9113, section 6.9.2)."""
INITIAL_WINDOW_SIZE = 4
"""The setting of that name (RFC 9113, section 6.5.2)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as received."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def number(self) -> int:
        """The four bytes at the end of the fixed part: an error code, or an increment of a window."""
        at = 4 if self.kind == Kind.GOAWAY else 0
        return int.from_bytes(self.payload[at : at + 4])

    @property
    def settings(self) -> dict[int, int]:
        """The settings in a SETTINGS frame."""
        return dict(struct.iter_unpack("!HI", self.payload))


class Connection:
    """A connection that sends whatever it is told to, and answers nothing by itself."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> None:
        """Writes one frame, valid or not."""
        self._writer.write(struct.pack("!I", len(payload))[1:] + struct.pack("!BBI", kind, flags, stream) + payload)

    def send_bytes(self, sent: bytes) -> None:
        """Writes bytes as they are."""
        self._writer.write(sent)

    def greet(self) -> None:
        """Sends the preface and empty settings: the handshake is done."""
        self.send_bytes(PREFACE)
        self.send(Kind.SETTINGS)

    def call(self, stream: int) -> None:
        """Opens a call of Play in a stream; clients use odd numbers that grow."""
        self.send(Kind.HEADERS, END_HEADERS, stream, b"".join(_literal(*header) for header in _HEADERS_GRPC.items()))

    def say(self, stream: int, message: bytes) -> None:
        """Sends a gRPC message in a stream, in one frame."""
        self.send(Kind.DATA, 0, stream, b"\0" + struct.pack("!I", len(message)) + message)

    async def frame(self) -> Frame | None:
        """The next frame from the referee; None if it has closed the connection."""
        try:
            async with asyncio.timeout(ANSWERED_SECONDS):
                head = await self._reader.readexactly(9)
                length, kind, flags, stream = int.from_bytes(head[:3]), head[3], head[4], int.from_bytes(head[5:])
                return Frame(kind, flags, stream, await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def frames_until(self, last: Callable[[Frame], bool]) -> list[Frame]:
        """The frames up to and including the first for which `last` is true, or up to the end."""
        came: list[Frame] = []
        while (frame := await self.frame()) is not None:
            came.append(frame)
            if last(frame):
                break
        return came

    async def frames_until_close(self) -> list[Frame]:
        """The frames until the referee closes the connection."""
        return await self.frames_until(lambda frame: False)

    async def frames_until_pong(self, mark: bytes = b"12345678") -> list[Frame]:
        """The referee's frames in reply to all that was sent so far, up to its answer to a ping."""
        self.send(Kind.PING, payload=mark)
        return await self.frames_until(lambda frame: frame.kind == Kind.PING and frame.payload == mark)


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Connection]:
    """Connects to an address in the form that bots get: `unix:PATH` or `host:port`."""
    if address.startswith("unix:"):
        reader, writer = await asyncio.open_unix_connection(address.removeprefix("unix:"))
    else:
        host, _, port = address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield Connection(reader, writer)
    finally:
        writer.transport.abort()


def _literal(name: str, value: str) -> bytes:
    """A header field that is neither indexed nor compressed (RFC 7541, section 6.2.2); up to 126 bytes per part."""
    return b"\0" + b"".join(bytes([len(part)]) + part.encode() for part in (name, value))
