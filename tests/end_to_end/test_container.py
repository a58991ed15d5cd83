"""Level `container` with a real engine: what a bot sees there, what it may use, and that it always ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bourre_referee.diagnostics.attacks.descendants import WatchedProcess
from bourre_referee.model.spec import BotEntry, Isolation, Limits
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.container.container_engine import Engine
from bourre_referee.sandbox.container.container_launcher import ContainerLauncher
from bourre_referee.sandbox.container.container_probe import engine_for
from bourre_referee.sandbox.launch import Credentials
from tests.end_to_end.engines import contest_file, run, standings
from tests.end_to_end.images import asked
from tests.long_tests import mostly_long

LIMITS = Limits(memory_mib=128, processes=32, disk_mib=8)
SECONDS = 60.0
TWO = ("ada", "bob")
SEEN = """
import json, os, socket
def attempt(act):
    try:
        return str(act())
    except OSError as error:
        return type(error).__name__
print(json.dumps({
    "user": [os.getuid(), os.getgid()],
    "first": open("/proc/1/cmdline").read()[:7],
    "environment": sorted(os.environ),
    "first's environment": attempt(lambda: open("/proc/1/environ").read()),
    "first's memory": attempt(lambda: open("/proc/1/mem", "r+b").write(b"x")),
    "mounts": open("/proc/self/mountinfo").read(),
    "files": sorted(os.listdir("/bot")),
    "root": attempt(lambda: open("/here", "w")),
    "own": attempt(lambda: open("/bot/here", "w")),
    "run": attempt(lambda: open("/run/here", "w")),
    "network": sorted(line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]),
    "name": socket.gethostname(),
    "hosts": attempt(lambda: open("/etc/hosts").read()),
}))
"""
ENDLESS = "print('up', flush=True)\nimport signal\nsignal.pause()\n"
FORKS = """
import os, signal
try:
    while os.fork():
        pass
    signal.pause()
except BlockingIOError:
    print("no more")
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """A bot that has ended, and all that it printed."""

    status: int
    over_limit: bool
    printed: str


@pytest.fixture
def image(containers: Isolation) -> str:
    """The image."""
    assert containers.image is not None
    return containers.image


@pytest.fixture
def engine(containers: Isolation) -> Engine:
    """An engine that keeps what the level promises, and has the image."""
    return engine_for(containers)


@pytest.fixture
def credentials(tmp_path: Path) -> Iterator[Credentials]:
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(tmp_path)  # the path of a socket is short
        listening.bind("seat")
        yield Credentials(tmp_path / "seat", "token")


def bot(folder: Path, text: str) -> BotEntry:
    """A bot with this code, beside another bot whose files are not its own."""
    folder.joinpath("bot.py").write_text(text)
    folder.joinpath("neighbour.py").touch()
    return BotEntry("bot", (sys.executable, "bot.py"), folder, ("bot.py",))


@pytest.fixture
def ended(engine: Engine, image: str, credentials: Credentials, tmp_path: Path) -> Callable[[str], Ended]:
    """Runs a bot with this code to its end."""

    async def play(text: str) -> Ended:
        launcher = ContainerLauncher(engine, image, LIMITS, tmp_path / "copies")
        process = await BotProcess.start(bot(tmp_path, text), credentials, tmp_path / "log", launcher)
        assert await process.wait_for_end(SECONDS)
        await process.end(0)
        return Ended(process.ended.result(), process.over_limit, (tmp_path / "log").read_text())

    return lambda text: asyncio.run(play(text))


def test_a_contest_in_containers_comes_to_the_same(engine: Engine, image: str, tmp_path: Path) -> None:
    plain = standings(run(contest_file(tmp_path / "plain", 'level = "none"', TWO)))
    boxed = run(contest_file(tmp_path / "boxed", f'level = "container"\nimage = "{image}"', TWO))
    assert standings(boxed) == plain
    assert "isolation container" in boxed.stderr


