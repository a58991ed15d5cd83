"""A bot as a process: what it gets, how it is stopped, woken and killed, and how it ends."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bourre_referee.diagnostics.attacks.descendants import WatchedProcess
from bourre_referee.model.spec import BotEntry
from bourre_referee.sandbox import cpu_guard as stopping
from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.cpu_guard import StoppedProcesses, below_supervisor
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch, own_variables
from bourre_referee.sandbox.levels import PlainLauncher

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
    """A program below this supervisor, once it has printed that it is running."""
    command = (sys.executable, "-IS", str(keeper), sys.executable, "-c", program)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert heard(process) == "here"
            yield process
        finally:
            for below in list(below_supervisor(process.pid)):
                with suppress(ProcessLookupError):  # it may have died with the previous process
                    os.kill(below, signal.SIGKILL)


def heard(process: subprocess.Popen[str]) -> str:
    """The next line that it prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def telling_keeper(folder: Path) -> Path:
    """A supervisor that prints what becomes of its bot."""
    keeper = folder / "supervisor.py"
    keeper.write_text(TELLING_KEEPER)
    return keeper


@contextmanager
def files_left(number: int) -> Iterator[None]:
    """Limits how many more files this process may open."""
    lowest = os.dup(0)
    os.close(lowest)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + number, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_bot_stands_still_until_it_is_woken_and_its_keeper_does_not(tmp_path: Path) -> None:
    with kept(telling_keeper(tmp_path), WAITING) as process:
        stopped = StoppedProcesses(process.pid)
        assert heard(process) == "stopped"
        stopped.wake()
        assert heard(process) == "woken"
        stopped = StoppedProcesses(process.pid)
        assert heard(process) == "stopped"
        for below in list(below_supervisor(process.pid)):
            os.kill(below, signal.SIGKILL)
        assert heard(process) == "ended", "it may be killed where it stands"
        stopped.wake()


def test_all_that_a_bot_has_started_is_stopped_whichever_thread_started_it() -> None:
    with kept(Path(supervisor.__file__), WITH_A_CHILD) as process:
        below = list(below_supervisor(process.pid))
        assert len(below) == 2
        stopped = StoppedProcesses(process.pid)
        assert sorted(stopped.processes) == sorted(below)
        stopped.wake()
        assert not stopped.processes


def test_processes_that_show_up_one_after_another_are_all_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    with children(6) as family:
        seen = [family[:number] for number in range(1, 6)]
        monkeypatch.setattr(stopping, "below_supervisor", lambda _: seen.pop(0) if len(seen) > 1 else seen[0])
        stopped = StoppedProcesses(0)
        assert sorted(stopped.processes) == family[:5]
        assert all(is_stopped(child) for child in family[:5])
        seen[0] = family
        os.kill(family[0], signal.SIGCONT)
        stopped.stop_again()
        assert all(is_stopped(child) for child in family)
        stopped.wake()


def test_what_has_ended_while_it_was_stopped_is_held_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    with children(2) as family:
        monkeypatch.setattr(stopping, "below_supervisor", lambda _: iter(family))
        stopped = StoppedProcesses(0)
        os.kill(family[0], signal.SIGKILL)
        os.waitid(os.P_PID, family[0], os.WEXITED | os.WNOWAIT)
        stopped.stop_again()
        assert sorted(stopped.processes) == family
        monkeypatch.setattr(stopping, "below_supervisor", lambda _: iter(family[1:]))
        stopped.stop_again()
        assert stopped.processes == (family[1],)
        stopped.wake()


@contextmanager
def children(number: int) -> Iterator[list[int]]:
    """This many waiting processes, in the order of their ids."""
    started = [subprocess.Popen(["sleep", "20"]) for _ in range(number)]
    try:
        yield sorted(child.pid for child in started)
    finally:
        for child in started:
            child.kill()
            child.wait()


