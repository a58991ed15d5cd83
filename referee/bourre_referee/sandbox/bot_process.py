"""One bot as a process in its own process group, with a supervisor."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, STDOUT, SubprocessStreamProtocol
from contextlib import closing, suppress
from pathlib import Path
from typing import BinaryIO

from bourre_referee.model.spec import BotEntry
from bourre_referee.sandbox.bot_log import Log
from bourre_referee.sandbox.cpu_meter import processor_ms
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch, Launcher, own_variables

_END_SECONDS = 5.0
_STACK_SECONDS = 2.0
"""The seconds in which an aborted bot can print its stack."""
_MOST_UNREAD = 64 * 1024
_OVER = (128 + signal.SIGXCPU, 128 + signal.SIGXFSZ)


class BotProcess:
    """A running bot, which can be awaited and completely ended."""

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
        """Done when the bot has ended. Its result is the exit status, or 128 + the signal that ended it."""

    @classmethod
    async def start(cls, entry: BotEntry, credentials: Credentials, log_path: Path, launcher: Launcher) -> BotProcess:
        """Launches a bot, whose output goes into the file `log_path`. Raises OSError if the host cannot start it."""
        log = Log(log_path, secrets=own_variables(entry).values())
        with closing(InheritedFiles()) as inherited:
            launch = await asyncio.to_thread(launcher.launch, entry, credentials, inherited)  # it may copy large files
            try:
                process, pipes = await _start(launch, inherited)
            except OSError:
                launch.hold.release()
                log.close()
                raise
            return cls(process, pipes, log, launch, inherited.take_sign())

    async def was_refused(self) -> bool:
        """Whether the process ended before the bot began, because its sandbox failed. That is not the bot's fault."""
        if not self.ended.done():
            return False
        if self._signs_in_output:
            drained, _ = await asyncio.wait({self._drained}, timeout=_END_SECONDS)
            return bool(drained) and not self._drained.result()
        return self._sign is not None and not self._sign.read(1)

    @property
    def over_limit(self) -> bool:
        """Whether the kernel ended the bot for exceeding a limit."""
        return self.ended.done() and (self.ended.result() in self._over or self._hold.went_over())

    @property
    def pid(self) -> int:
        """The id of the started process, which is the bot's keeper."""
        return self._process.get_pid()

    def processor_ms(self) -> float:
        """Returns the processor time of the bot and its descendants in milliseconds."""
        return processor_ms(self.pid)

    async def wait_for_end(self, seconds: float) -> bool:
        """Waits at most this many seconds, and returns whether the bot ended."""
        done, _ = await asyncio.wait({self.ended}, timeout=seconds)
        return bool(done)

    async def last_words(self) -> str:
        """Returns the output of a bot that never said hello. A running bot is aborted, and prints its stack."""
        if not self.ended.done():
            assert self._pipes.stdin is not None
            self._pipes.stdin.write(b"?")
            await self.wait_for_end(_STACK_SECONDS)
        await asyncio.wait({self._drained}, timeout=_STACK_SECONDS)
        return self.log.text()

    async def end(self, grace: float) -> None:
        """Gives the bot `grace` seconds to exit, then kills its process group. Returns when it has ended."""
        try:
            await self._end_process(grace)
        finally:
            if self._sign:
                self._sign.close()
            # A bot may have filled much of the kernel's memory, and freeing it can take seconds.
            await asyncio.to_thread(self._hold.release)
        try:
            drained, _ = await asyncio.wait({self._drained}, timeout=_END_SECONDS)
            if drained:
                self._drained.result()
        finally:
            self._drained.cancel()  # only a stray child of the bot can still hold its output open
            self._process.close()
            self.log.close()

    async def _end_process(self, grace: float) -> None:
        await self.wait_for_end(grace)
        self._release_supervisor()
        if not await self.wait_for_end(_END_SECONDS):
            with suppress(ProcessLookupError):  # it has just ended
                os.killpg(self.pid, signal.SIGKILL)
            await self.ended

    def _release_supervisor(self) -> None:
        """Closes the supervisor's standard input, whereupon it kills the bot and ends."""
        assert self._pipes.stdin is not None
        self._pipes.stdin.close()


class Pipes(SubprocessStreamProtocol):
    """The input and output of a process. It notices the end even while a stray child holds the output open."""

    def __init__(self) -> None:
        """Must run before the process starts, in the running loop."""
        super().__init__(_MOST_UNREAD, asyncio.get_running_loop())
        self.exited = asyncio.Event()

    def process_exited(self) -> None:
        """asyncio calls it. asyncio's own wait for a process also waits for the end of its output."""
        super().process_exited()
        self.exited.set()


async def _status(process: asyncio.SubprocessTransport, pipes: Pipes) -> int:
    await pipes.exited.wait()
    status = process.get_returncode()
    assert status is not None
    return status


async def _start(launch: Launch, inherited: InheritedFiles) -> tuple[asyncio.SubprocessTransport, Pipes]:
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
