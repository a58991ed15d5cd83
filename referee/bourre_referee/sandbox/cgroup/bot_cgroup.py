"""The control groups of one bot."""

from __future__ import annotations

import os
import re
import secrets
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.sandbox.cgroup.cgroup_mounts import GroupParent

_NAME = re.compile(r"bourre-(\d+)-(\d+)-[0-9a-f]+")
_ENTER = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"'


@dataclass(frozen=True, slots=True)
class Group:
    """One bot's group in each hierarchy."""

    folders: tuple[Path, ...]
    counts: tuple[Path, ...]
    """The files that count processes killed for lack of memory."""
    empties: tuple[tuple[Path, str], ...] = ()
    """Files and the texts to write into them, to drop the bot's files from the kernel's cache."""

    @classmethod
    def make(cls, parents: Sequence[GroupParent]) -> Group:
        """Makes the groups with their limits. Raises OSError if the system refuses."""
        name = f"bourre-{os.getpid()}-{_start_tick(os.getpid())}-{secrets.token_hex(4)}"
        folders = tuple(parent.folder / name for parent in parents)
        group = cls(
            folders,
            tuple(parent.folder / name / parent.killed for parent in parents if parent.killed),
            tuple((parent.folder / name / parent.empty[0], parent.empty[1]) for parent in parents if parent.empty),
        )
        try:
            for parent, folder in zip(parents, folders, strict=True):
                folder.mkdir()
                for file, value in parent.limits:
                    (folder / file).write_text(value)
        except OSError:
            group.release()
            raise
        return group

    def enter_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Wraps a command so that it runs in the group."""
        files = (str(folder / "cgroup.procs") for folder in self.folders)
        return ("/bin/sh", "-c", _ENTER, "enter", *files, "--", *command)

    def went_over(self) -> bool:
        """Whether the kernel killed a process for lack of memory."""
        return any(_count_killed(file) for file in self.counts)

    def release(self) -> None:
        """Kills the rest of the group and removes it. If the system is not ready, the next sweep removes it.

        It also drops the files that the bot read first from the cache, by which its next process could remember.
        """
        for folder in self.folders:
            _kill(folder)
        for file, value in self.empties:
            with suppress(OSError):  # usually because the cache had less; older kernels lack the file
                file.write_text(value)
        for folder in self.folders:
            _remove(folder)


def sweep(parents: Sequence[GroupParent]) -> None:
    """Removes the groups of dead referees, whose bots are dead too."""
    for parent in parents:
        for folder in parent.folder.glob("bourre-*-*-*"):
            owner = _NAME.fullmatch(folder.name)
            if owner and _start_tick(int(owner[1])) != int(owner[2]):
                _remove(folder)


def _kill(folder: Path) -> None:
    for process in _processes(folder):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _remove(folder: Path) -> None:
    _kill(folder)
    try:
        folder.rmdir()
    except FileNotFoundError:
        return
    except OSError:  # busy until the killed processes are gone; the next referee's sweep removes it
        return


def _processes(folder: Path) -> Iterator[int]:
    try:
        words = (folder / "cgroup.procs").read_text().split()
    except OSError:
        return
    yield from map(int, words)


def _count_killed(file: Path) -> int:
    try:
        lines = file.read_text().splitlines()
    except OSError:  # already removed
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))


def _start_tick(process: int) -> int:
    """Returns the start of a process in clock ticks, which tells it from others with the same id; 0 if it is gone."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0
    return int(status.rpartition(")")[2].split()[19])
