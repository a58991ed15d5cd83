"""One bot as a process of its own, in its own process group, on a lifeline."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, STDOUT, SubprocessStreamProtocol
from contextlib import closing, suppress
from pathlib import Path
from typing import BinaryIO

from bourre_referee.model.spec import Entry
from bourre_referee.sandbox.bot_log import Log
from bourre_referee.sandbox.cpu_meter import processor_ms
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch, Launcher

_END_SECONDS = 5.0
_MOST_UNREAD = 64 * 1024
_OVER = (128 + signal.SIGXCPU, 128 + signal.SIGXFSZ)


class BotProcess:
    """A bot that was launched: it can be waited for and ended, and nothing of it stays."""

    def __init__(
        self,
        process: asyncio.SubprocessTransport,
        pipes: Pipes,
        log: Log,
        launch: Launch,
        sign: BinaryIO | None,
    ) -> None:
        self.log = log
        self._process = process
        self._pipes = pipes
        assert pipes.stdout is not None
        self._drained = asyncio.create_task(log.keep(pipes.stdout, launch.sign))
        self._hold = launch.hold
        self._signs_in_output = bool(launch.sign)
        self._sign = sign
        self._over = (*_OVER, *launch.over)
        self.ended = asyncio.create_task(_status(process, pipes))
        """Done when the bot has ended; its result is the exit status, 128 + the signal if one ended it."""

    @classmethod
    async def start(cls, entry: Entry, credentials: Credentials, log_path: Path, launcher: Launcher) -> BotProcess:
        """Launches a bot that is told address and token; raises OSError where the host cannot."""
        log = Log(log_path)
        with closing(InheritedFiles()) as inherited:
            launch = launcher.launch(entry, credentials, inherited)
            try:
                process, pipes = await _started(launch, inherited)
            except OSError:
                launch.hold.release()
                log.close()
                raise
            return cls(process, pipes, log, launch, inherited.take_sign())

    async def was_refused(self) -> bool:
        """Whether it ended before the bot began: its box could not be made, which is no fault of the bot."""
        if not self.ended.done():
            return False
        if self._signs_in_output:
            drained, _ = await asyncio.wait({self._drained}, timeout=_END_SECONDS)
            return bool(drained) and not self._drained.result()
        return self._sign is not None and not self._sign.read(1)

    @property
    def over_limit(self) -> bool:
        """Whether the bot ended because it took more than it may: the kernel stopped it, it did not stumble."""
        return self.ended.done() and (self.ended.result() in self._over or self._hold.went_over())

    @property
    def pid(self) -> int:
        """Of the process that was started, which is not the bot but keeps it."""
        return self._process.get_pid()

    def processor_ms(self) -> float:
        """Milliseconds of processor time that the bot has used so far, with all that it started."""
        return processor_ms(self.pid)

    async def ended_within(self, seconds: float) -> bool:
        """Whether the bot ends by itself in this time."""
        done, _ = await asyncio.wait({self.ended}, timeout=seconds)
        return bool(done)

    async def end(self, grace: float) -> None:
        """Lets the bot exit by itself for `grace` seconds, then kills its process group; returns when it is gone."""
        try:
            await self._end_process(grace)
        finally:
            self._hold.release()
            if self._sign:
                self._sign.close()
        try:
            drained, _ = await asyncio.wait({self._drained}, timeout=_END_SECONDS)
            if drained:
                self._drained.result()
        finally:
            self._drained.cancel()  # by now only a stray child of the bot can hold its output open
            self._process.close()
            self.log.close()

    async def _end_process(self, grace: float) -> None:
        await self.ended_within(grace)
        self._cut_lifeline()
        if not await self.ended_within(_END_SECONDS):
            with suppress(ProcessLookupError):  # it has ended by now
                os.killpg(self.pid, signal.SIGKILL)
            await self.ended

    def _cut_lifeline(self) -> None:
        assert self._pipes.stdin is not None
        self._pipes.stdin.close()


class Pipes(SubprocessStreamProtocol):
    """Input and output of a process; it hears of its end also while a stray child holds the output open."""

    def __init__(self) -> None:
        """Before the process is started."""
        super().__init__(_MOST_UNREAD, asyncio.get_running_loop())
        self.exited = asyncio.Event()

    def process_exited(self) -> None:
        """By asyncio; what waits for a process there waits for the end of its output, too."""
        super().process_exited()
        self.exited.set()


async def _status(process: asyncio.SubprocessTransport, pipes: Pipes) -> int:
    await pipes.exited.wait()
    status = process.get_returncode()
    assert status is not None
    return status


async def _started(launch: Launch, inherited: InheritedFiles) -> tuple[asyncio.SubprocessTransport, Pipes]:
    return await asyncio.get_running_loop().subprocess_exec(
        Pipes,
        *launch.command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=STDOUT,
        cwd=launch.folder,
        env=launch.environment,
        start_new_session=True,
        pass_fds=inherited.files,
    )
