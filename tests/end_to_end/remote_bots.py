"""Bots that their authors start: many in one process, each at the address and with the token that it is given."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

from bourre.bot import Bot
from bourre.connection.channel import tls_from
from bourre.connection.client import ClientRefused, play

ROOT = Path(__file__).parents[2]
START = "from tests.end_to_end.remote_bots import main; main()"


class RemoteBots:
    """The process, as the tests use it: a bot joins when it is invited."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", START], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def start(self, bot: str, environment: Mapping[str, str]) -> None:
        """Starts a bot with these variables, which hold address, token and certificates."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([bot, dict(environment)]) + "\n")
        self._process.stdin.flush()

    def next_end(self) -> tuple[str, str]:
        """Waits until a bot has ended; returns its name, and why it was refused, empty after a goodbye."""
        assert self._process.stdout is not None
        bot, why = json.loads(self._process.stdout.readline())
        return bot, why

    def ends(self) -> dict[str, str]:
        """Waits until every bot has ended; returns those that `next_end` has not, with the same."""
        said, _ = self._process.communicate()
        return dict(json.loads(line) for line in said.splitlines())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Kills the process if a test has given up on its bots."""
        with self._process:
            self._process.kill()


async def serve(invitations: Iterable[str]) -> None:
    """Plays by the defaults wherever a bot is invited, until the invitations end and the last bot has."""
    loop, lines = asyncio.get_running_loop(), iter(invitations)
    async with asyncio.TaskGroup() as bots:
        while line := await loop.run_in_executor(None, next, lines, ""):
            bot, environment = json.loads(line)
            bots.create_task(_play(bot, environment))


async def _play(bot: str, environment: Mapping[str, str]) -> None:
    why = ""
    try:
        await play(Bot, environment["BOURRE_ADDRESS"], environment["BOURRE_TOKEN"], tls=tls_from(environment))
    except ClientRefused as refused:
        why = str(refused)
    print(json.dumps([bot, why]), flush=True)


def main() -> None:
    """Runs the process."""
    asyncio.run(serve(sys.stdin))
