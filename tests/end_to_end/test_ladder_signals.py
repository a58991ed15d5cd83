"""A ladder that is told to end: rooms in play may finish within the grace, and the others are played again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest
from typer.main import get_group

import dev
from bourre_referee.cli.ladder.ladder_commands import app
from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import RoomFinished, RoomPaired, RoomVoided

pytestmark = pytest.mark.xdist_group("processes")

FILE = """
[ladder]
name = "class"
[table]
seats = 2
deals = 1
[clock]
start_ms = 300000
decision_ms = 300000
[isolation]
level = "none"
[quotas]
bots = 100
"""
BOT = """
import os
from pathlib import Path
from bourre import Bot, run

class Waits(Bot):
    def declare(self, view):
        with open({fifo!r}, "w") as fifo:
            fifo.write(f"{{os.getpid()}}\\n")
        Path({go!r}).read_text()  # waits
        return True

run(Waits)
"""


def crowd(folder: Path, rooms: int) -> LadderFolder:
    """Makes a ladder of two bots for each room, which say their process in a named pipe and wait at another one."""
    for fifo in ("asked", "go"):
        os.mkfifo(folder / fifo)
    (folder / "ladder.toml").write_text(FILE)
    (folder / "bots").mkdir()
    (folder / "bots" / "bot.py").write_text(BOT.format(fifo=str(folder / "asked"), go=str(folder / "go")))
    ladder = new_ladder(folder / "ladder", folder / "ladder.toml")
    for number in range(2 * rooms):
        add_hosted(ladder, Newcomer(f"bot{number}"), ("python", "bot.py"), (), folder / "bots")
    return ladder


def count(ladder: LadderFolder, kind: type[RoomPaired | RoomFinished | RoomVoided]) -> int:
    return sum(isinstance(logged.event, kind) for logged in ladder.open_log().read_new())


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.long
def test_sigterm_hands_rooms_back_with_no_bots_fault(tmp_path: Path) -> None:
    rooms = 20
    ladder = crowd(tmp_path, rooms)
    command = [sys.executable, "-m", "bourre_referee", "ladder", "start", str(ladder.path), "--no-pages"]
    command += ["--jobs", str(rooms), "--grace", "1"]
    pipe = os.open(tmp_path / "asked", os.O_RDWR)  # held open for writing, so that it never ends
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as host, os.fdopen(pipe) as asked:
        playing = [int(asked.readline()) for _ in range(rooms)]
        host.send_signal(signal.SIGTERM)
        _, said = host.communicate()
    assert host.returncode == 0
    assert said.endswith(" UTC bourre: Stopped. Nothing is lost. The same command continues.\n")
    assert all(map(is_gone, playing))
    assert [count(ladder, kind) for kind in (RoomPaired, RoomFinished, RoomVoided)] == [rooms, 0, 0]


def test_the_unit_for_systemd_leaves_the_grace_and_has_options_that_exist() -> None:
    unit = ConfigParser()
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # names of systemd have capitals
    unit.read_string((dev.ROOT / "docker" / "bourre-ladder.service").read_text("utf-8"))
    service = unit["Service"]
    words = service["ExecStart"].split()
    assert words[1:3] == ["ladder", "start"]
    options = {word for parameter in get_group(app).commands["start"].params for word in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options
    assert service["KillMode"] == "mixed"
    assert int(service["TimeoutStopSec"]) > int(words[words.index("--grace") + 1]) + 2
