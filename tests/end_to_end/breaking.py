"""A wire that can be cut: a proxy in front of a referee; and rooms whose bots all run in the test's own loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.connection.client import play
from bourre.messages import Hello
from bourre_referee.diagnostics.attacks.invited_room import play_invited
from bourre_referee.model.spec import Clock, MatchOutcome, PlacedRoom
from bourre_referee.server.service import Context, Service
from tests.end_to_end.rooms import GENEROUS, HONEST, room_with

Visit = Callable[[str, str], Coroutine[None, None, None]]
"""A bot: what it does with this address and this token."""


class Wire:
    """Carries bytes both ways between its own port and an address, until it is cut; then it carries new ones."""

    def __init__(self, target: str) -> None:
        self.address = ""
        self.calls = 0
        self._host, _, self._port = target.rpartition(":")
        self._writers: list[asyncio.StreamWriter] = []

    def cut(self) -> None:
        """Breaks the current connections, and loses what is in transit."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Wire]:
        """Accepts connections inside the block."""
        server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        self.address = f"{host}:{port}"
        try:
            yield self
        finally:
            server.close()
            self.cut()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        there, back = await asyncio.open_connection(self._host, int(self._port))
        self._writers += [writer, back]
        await asyncio.gather(_carry(reader, back), _carry(there, writer))


def cut_before_first_welcome(wire: Wire, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Breaks the wire when the referee has read the first hello with this token but not answered it."""
    read_hello, firsts = Service._read_hello, iter([True])

    async def read_and_cut(service: Service, context: Context) -> Hello | None:
        hello = await read_hello(service, context)
        if hello and hello.token == token and next(firsts, False):
            wire.cut()
            return None
        return hello

    monkeypatch.setattr(Service, "_read_hello", read_and_cut)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass  # it was cut
    finally:
        writer.transport.abort()


def visited_room(logs: Path, *, clock: Clock = GENEROUS, matches: int = 1, tables: int = 1) -> PlacedRoom:
    """A room of three bots that the room does not start: they come by themselves."""
    spec = room_with("honest", logs, clock=clock, matches=matches, tables=tables)
    return replace(spec, entries=tuple(replace(entry, command=None) for entry in spec.entries))


def played_with(spec: PlacedRoom, visit: Visit) -> list[MatchOutcome]:
    """The outcomes of a room that this bot and honest ones come to; if one fails, the others end."""

    async def play_with_it() -> list[MatchOutcome]:
        async with asyncio.TaskGroup() as group:

            def invite(bot: str, address: str, token: str) -> None:
                group.create_task(play(HONEST[bot], address, token) if bot in HONEST else visit(address, token))

            room = group.create_task(play_invited(spec, invite))
        return room.result()

    return asyncio.run(play_with_it())
