"""Processes forked from this one."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn, TypeVar

T = TypeVar("T")

STDERR = "/dev/stderr"
FAILED = 70


def fork(work: Callable[[], int], talk: str = STDERR) -> int:
    """Forks a process that exits with the code that `work` returns, with its output in `talk`; returns its id."""
    sys.stdout.flush()
    return os.fork() or _end_with(work, talk)


def _end_with(work: Callable[[], int], talk: str) -> NoReturn:
    code = FAILED
    try:
        os.dup2(os.open(talk, os.O_WRONLY), sys.stdout.fileno())
        code = work()
    except BaseException:
        traceback.print_exc()
    os._exit(code)


def result_of(work: Callable[[], T]) -> T:
    """Returns what the work returns in a process of its own; ChildProcessError if it fails there."""
    read, write = os.pipe()

    def tell() -> int:
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(work(), pipe)
        return 0

    child = fork(tell)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise ChildProcessError("it failed in a process of its own, as told above")
    result: T = pickle.loads(told)
    return result
