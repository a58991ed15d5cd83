"""One bot as a process of its own, in its own process group, on a lifeline."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from bourre_referee.launch import lifeline
from bourre_referee.launch.log import Log
from bourre_referee.spec import Entry

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
_END_SECONDS = 5.0


class BotProcess:
    """A bot that was launched: it can be waited for and ended, and nothing of it stays."""

    def __init__(self, process: asyncio.subprocess.Process, drained: asyncio.Task[None], log: Log) -> None:
        self.log = log
        self._process = process
        self._drained = drained
        self.ended = asyncio.create_task(process.wait())
        """Done when the bot has ended; its result is the exit status, 128 + the signal if one ended it."""

    @classmethod
    async def start(cls, entry: Entry, address: str, token: str, log_path: Path) -> BotProcess:
        """Launches a bot with address and token in its environment; raises OSError where the host cannot."""
        assert entry.command is not None
        log = Log(log_path)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-IS",
            lifeline.__file__,
            *entry.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=entry.folder,
            env=_environment(address, token),
            start_new_session=True,
        )
        assert process.stdout is not None
        return cls(process, asyncio.create_task(log.keep(process.stdout)), log)

    async def ended_within(self, seconds: float) -> bool:
        """Whether the bot ends by itself in this time."""
        done, _ = await asyncio.wait({self.ended}, timeout=seconds)
        return bool(done)

    async def end(self, grace: float) -> None:
        """Lets the bot exit by itself for `grace` seconds, then kills its process group; returns when it is gone."""
        await self.ended_within(grace)
        self._cut_lifeline()
        if not await self.ended_within(_END_SECONDS):
            os.killpg(self._process.pid, signal.SIGKILL)
            await self.ended
        drained, _ = await asyncio.wait({self._drained}, timeout=_END_SECONDS)
        if drained:
            self._drained.result()
        self._drained.cancel()  # by now only a stray child of the bot can hold its output open
        self.log.close()

    def _cut_lifeline(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()


def _environment(address: str, token: str) -> dict[str, str]:
    """What a bot is told: nothing of the referee's environment but where programs and the home are.

    The hash seed is fixed so that a Python bot that walks through a set does the same in a repeated match.
    """
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    own = {"BOURRE_ADDRESS": address, "BOURRE_TOKEN": token}
    return {**passed_on, **own, "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "GRPC_VERBOSITY": "ERROR"}
