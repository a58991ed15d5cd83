"""Processes of workers and listeners of which a test decides what they say: nothing is started, and no time passes."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import Pipe

DEATH = "death"
"""What a process says that is killed."""


class ScriptedWorker:
    """A process as its parent sees it: what it was told, what it says, and how it was ended."""

    def __init__(self, replies: Callable[[object], object] | None = None) -> None:
        """`replies` says how it answers at once to what it is told; None if it does not."""
        self.pipe, self._there = Pipe()
        self.process = 4321
        self.given: list[object] = []
        self.ended: list[str] = []
        self.hung = False
        self.replies = replies

    def says(self, *messages: object) -> None:
        """Sends its parent messages; the system closes the pipe of one that is dead."""
        for message in messages:
            if message == DEATH:
                self._there.close()
            else:
                self._there.send(message)

    def give(self, what: object) -> None:
        self.given.append(what)
        if self.replies and (reply := self.replies(what)) is not None:
            self.says(reply)

    def answer(self) -> object | None:
        try:
            answer: object = self.pipe.recv()
        except EOFError:
            return None
        return answer

    def hangs(self) -> bool:
        return self.hung

    def release(self) -> None:
        self.pipe.close()
        self.ended.append("released")

    def stop(self) -> None:
        self.ended.append("stopped")

    def kill(self) -> None:
        self.ended.append("killed")

    def describe_death(self) -> str:
        return "the worker process was killed by SIGKILL"
