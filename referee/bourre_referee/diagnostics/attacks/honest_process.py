"""Honest bots in one process that take a seat wherever they are invited, so that no room has to start any."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import BinaryIO, Self

from bourre import Bot
from bourre.connection.client import ClientRefused, play
from bourre_referee.diagnostics.attacks.invited_room import Invite

START = "from bourre_referee.diagnostics.attacks.honest_process import main; main()"


class HonestProcess:
    """The handle of the process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, "-c", START], stdin=subprocess.PIPE, start_new_session=True)
        assert self._process.stdin is not None
        self.invitations = self._process.stdin.fileno()
        """The file descriptor to which the referee's process writes invitations."""

    def __enter__(self) -> Self:
        return self

    def give_up(self, kind: type[BaseException] | None, *_: object) -> None:
        """Kills the process if its user gives up before its referee, because it would report a broken connection."""
        if kind:
            self._process.kill()

    def __exit__(self, *_: object) -> None:
        """Waits for the end of the process, which comes after the end of every referee that can invite it."""
        self._process.communicate()


def make_invite(invitations: BinaryIO) -> Invite:
    """Returns the function by which a room invites remote bots, given the pipe to an `HonestProcess`."""

    def invite(_bot: str, address: str, token: str) -> None:
        invitations.write(f"{address} {token}\n".encode())
        invitations.flush()

    return invite


async def serve(invitations: BinaryIO) -> None:
    """Plays by the defaults wherever it is invited, until the invitations end."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), invitations)
    async with asyncio.TaskGroup() as seats:
        taken = []
        while line := await reader.readline():
            address, token = line.decode().split()
            taken.append(seats.create_task(_take_seat(address, token)))
        for seat in taken:
            seat.cancel()  # every room is over, and a bot without a goodbye would dial forever


async def _take_seat(address: str, token: str) -> None:
    try:
        await play(Bot, address, token)
    except ClientRefused as refused:  # a room that failed because of the host is played again, with new invitations
        print(f"an honest bot has lost its seat: {refused}", file=sys.stderr)


def main() -> None:
    """Runs the process."""
    asyncio.run(serve(sys.stdin.buffer))
