"""Runs one bot and never outlives the referee: `python -IS supervisor.py [--sign=FILE] COMMAND ...`.

Its standard input is a pipe from the referee. When the pipe closes for any reason, even because the referee got
SIGKILL, it kills the bot and its descendants. A byte on that pipe makes it abort a bot that never said hello, whose
Python then prints its stack. It exits with the bot's status. Once it runs, it writes a byte to the open file descriptor
FILE, if given.

It adopts and reaps every process whose parent is gone. In a sandbox it is the first process, so the kernel kills all
other processes at its end. It runs on any CPython from 3.9.

The start of every bot waits for it. So it imports nothing of this package, and only C modules of the standard library:
`os`, `signal` and `ctypes` would take as long to load as the interpreter takes to start.
"""

import _ctypes
import _signal as signal  # type: ignore[import-not-found]
import posix
import select
import sys

_SET_PDEATHSIG = 1
"""PR_SET_PDEATHSIG of prctl(2)."""

_SET_DUMPABLE = 4
"""PR_SET_DUMPABLE of prctl(2)."""

_SET_CHILD_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""


def main(command: list[str]) -> int:
    """Starts the command in its own process group, waits until it or the referee ends, and returns the exit code."""
    if posix.getpid() == 1:
        shield()
    elif sys.platform == "linux":
        adopt()
    if command[0].startswith("--sign="):
        sign(int(command.pop(0).removeprefix("--sign=")))
    posix.closerange(3, 256)
    woken, wake = posix.pipe()
    posix.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    bot = start(command)
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if 0 in ready:
            if posix.read(0, 1):
                abort(bot)
                continue
            kill_all(bot)
            return 0
        posix.read(woken, 1)
        status = reap(bot)
        if status is not None:
            kill_all(bot)
            code = posix.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def sign(file: int) -> None:
    """Announces that the supervisor runs, and closes the file."""
    posix.write(file, b"+")
    posix.close(file)


def shield() -> None:
    """Protects this process from signals and memory access of the bot, which runs as the same user in a sandbox."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if prctl(_SET_DUMPABLE, 0):
        sys.exit("bourre: the supervisor cannot be shielded from its bot")


def adopt() -> None:
    """Makes orphaned descendants children of this process, so that none survives the bot."""
    if prctl(_SET_CHILD_SUBREAPER, 1):
        sys.exit("bourre: the supervisor cannot adopt what its bot leaves behind")


def prctl(option: int, value: int) -> int:
    """Calls prctl(2) as `ctypes` would. Returns 0 unless it fails."""
    function = _ctypes.dlsym(_ctypes.dlopen(None, 0), "prctl")  # type: ignore[arg-type]
    return int(_ctypes.call_function(function, (option, value, 0, 0, 0)))


def reap(bot: int) -> "int | None":
    """Reaps every ended child, and returns the wait status of the bot if it is among them."""
    found = None
    while True:
        try:
            ended, status = posix.waitpid(-1, posix.WNOHANG)
        except ChildProcessError:
            return found
        if ended == 0:
            return found
        if ended == bot:
            found = status


def start(command: list[str]) -> int:
    """Starts the command with an empty standard input in its own process group, and returns its process id.

    Parent and child both make the group, so that it exists before anything can kill it.
    """
    keeper = posix.getpid()
    bot = posix.fork()
    if bot:
        lead(bot)
        return bot
    try:
        lead(0)
        follow(keeper)
        posix.dup2(posix.open("/dev/null", posix.O_RDONLY), 0)
        for ignored in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, but a bot should not
            signal.signal(ignored, signal.SIG_DFL)
        execute(command)
    except OSError as error:
        posix.write(2, f"bourre: cannot run {command[0]}: {error.strerror}\n".encode())
    posix._exit(127)


def execute(command: list[str]) -> None:
    """Becomes the command. It searches the PATH for a program without a folder."""
    if "/" in command[0]:
        posix.execv(command[0], command)
    import os

    os.execvp(command[0], command)


def follow(keeper: int) -> None:
    """Lets the kernel kill this process when the supervisor dies, which a sandbox does anyway."""
    if keeper == 1 or sys.platform != "linux":
        return
    prctl(_SET_PDEATHSIG, signal.SIGKILL)
    if posix.getppid() != keeper:  # it died before the call
        posix._exit(127)


def lead(process: int) -> None:
    """Makes a process the leader of its own group, unless it is one or already runs another program."""
    try:
        posix.setpgid(process, process)
    except (PermissionError, ProcessLookupError):
        return


def abort(bot: int) -> None:
    """Sends the bot's process group SIGABRT, which leaves no core dump."""
    import resource

    if resource.getrlimit(resource.RLIMIT_CORE)[0] and sys.platform == "linux":
        _, most = resource.prlimit(bot, resource.RLIMIT_CORE)
        resource.prlimit(bot, resource.RLIMIT_CORE, (0, most))
    signal_group(bot, signal.SIGABRT)


def kill_all(bot: int) -> None:
    """Kills the bot's process group, then processes outside of the group, until none remains."""
    signal_group(bot, signal.SIGKILL)
    for child in children():
        posix.kill(child, signal.SIGKILL)
    while True:
        try:
            posix.waitpid(-1, 0)
        except ChildProcessError:
            return
        for child in children():  # those adopted from the dead
            posix.kill(child, signal.SIGKILL)


def signal_group(bot: int, number: int) -> None:
    """Sends the bot's process group a signal, if it still exists."""
    try:
        posix.killpg(bot, number)
    except ProcessLookupError:
        return


def children() -> "list[int]":
    """Returns the unreaped children of this process; none if the system does not report them."""
    try:
        with open(f"/proc/self/task/{posix.getpid()}/children") as file:
            return [int(child) for child in file.read().split()]
    except FileNotFoundError:
        return []


if __name__ == "__main__":
    posix._exit(main(sys.argv[1:]))  # the interpreter has nothing to clean up
