"""Lets every decision of a bot begin in a debugger."""

from __future__ import annotations

from bdb import BdbQuit
from collections.abc import Awaitable, Callable, Generator
from inspect import isawaitable
from pdb import Pdb

from bourre.bot import DECISIONS, Bot


class Debugger(Pdb):
    """Python's own, which also tells when its user has had enough."""

    left = False

    def set_quit(self) -> None:
        """The command `quit`; `runcall` keeps it to itself."""
        self.left = True
        super().set_quit()

    def call(self, function: Callable[..., object], *arguments: object) -> object:
        """Calls a function, and stops at its first line; BdbQuit where the user ends it."""
        result: object = self.runcall(function, *arguments)
        if self.left:
            raise BdbQuit
        return result


def watch(bot: Bot, debugger: Debugger) -> None:
    """From now on the methods of this one bot that decide stop at their first line."""
    for method in DECISIONS:
        setattr(bot, method, _watched(getattr(bot, method), debugger))


def _watched(method: Callable[..., object], debugger: Debugger) -> Callable[..., object]:
    def watched(*arguments: object) -> object:
        answer = debugger.call(method, *arguments)
        return _Stepped(answer, debugger) if isawaitable(answer) else answer

    return watched


class _Stepped(Awaitable[object]):
    """What an `async` method returned: in the debugger until it waits for the first time, and then at full speed."""

    def __init__(self, awaitable: Awaitable[object], debugger: Debugger) -> None:
        self._awaitable = awaitable
        self._debugger = debugger

    def __await__(self) -> Generator[object, object, object]:
        steps = self._awaitable.__await__()
        try:
            waiting_for = self._debugger.call(next, steps)
            while True:
                yield waiting_for
                waiting_for = next(steps)
        except StopIteration as end:
            result: object = end.value
            return result
