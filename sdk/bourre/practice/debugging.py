"""Starts a debugger at every decision of a bot."""

from __future__ import annotations

from bdb import BdbQuit
from collections.abc import Awaitable, Callable, Generator
from inspect import isawaitable
from pdb import Pdb

from bourre.bot import DECISIONS, Bot


class Debugger(Pdb):
    """Python's debugger, which also notes that its user quits."""

    has_quit = False

    def set_quit(self) -> None:
        """Notes the command `quit`, which `runcall` would swallow."""
        self.has_quit = True
        super().set_quit()

    def call(self, function: Callable[..., object], *arguments: object) -> object:
        """Calls a function and stops at its first line; raises BdbQuit if the user quits."""
        result: object = self.runcall(function, *arguments)
        if self.has_quit:
            raise BdbQuit
        return result


def watch(bot: Bot, debugger: Debugger) -> None:
    """Makes the decision methods of this bot stop at their first line."""
    for method in DECISIONS:
        setattr(bot, method, _wrap(getattr(bot, method), debugger))


def _wrap(method: Callable[..., object], debugger: Debugger) -> Callable[..., object]:
    def watched(*arguments: object) -> object:
        answer = debugger.call(method, *arguments)
        return _DebuggedAwaitable(answer, debugger) if isawaitable(answer) else answer

    return watched


class _DebuggedAwaitable(Awaitable[object]):
    """The result of an `async` method, debugged until it first waits, then run at full speed."""

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
