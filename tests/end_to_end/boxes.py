"""Programs in bubblewrap sandboxes, for tests of what they see there and how they end."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bourre_referee.model.spec import BotEntry, Limits
from bourre_referee.sandbox.bwrap.bwrap_launcher import BoxLauncher
from bourre_referee.sandbox.launch import Credentials, InheritedFiles

TOKEN = "5ec2e7" * 10
SMALL = Limits(memory_mib=256, processes=48, disk_mib=8)


def program(folder: Path, code: str, *arguments: str, files: tuple[str, ...] = ()) -> BotEntry:
    """A bot with this code in a folder of the host, and no other files than these."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text(code)
    return BotEntry("tested", (sys.executable, "bot.py", *arguments), folder, ("bot.py", *files))


class Boxed:
    """A process in a sandbox, and the pipe that keeps it alive."""

    def __init__(self, process: subprocess.Popen[str], held: int) -> None:
        self.process = process
        self._held: int | None = held

    def cut(self) -> None:
        """Closes that pipe, as happens when the referee ends in any way."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def printed(self) -> str:
        """All that it prints, until every process that could print has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.read()


@contextmanager
def boxed(entry: BotEntry, place: Path, limits: Limits = SMALL) -> Iterator[Boxed]:
    """Starts a program in a sandbox, with a socket of its own in `place`; ends it afterwards."""
    place.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listening, closing(InheritedFiles()) as inherited:
        credentials = Credentials(place / "seat", TOKEN)
        credentials.socket.unlink(missing_ok=True)
        listening.bind(str(credentials.socket))
        listening.listen()
        launch = BoxLauncher.here(limits).launch(entry, credentials, inherited)
        lifeline, held = os.pipe()
        process = subprocess.Popen(
            launch.command,
            stdin=lifeline,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=launch.folder,
            env=launch.environment,
            pass_fds=inherited.files,
            start_new_session=True,
            text=True,
        )
        os.close(lifeline)
        box = Boxed(process, held)
        try:
            yield box
        finally:
            box.cut()
            with process:
                process.wait(30)
            launch.hold.release()


def told_by(entry: BotEntry, place: Path, limits: Limits = SMALL) -> Any:
    """The JSON document that a program prints in its sandbox before it exits with status 0."""
    with boxed(entry, place, limits) as box:
        printed = box.printed()
        assert box.process.wait(30) == 0, printed
    return json.loads(printed)
