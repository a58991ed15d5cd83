"""Honest bots in one process that take a seat wherever they are invited, so that no room has to start them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO, Self

from bourre import Bot
from bourre.client import Refused, play
from bourre_referee.server.bot_pool import Invite

ROOT = Path(__file__).parents[2]
START = "from tests.hostile.company import main; main()"


class Company:
    """The process, seen from the tests."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, "-c", START], stdin=subprocess.PIPE, cwd=ROOT)
        assert self._process.stdin is not None
        self.handle = self._process.stdin.fileno()
        """Where invitations go in, for the process of the referee."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Ends it, when every referee that can invite it has ended."""
        self._process.communicate()


def inviting(invitations: BinaryIO) -> Invite:
    """How a room invites its connecting bots, by the handle of a company."""

    def invite(_bot: str, address: str, token: str) -> None:
        invitations.write(f"{address} {token}\n".encode())
        invitations.flush()

    return invite


async def serve(invitations: BinaryIO) -> None:
    """Plays by the defaults wherever it is invited, until invitations end."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), invitations)
    async with asyncio.TaskGroup() as seats:
        while line := await reader.readline():
            address, token = line.decode().split()
            seats.create_task(_take_seat(address, token))


async def _take_seat(address: str, token: str) -> None:
    try:
        await play(Bot, address, token)
    except Refused as refused:  # a room that the host failed is played again, by other invitations
        print(f"an honest bot has lost its seat: {refused}", file=sys.stderr)


def main() -> None:
    """The process."""
    asyncio.run(serve(sys.stdin.buffer))
