"""The control groups of one bot."""

from __future__ import annotations

import os
import re
import secrets
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.sandbox.cgroup.cgroup_mounts import Place

_NAME = re.compile(r"bourre-(\d+)-(\d+)-[0-9a-f]+")
_ENTER = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"'


@dataclass(frozen=True, slots=True)
class Group:
    """One bot's group in each hierarchy."""

    folders: tuple[Path, ...]
    counts: tuple[Path, ...]
    """The files that count processes killed for want of memory."""

    @classmethod
    def make(cls, places: Sequence[Place]) -> Group:
        """Makes it, with its limits; raises OSError where the system refuses."""
        name = f"bourre-{os.getpid()}-{_began(os.getpid())}-{secrets.token_hex(4)}"
        folders = tuple(place.folder / name for place in places)
        group = cls(folders, tuple(place.folder / name / place.killed for place in places if place.killed))
        try:
            for place, folder in zip(places, folders, strict=True):
                folder.mkdir()
                for file, value in place.limits:
                    (folder / file).write_text(value)
        except OSError:
            group.release()
            raise
        return group

    def entering(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """The command that runs this one in the group."""
        files = (str(folder / "cgroup.procs") for folder in self.folders)
        return ("/bin/sh", "-c", _ENTER, "enter", *files, "--", *command)

    def went_over(self) -> bool:
        """Whether the kernel has killed a process for want of memory."""
        return any(_killed(file) for file in self.counts)

    def release(self) -> None:
        """Kills what is left in it and removes it; what the system still holds goes with the next sweep."""
        for folder in self.folders:
            _remove(folder)


def sweep(places: Sequence[Place]) -> None:
    """Removes the groups of referees that are dead: their bots are, too."""
    for place in places:
        for folder in place.folder.glob("bourre-*-*-*"):
            owner = _NAME.fullmatch(folder.name)
            if owner and _began(int(owner[1])) != int(owner[2]):
                _remove(folder)


def _remove(folder: Path) -> None:
    for process in _processes(folder):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue
    try:
        folder.rmdir()
    except FileNotFoundError:
        return
    except OSError:  # busy until what was killed is gone; the next referee's sweep finds it
        return


def _processes(folder: Path) -> Iterator[int]:
    try:
        words = (folder / "cgroup.procs").read_text().split()
    except OSError:
        return
    yield from map(int, words)


def _killed(file: Path) -> int:
    try:
        lines = file.read_text().splitlines()
    except OSError:  # removed by now
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))


def _began(process: int) -> int:
    """When a process was started, in ticks of the system's clock, so that no other has its name; 0 when it is gone."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0
    return int(status.rpartition(")")[2].split()[19])