def is_stopped(child: int) -> bool:
    """Waits until it is stopped or has ended."""
    told = os.waitid(os.P_PID, child, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    return told is not None and told.si_status == signal.SIGSTOP


def test_a_bot_with_more_processes_than_can_be_held_runs_on_and_no_file_stays_open() -> None:
    with kept(Path(supervisor.__file__), WITH_A_CHILD) as process:
        with files_left(1):
            for _ in range(3):
                with pytest.raises(OSError, match="Too many open files"):
                    StoppedProcesses(process.pid)
            below = list(below_supervisor(process.pid))
        assert len(below) == 2
        assert "State:\tT" not in "".join(Path(f"/proc/{member}/status").read_text() for member in below)


def test_a_process_that_has_become_another_users_is_let_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    send, asked = signal.pidfd_send_signal, list[int]()

    def refuse_the_first(held: int, what: int) -> None:
        asked.append(held)
        if held == asked[0]:
            raise PermissionError(1, "Operation not permitted")
        send(held, what)

    monkeypatch.setattr(signal, "pidfd_send_signal", refuse_the_first)
    with kept(Path(supervisor.__file__), WITH_A_CHILD) as process:
        StoppedProcesses(process.pid).wake()
    assert len(asked) == 4


def test_when_the_referee_is_gone_a_stopped_bot_goes_too() -> None:
    with kept(Path(supervisor.__file__), WITH_A_CHILD) as process:
        below = WatchedProcess(below_supervisor(process.pid))
        stopped = StoppedProcesses(process.pid)
        assert process.stdin is not None
        process.stdin.close()
        assert below.number == 2
        assert below.left_after(30) == []
        stopped.wake()


def test_without_a_lifeline_nothing_is_stopped() -> None:
    with subprocess.Popen((sys.executable, "-c", WAITING), stdout=subprocess.PIPE, text=True) as process:
        assert heard(process) == "here"
        assert StoppedProcesses(process.pid).processes == ()
        process.kill()


@dataclass
class SlowHold:
    """Is released only while the referee goes on."""

    gone_on: threading.Event = field(default_factory=threading.Event)
    released: bool = False

    def went_over(self) -> bool:
        """False: nothing is counted."""
        return False

    def release(self) -> None:
        """Waits until the referee has done something else."""
        self.released = self.gone_on.wait(20)


@dataclass(frozen=True)
class Holding:
    """Starts bots with this hold."""

    hold: SlowHold

    def launch(self, entry: BotEntry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """Returns how to start this bot."""
        return replace(PlainLauncher(credentials.socket.parent).launch(entry, credentials, inherited), hold=self.hold)


def test_a_bot_gets_what_it_needs_and_its_own_variables_alone_in_one_language_on_every_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SECRET", "KEY", "BOURRE_TOKEN", "TMPDIR", "LC_ALL", "LANG"):
        monkeypatch.setenv(name, f"the host's {name}")
    credentials = Credentials(tmp_path / "socket", "token", "seed")
    entry = BotEntry("ada", ("python",), tmp_path, environment=("KEY", "BOURRE_TOKEN"))
    found = PlainLauncher(tmp_path / "copies").launch(entry, credentials, InheritedFiles()).environment
    own = {"BOURRE_ADDRESS": f"unix:{tmp_path / 'socket'}", "BOURRE_TOKEN": "token", "BOURRE_SEED": "seed"}
    python = {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1", "GRPC_VERBOSITY": "ERROR"}
    passed_on = {"KEY": "the host's KEY", "TMPDIR": "the host's TMPDIR", "LANG": "C.UTF-8"}
    assert {name: value for name, value in found.items() if name not in ("PATH", "HOME")} == own | python | passed_on
    monkeypatch.delenv("KEY")
    with pytest.raises(OSError, match="ada: its variable KEY is not set in the environment of the referee"):
        own_variables(entry)


def test_what_a_process_inherits_is_read_from_its_start_and_closed_with_the_rest() -> None:
    inherited = InheritedFiles()
    content, sign = inherited.add(b"secret"), inherited.add_sign()
    assert (inherited.files, os.read(content, 9)) == ((content, sign), b"secret")
    taken = inherited.take_sign()
    assert taken is not None
    with taken:
        assert taken.read(1) is None  # it waits for nothing
        os.write(sign, b"+")
        inherited.close()
        assert (taken.read(1), inherited.take_sign(), inherited.files) == (b"+", None, ())
    for file in (content, sign):
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(file)


async def test_the_referee_goes_on_while_the_kernel_clears_up_after_a_bot(tmp_path: Path) -> None:
    hold = SlowHold()
    entry = BotEntry("tested", ("true",), tmp_path)
    process = await BotProcess.start(entry, Credentials(tmp_path / "seat", "token"), tmp_path / "log", Holding(hold))
    ending = asyncio.create_task(process.end(0.0))
    await process.ended
    asyncio.get_running_loop().call_later(0.0, hold.gone_on.set)
    await ending
    assert hold.released
