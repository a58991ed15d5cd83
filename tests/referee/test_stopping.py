"""Bots that are stopped, woken and killed, told by the process that keeps them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bourre_referee.launch import lifeline
from bourre_referee.launch.stopping import Stopped, below_lifeline
from tests.end_to_end.processes import Watched

WAITING = "import signal; print('here', flush=True); signal.pause()"
WITH_A_CHILD = f"""
import subprocess, sys, threading
threading.Thread(target=lambda: subprocess.run([sys.executable, "-c", {WAITING!r}])).start()
"""
TELLING_KEEPER = """
import os, sys
bot = os.fork()
if not bot:
    os.execv(sys.argv[1], sys.argv[1:])
ended = False
while not ended:
    _, status = os.waitpid(bot, os.WUNTRACED | os.WCONTINUED)
    ended = not (os.WIFSTOPPED(status) or os.WIFCONTINUED(status))
    print("stopped" if os.WIFSTOPPED(status) else "ended" if ended else "woken", flush=True)
"""


@contextmanager
def kept(keeper: Path, program: str) -> Iterator[subprocess.Popen[str]]:
    """A program below this keeper, once it has said that it is here."""
    command = (sys.executable, "-IS", str(keeper), sys.executable, "-c", program)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert heard(process) == "here"
            yield process
        finally:
            for below in list(below_lifeline(process.pid)):
                with suppress(ProcessLookupError):  # it may have died with the one before
                    os.kill(below, signal.SIGKILL)


def heard(process: subprocess.Popen[str]) -> str:
    """The next line that it says."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def telling_keeper(folder: Path) -> Path:
    """A keeper that says what becomes of its bot."""
    keeper = folder / "lifeline.py"
    keeper.write_text(TELLING_KEEPER)
    return keeper


def test_a_bot_stands_still_until_it_is_woken_and_its_keeper_does_not(tmp_path: Path) -> None:
    with kept(telling_keeper(tmp_path), WAITING) as process:
        stopped = Stopped(process.pid)
        assert heard(process) == "stopped"
        stopped.wake()
        assert heard(process) == "woken"


def test_a_bot_may_be_killed_where_it_stands(tmp_path: Path) -> None:
    with kept(telling_keeper(tmp_path), WAITING) as process:
        stopped = Stopped(process.pid)
        assert heard(process) == "stopped"
        for below in list(below_lifeline(process.pid)):
            os.kill(below, signal.SIGKILL)
        assert heard(process) == "ended"
        stopped.wake()


def test_all_that_a_bot_has_started_is_stopped_whichever_thread_started_it() -> None:
    with kept(Path(lifeline.__file__), WITH_A_CHILD) as process:
        below = list(below_lifeline(process.pid))
        assert len(below) == 2
        stopped = Stopped(process.pid)
        assert sorted(stopped.processes) == sorted(below)
        stopped.wake()
        assert not stopped.processes


def test_when_the_referee_is_gone_a_stopped_bot_goes_too() -> None:
    with kept(Path(lifeline.__file__), WITH_A_CHILD) as process:
        below = Watched(below_lifeline(process.pid))
        stopped = Stopped(process.pid)
        assert process.stdin is not None
        process.stdin.close()
        assert below.number == 2
        assert below.left_after(30) == []
        stopped.wake()


def test_without_a_lifeline_nothing_is_stopped() -> None:
    with subprocess.Popen((sys.executable, "-c", WAITING), stdout=subprocess.PIPE, text=True) as process:
        assert heard(process) == "here"
        assert Stopped(process.pid).processes == ()
        process.kill()
