"""Runs one bot and never outlives the referee: `python -IS lifeline.py [--sign=FILE] COMMAND ...`.

Its standard input is a pipe from the referee. When that closes, for whatever reason, SIGKILL of the referee included,
the bot and everything that it has started is killed. Ends as the bot ends. Once it runs it says so in the open file
of that number, if it is given one.

It takes in and buries every process whose parent is gone. In a box it is the first process, with whose end the kernel
kills all that is left. It imports little, knows nothing of this package, and any Python from 3.9 runs it.
"""

import contextlib
import os
import select
import signal
import sys

_SET_PDEATHSIG = 1
"""PR_SET_PDEATHSIG of prctl(2)."""

_SET_DUMPABLE = 4
"""PR_SET_DUMPABLE of prctl(2)."""

_SET_CHILD_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""


def main(command: list[str]) -> int:
    """Starts the command in a process group of its own and waits for its end, or for that of the referee."""
    if os.getpid() == 1:
        shield()
    elif sys.platform == "linux":
        adopt()
    if command[0].startswith("--sign="):
        sign(int(command.pop(0).removeprefix("--sign=")))
    os.closerange(3, 256)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    bot = start(command)
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if 0 in ready:
            kill_all(bot)
            return 0
        os.read(woken, 1)
        status = bury(bot)
        if status is not None:
            kill_all(bot)
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def sign(file: int) -> None:
    """Says that it runs, and closes the file: its number may be beyond those that are closed as a precaution."""
    os.write(file, b"+")
    os.close(file)


def shield() -> None:
    """In a box the bot is of the same user: it can neither interrupt its keeper nor write into its memory."""
    import ctypes  # takes longer to load than all the rest, and only a box needs it

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0):
        sys.exit("bourre: the lifeline cannot be shielded from its bot")


def adopt() -> None:
    """Whoever loses its parent below this process becomes its child: no bot can leave a process behind."""
    import ctypes

    if ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        sys.exit("bourre: the lifeline cannot take in what its bot leaves behind")


def bury(bot: int) -> "int | None":
    """Takes note of every child that has ended; the status of the bot if it is among them."""
    found = None
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if ended == 0:
            return found
        if ended == bot:
            found = status


def start(command: list[str]) -> int:
    """The process id of the command, which leads a process group of its own and reads nothing.

    Parent and child both make the group: whichever comes first, it is there before anyone may want to kill it.
    """
    keeper = os.getpid()
    bot = os.fork()
    if bot:
        lead(bot)
        return bot
    try:
        lead(0)
        follow(keeper)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for ignored in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):  # by this Python; a bot decides for itself
            signal.signal(ignored, signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"bourre: cannot run {command[0]}: {error.strerror}\n".encode())
    os._exit(127)


def follow(keeper: int) -> None:
    """Dies with its lifeline, should somebody kill that; in a box the kernel sees to it."""
    if keeper == 1 or sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != keeper:  # too late to hear of it
        os._exit(127)


def lead(process: int) -> None:
    """Makes a process the leader of its own group, unless it is so already or is running another program by now."""
    try:
        os.setpgid(process, process)
    except (PermissionError, ProcessLookupError):
        return


def kill_all(bot: int) -> None:
    """Kills the bot's process group, then whatever of it has left the group, until nothing is left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(bot, signal.SIGKILL)
    for child in children():
        os.kill(child, signal.SIGKILL)
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
        for child in children():  # of the dead, taken in
            os.kill(child, signal.SIGKILL)


def children() -> "list[int]":
    """The children of this process that have not been buried; none where the system does not tell."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as told:
            return [int(child) for child in told.read().split()]
    except FileNotFoundError:
        return []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
