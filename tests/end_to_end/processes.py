"""What a test has started must end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from bourre_referee.diagnostics.attacks.descendants import children_of, descendants_of


def started_since(before: set[int]) -> Iterator[int]:
    """What this process has started since, apart from what earlier tests have left behind."""
    return (child for child in descendants_of(os.getpid()) if child not in before)


@contextmanager
def no_child_left() -> Iterator[None]:
    """Checks that all children started in the block have ended and been reaped at its end.

    Earlier children do not count: an earlier test may have left the resource tracker of multiprocessing.
    """
    before = set(children_of(os.getpid()))
    yield
    assert set(children_of(os.getpid())) <= before
