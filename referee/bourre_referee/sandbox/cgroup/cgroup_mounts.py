"""Finds where this process may make control groups, in version 1 or 2, and which limits to set there.

It makes groups below this process's own, so that the referee's limits also apply to its bots.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import Limits

_MIB = 1024 * 1024
_BESIDE_MIB = 32
"""Memory for the supervisor and for bubblewrap's own processes."""
_BESIDE_PROCESSES = 8
_PERIOD_US = 100_000
"""The period in which a bot gets one core's processor time."""

LEAF = "bourre-referee"
"""The referee's own group in version 2, where a group has either processes or groups."""

_VERSION_1 = ("memory", "pids", "cpu")
_NEEDED = {"memory", "pids"}


@dataclass(frozen=True, slots=True)
class GroupParent:
    """A group below which others can be made, and the files that limit each of them, in the order of writing."""

    folder: Path
    limits: tuple[tuple[str, str], ...]
    killed: str | None = None
    """The file that counts processes killed for lack of memory."""
    empty: tuple[str, str] | None = None
    """A file and the text to write into it, to drop the bot's files from the kernel's cache."""


def find_group_parents(
    limits: Limits, root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")
) -> list[GroupParent]:
    """Finds each hierarchy in which a bot needs a group; none if this user may not limit memory and processes."""
    paths = dict(_own_paths(own))
    if (root / "cgroup.controllers").exists():
        return _version_2(root / paths.get("", "").lstrip("/"), limits)
    kinds = [kind for kind in _VERSION_1 if kind in paths]
    found = {kind: _version_1(kind, root / kind / paths[kind].lstrip("/"), limits) for kind in kinds}
    usable = {kind: parent for kind, parent in found.items() if os.access(parent.folder, os.W_OK)}
    return list(usable.values()) if usable.keys() >= _NEEDED else []


def _own_paths(own: Path) -> Iterator[tuple[str, str]]:
    """Yields controller and path of this process's groups; version 2's group has an empty controller."""
    try:
        lines = own.read_text().splitlines()
    except OSError:  # the system has no control groups
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            yield controller, path


def _version_1(kind: str, folder: Path, limits: Limits) -> GroupParent:
    memory, processes = _totals(limits)
    match kind:
        case "memory":
            pairs = [("memory.limit_in_bytes", memory)]
            if (folder / "memory.memsw.limit_in_bytes").exists():  # memory and swap; not on every system
                pairs.append(("memory.memsw.limit_in_bytes", memory))
            return GroupParent(folder, tuple(pairs), "memory.oom_control", ("memory.force_empty", "0"))
        case "pids":
            return GroupParent(folder, (("pids.max", processes),))
        case _:
            return GroupParent(folder, (("cpu.cfs_quota_us", str(_PERIOD_US)), ("cpu.cfs_period_us", str(_PERIOD_US))))


def _version_2(folder: Path, limits: Limits) -> list[GroupParent]:
    base = folder.parent if folder.name == LEAF else folder
    if not _words(base / "cgroup.controllers").issuperset(_NEEDED) or not os.access(base, os.W_OK):
        return []
    if _delegates(base) if folder != base else _move_into_leaf(base):
        memory, processes = _totals(limits)
        swap, cpu = ("memory.swap.max", "0"), ("cpu.max", f"{_PERIOD_US} {_PERIOD_US}")
        optional = [
            pair
            for pair, known in ((swap, _has_swap(base)), (cpu, "cpu" in _words(base / "cgroup.controllers")))
            if known
        ]
        limited = (("memory.max", memory), ("pids.max", processes), *optional)
        return [GroupParent(base, limited, "memory.events", ("memory.reclaim", memory))]
    return []


def _move_into_leaf(base: Path) -> bool:
    """Moves this process into LEAF to make room for groups, unless other programs share its group."""
    if _words(base / "cgroup.procs") != {str(os.getpid())} or not os.access(base / "cgroup.procs", os.W_OK):
        return False
    wanted = _words(base / "cgroup.controllers") & {"memory", "pids", "cpu"}
    try:
        (base / LEAF).mkdir(exist_ok=True)
        (base / LEAF / "cgroup.procs").write_text(str(os.getpid()))
        (base / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in sorted(wanted)))
    except OSError:  # this user may change only a part of the group, or another process came into it
        with contextlib.suppress(OSError):  # if it cannot move back, `_delegates` says that the group is of no use
            (base / "cgroup.procs").write_text(str(os.getpid()))
        return False
    return True


def _delegates(base: Path) -> bool:
    """Whether groups below this one can have limits, which a move into LEAF does not guarantee."""
    return _words(base / "cgroup.subtree_control").issuperset(_NEEDED)


def _has_swap(base: Path) -> bool:
    return (base / LEAF / "memory.swap.max").exists()


def _totals(limits: Limits) -> tuple[str, str]:
    """Returns bytes of memory, which include /tmp, and the number of processes."""
    memory = (limits.memory_mib + limits.disk_mib + _BESIDE_MIB) * _MIB
    return str(memory), str(limits.processes + _BESIDE_PROCESSES)


def _words(path: Path) -> set[str]:
    try:
        return set(path.read_text().split())
    except OSError:
        return set()
