"""Where this process may make control groups, in either form that Linux has them, and which limits are set there.

Groups are made below this process's own: what limits the referee limits its bots too.
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
"""For what keeps the box: its first process, and those of bubblewrap."""
_BESIDE_PROCESSES = 8
_PERIOD_US = 100_000
"""In each a bot has as much of the processors as one of them gives."""

LEAF = "bourre-referee"
"""In the second form a group holds processes or groups, never both: the referee itself moves in here."""

_FIRST_FORM = ("memory", "pids", "cpu")
_NEEDED = {"memory", "pids"}


@dataclass(frozen=True, slots=True)
class Place:
    """A group below which others can be made, and the files that then limit each of them, in the order of writing."""

    folder: Path
    limits: tuple[tuple[str, str], ...]
    killed: str | None = None
    """The file that counts the processes which were killed for want of memory."""


def places(limits: Limits, root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> list[Place]:
    """Every hierarchy in which a bot needs a group; none where this user may not limit memory and processes."""
    paths = dict(_own_paths(own))
    if (root / "cgroup.controllers").exists():
        return _second_form(root / paths.get("", "").lstrip("/"), limits)
    kinds = [kind for kind in _FIRST_FORM if kind in paths]
    found = {kind: _first_form(kind, root / kind / paths[kind].lstrip("/"), limits) for kind in kinds}
    usable = {kind: place for kind, place in found.items() if os.access(place.folder, os.W_OK)}
    return list(usable.values()) if usable.keys() >= _NEEDED else []


def _own_paths(own: Path) -> Iterator[tuple[str, str]]:
    """This process's group by controller; that of the second form has none."""
    try:
        lines = own.read_text().splitlines()
    except OSError:  # a system without control groups
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            yield controller, path


def _first_form(kind: str, folder: Path, limits: Limits) -> Place:
    memory, processes = _sums(limits)
    match kind:
        case "memory":
            pairs = [("memory.limit_in_bytes", memory)]
            if (folder / "memory.memsw.limit_in_bytes").exists():  # memory and swap; not on every system
                pairs.append(("memory.memsw.limit_in_bytes", memory))
            return Place(folder, tuple(pairs), "memory.oom_control")
        case "pids":
            return Place(folder, (("pids.max", processes),))
        case _:
            return Place(folder, (("cpu.cfs_quota_us", str(_PERIOD_US)), ("cpu.cfs_period_us", str(_PERIOD_US))))


def _second_form(folder: Path, limits: Limits) -> list[Place]:
    base = folder.parent if folder.name == LEAF else folder
    if not _words(base / "cgroup.controllers").issuperset(_NEEDED) or not os.access(base, os.W_OK):
        return []
    if _hands_on(base) if folder != base else _moved_into_leaf(base):
        memory, processes = _sums(limits)
        swap, cpu = ("memory.swap.max", "0"), ("cpu.max", f"{_PERIOD_US} {_PERIOD_US}")
        optional = [
            pair
            for pair, known in ((swap, _has_swap(base)), (cpu, "cpu" in _words(base / "cgroup.controllers")))
            if known
        ]
        return [Place(base, (("memory.max", memory), ("pids.max", processes), *optional), "memory.events")]
    return []


def _moved_into_leaf(base: Path) -> bool:
    """Makes room for groups; not where other programs are in the same group, which are not ours to move."""
    if _words(base / "cgroup.procs") != {str(os.getpid())} or not os.access(base / "cgroup.procs", os.W_OK):
        return False
    wanted = _words(base / "cgroup.controllers") & {"memory", "pids", "cpu"}
    try:
        (base / LEAF).mkdir(exist_ok=True)
        (base / LEAF / "cgroup.procs").write_text(str(os.getpid()))
        (base / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in sorted(wanted)))
    except OSError:  # this user may change a part of the group only, or somebody else came into it
        with contextlib.suppress(OSError):  # who has to stay in the leaf is told by the group that it hands nothing on
            (base / "cgroup.procs").write_text(str(os.getpid()))
        return False
    return True


def _hands_on(base: Path) -> bool:
    """Whether groups below this one can have limits: the referee that moved out of it may have got no further."""
    return _words(base / "cgroup.subtree_control").issuperset(_NEEDED)


def _has_swap(base: Path) -> bool:
    return (base / LEAF / "memory.swap.max").exists()


def _sums(limits: Limits) -> tuple[str, str]:
    """/tmp is memory, too."""
    memory = (limits.memory_mib + limits.disk_mib + _BESIDE_MIB) * _MIB
    return str(memory), str(limits.processes + _BESIDE_PROCESSES)


def _words(path: Path) -> set[str]:
    try:
        return set(path.read_text().split())
    except OSError:
        return set()
