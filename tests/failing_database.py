"""Fails chosen calls of psycopg, as if the server had gone at that moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import current_thread, main_thread
from typing import Any

import psycopg
import pytest


@dataclass
class Calls:
    """The calls of this thread that reach the server, some of which fail."""

    failing: frozenset[int] = frozenset()
    """The numbers of those that fail, from 1."""
    made: int = 0


@dataclass
class Patience:
    """Waits no time, and never gives up."""

    told: list[str] = field(default_factory=list)

    def tell(self, text: str) -> None:
        self.told.append(text)

    def wait(self, seconds: float) -> bool:
        return True


@contextmanager
def failing(first: int, times: int = 3) -> Iterator[Calls]:
    """Fails this call and the next ones, `times` in all. 0 fails none. A failed commit has committed, unheard."""
    calls = Calls(frozenset(range(first, first + times)) if first else frozenset())
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in ((psycopg, "connect"), (psycopg.Cursor, "execute"), (psycopg.Connection, "commit")):
            patch.setattr(owner, name, _failing(calls, name, getattr(owner, name)))
        yield calls


def _failing(calls: Calls, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def called(*args: Any, **kwargs: Any) -> Any:
        if current_thread() is not main_thread():
            return call(*args, **kwargs)
        calls.made += 1
        if calls.made not in calls.failing:
            return call(*args, **kwargs)
        if name == "commit":
            call(*args, **kwargs)
        if name != "connect":
            connection = args[0] if name == "commit" else args[0].connection
            connection.close()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    return called
