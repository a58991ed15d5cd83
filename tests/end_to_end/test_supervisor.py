"""The supervisor by itself: a process that runs another, and learns through a pipe that the referee is gone."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys

import pytest

from bourre_referee.sandbox import supervisor

KEEPER = "import sys; from bourre_referee.sandbox import supervisor; sys.exit(supervisor.main(sys.argv[1:]))"
"""The supervisor inside a program that imports the package; coverage cannot see one started with `-IS`, as usual."""

STAYS = r"import os, signal; os.write(1, b'here\n'); signal.pause()"
"""One write, which no other process can interrupt: an unbuffered `print` writes the line end separately."""

LEAVES_ONE = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {STAYS!r}], start_new_session=True)"
IS_INTERRUPTED = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"


def kept(*command: str, sign: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
    """A supervisor with a command. Leaving the block closes the pipe, so that both end whatever happens."""
    pipe = subprocess.PIPE
    line = [sys.executable, "-c", KEEPER, *command]
    return subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=sign)


def python(program: str) -> list[str]:
    """The command that runs this program."""
    return [sys.executable, "-c", program]


@pytest.mark.parametrize(("end", "code"), [("raise SystemExit(3)", 3), (IS_INTERRUPTED, 128 + 15)])
def test_it_ends_as_its_bot_ends(end: str, code: int) -> None:
    with kept(*python(end)) as process:
        assert process.wait() == code


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux can a process adopt the orphans of its children")
def test_nothing_outlives_the_pipe() -> None:
    """All hold stdout open, so its end shows that all are gone."""
    with kept(*python(f"{LEAVES_ONE}; {STAYS}")) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        process.stdin.close()
        assert process.stdout.read() in (b"", b"here\n")
        assert process.wait() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux can a process adopt the orphans of its children")
def test_what_a_bot_leaves_behind_ends_with_it() -> None:
    with kept(*python(LEAVES_ONE)) as process:
        assert process.stdout is not None
        assert process.stdout.read() in (b"", b"here\n")  # whether it gets to print or not, all that could are gone
        assert process.wait() == 0


def test_a_byte_on_the_pipe_aborts_a_bot_which_prints_where_it_is_busy() -> None:
    with kept(*python(f"import faulthandler\nfaulthandler.enable()\n{STAYS}")) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"here\n"
        process.stdin.write(b"?")
        process.stdin.flush()
        assert process.wait() == 128 + 6
        assert b'File "<string>", line 3' in process.stderr.read()


def test_a_command_that_is_not_there_is_named() -> None:
    with kept("no-such-bot") as process:
        assert process.stderr is not None
        assert process.stderr.read() == b"bourre: cannot run no-such-bot: No such file or directory\n"
        assert process.wait() == 127


def test_it_signs_once_it_runs() -> None:
    reading, writing = os.pipe()
    with kept(f"--sign={writing}", *python(""), sign=(writing,)) as process:
        os.close(writing)
        assert os.read(reading, 2) == b"+"
        assert process.wait() == 0
    os.close(reading)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not allow this many open files")
def test_its_sign_is_not_the_bots_whatever_its_number() -> None:
    """A referee of many rooms has hundreds of files open."""
    reading, writing = os.pipe()
    high = fcntl.fcntl(writing, fcntl.F_DUPFD, 700)
    os.close(writing)
    looks = f"import os; print(os.path.exists('/dev/fd/{high}'), os.path.exists('/dev/fd/1'))"
    with kept(f"--sign={high}", *python(looks), sign=(high,)) as process:
        os.close(high)
        assert process.stdout is not None
        assert process.stdout.read() == b"False True\n"
        assert os.read(reading, 2) == b"+"
    os.close(reading)


def test_it_loads_no_module_that_python_does_not_load_anyway() -> None:
    """Every bot waits for it: what it needs of the standard library is written in C."""
    true = shutil.which("true")
    assert true
    bare = loaded("-c", "")
    assert "_io" in bare
    assert loaded(supervisor.__file__, true) - bare <= {"_ctypes", "select"}


def loaded(*words: str) -> set[str]:
    """The modules that a Python loads with these words, started as a room starts its supervisors."""
    command = [sys.executable, "-IS", "-X", "importtime", *words]
    ended = subprocess.run(command, stdin=subprocess.PIPE, capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()[1:]}
