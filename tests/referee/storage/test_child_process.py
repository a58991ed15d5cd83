"""Processes that end with their parent, and are started again when they die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from functools import partial
from pathlib import Path
from queue import Queue

from bourre_referee.storage.files.child_process import FIRST_S, LONGEST_S, Restarts, tended
from bourre_referee.storage.files.process_pool import TendedExecutor

STUBBORN = """
import signal
from bourre_referee.storage.files.child_process import tended

def compute():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("works", flush=True)
    signal.pause()

if __name__ == "__main__":
    with tended("test", compute, print):
        signal.pause()
"""
"""A parent with a child that hears no SIGTERM, such as one that computes for a visitor."""


def test_a_process_that_is_busy_ends_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(STUBBORN)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "works\n"
        os.kill(parent.pid, signal.SIGKILL)
        assert parent.stdout.read() == ""  # the pipe ends with the last process that holds it


def say_who(fifo: Path) -> None:
    fifo.write_text(str(os.getpid()))
    signal.pause()


def test_a_process_that_dies_is_told_and_started_again(tmp_path: Path) -> None:
    news: Queue[str] = Queue()
    os.mkfifo(fifo := tmp_path / "fifo")
    work = partial(
        eval, f"open({str(fifo)!r}, 'w').write(str(__import__('os').getpid())), __import__('signal').pause()"
    )
    with tended("test", work, news.put):
        first = int(fifo.read_text())
        os.kill(first, signal.SIGKILL)
        assert news.get() == "the process of the test was killed by SIGKILL: it is started again in 1 s"
        assert int(fifo.read_text()) != first
    assert news.empty()


def test_each_start_waits_longer_unless_the_process_had_lasted() -> None:
    told: list[str] = []
    restarts = Restarts("test", told.append)
    delays = [restarts.delay("ended", 0.1) for _ in range(9)]
    assert delays == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert [restarts.delay("ended", LONGEST_S), restarts.delay("ended", 0)] == [FIRST_S, 2 * FIRST_S]
    assert len(told) == 11


class Told:
    """Patience that notes how long it was to wait."""

    def __init__(self, answers: list[bool]) -> None:
        self._answers = deque(answers)
        self.texts: list[str] = []
        self.waits: list[float] = []
        self.tell = self.texts.append

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return self._answers.popleft()


def die_once(mark: Path) -> int:
    if not mark.exists():
        mark.mkdir()
        os.kill(os.getpid(), signal.SIGKILL)
    return 7


def test_a_task_whose_process_dies_is_done_again_and_told(tmp_path: Path) -> None:
    patience = Told([True])
    with TendedExecutor("ratings", patience) as executor:
        assert executor.submit(die_once, tmp_path / "died").result() == 7
    assert patience.waits == [FIRST_S]
    assert patience.texts == ["the process of the ratings was killed by SIGKILL: it is started again in 1 s"]