def test_what_a_bot_sees(ended: Callable[[str], Ended], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid")
    monkeypatch.setenv("SECRET", "secret")
    seen = json.loads(ended(SEEN).printed)
    assert seen["user"] == [65534, 65534]
    assert seen["first"] == "python3"
    assert "BOURRE_TOKEN" in seen["environment"]
    assert "SECRET" not in seen["environment"]
    assert seen["first's environment"] == "PermissionError"
    assert seen["first's memory"] == "PermissionError"
    assert seen["files"] == ["bot.py"]
    assert (seen["root"], seen["own"], seen["run"]) == ("OSError", "OSError", "OSError")
    assert seen["network"] == ["lo"]
    assert seen["name"] == "bot"
    assert socket.gethostname() not in seen["hosts"].split()
    assert "bot.py" not in seen["mounts"]


ENDS = {
    "a status": ("raise SystemExit(7)", 7),
    "a signal": ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", 128 + signal.SIGTERM),
    "after it would end its first process": ("import os, signal; os.kill(1, signal.SIGKILL); raise SystemExit(3)", 3),
}


@pytest.mark.parametrize(("text", "status"), mostly_long(ENDS, {"a signal"}))
def test_a_bot_ends_as_it_ends(ended: Callable[[str], Ended], text: str, status: int) -> None:
    assert ended(text) == Ended(status, False, "")


def test_too_much_memory_is_over_the_limit(ended: Callable[[str], Ended]) -> None:
    over = ended("grown = [bytearray(1 << 20) for _ in range(1024)]")
    assert (over.status, over.over_limit) == (128 + signal.SIGKILL, True)


@pytest.mark.long
def test_too_long_a_file_is_over_the_limit(ended: Callable[[str], Ended]) -> None:
    import_signal = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
    over = ended(import_signal + "open('/tmp/long', 'wb').write(bytes(16 << 20))")
    assert (over.status, over.over_limit) == (128 + signal.SIGXFSZ, True)


def test_a_fork_bomb_stays_in_its_container(ended: Callable[[str], Ended]) -> None:
    over = ended(FORKS)
    assert (over.status, over.printed) == (0, "no more\n")


@pytest.mark.parametrize("with_client", mostly_long({"client too": True, "referee alone": False}, {"referee alone"}))
def test_a_container_ends_when_its_referee_is_killed(
    engine: Engine, image: str, credentials: Credentials, tmp_path: Path, with_client: bool
) -> None:
    referee = subprocess.Popen(
        [sys.executable, "-c", REFEREE, engine.path, image, str(credentials.socket), str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    bot(tmp_path, ENDLESS)
    assert referee.stdout is not None
    name = referee.stdout.readline().strip()
    assert referee.stdout.readline() == "\x06up\n", "the sign that the bot starts, and what it prints"
    first = int(asked(engine.path, "inspect", "--format", "{{.State.Pid}}", name).stdout)
    watched = WatchedProcess(iter([first]))
    if with_client:
        os.killpg(referee.pid, signal.SIGKILL)
    else:
        referee.kill()
    assert watched.left_after(SECONDS) == []
    referee.wait()
    referee.stdout.close()
    engine.remove(name)  # what remains of it, if the engine has not removed it yet


REFEREE = """
import subprocess, sys
from pathlib import Path
from bourre_referee.sandbox.container.container_engine import Engine
from bourre_referee.sandbox.container.container_launcher import ContainerLauncher
from bourre_referee.sandbox.launch import Credentials, InheritedFiles
from bourre_referee.model.spec import BotEntry, Limits
path, image, seat, folder = sys.argv[1:]
entry = BotEntry("bot", (sys.executable, "bot.py"), Path(folder), ("bot.py",))
credentials = Credentials(Path(seat), "token")
launcher = ContainerLauncher(Engine(path), image, Limits(), Path(f"{seat}-copies"))
launch = launcher.launch(entry, credentials, InheritedFiles())
print(launch.hold.name, flush=True)
subprocess.Popen(launch.command, env=launch.environment, stdin=subprocess.PIPE).wait()
"""
