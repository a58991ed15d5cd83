"""The launcher of level `bwrap`, which makes the bubblewrap command of a bot's sandbox."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bourre_referee.model.spec import BotEntry, Limits
from bourre_referee.sandbox.bwrap.box_contents import system, tables
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Empty, Inside, Link, Text
from bourre_referee.sandbox.bwrap.bwrap_tools import Tools
from bourre_referee.sandbox.bwrap.seccomp import filter_here
from bourre_referee.sandbox.bwrap.visible_files import inside_of
from bourre_referee.sandbox.cgroup.bot_cgroup import Group, sweep
from bourre_referee.sandbox.cgroup.cgroup_mounts import GroupParent, find_group_parents
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch

NOBODY = 65534
MIB = 1024 * 1024

_UNSHARED = ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
_ALONE = (*_UNSHARED, "--unshare-cgroup-try", "--disable-userns", "--new-session", "--die-with-parent")
_POWERLESS = ("--as-pid-1", "--cap-drop", "ALL", "--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "box")
_FILES = 128
_SHARED_MEMORY = MIB

_FIRST_STRANGER, _STRANGERS = 2_000_000_000, 1_000_000_000
"""A range of users without files, above those of systems and containers."""


def box_command(inside: Inside, limits: Limits, tools: Tools, inherited: InheritedFiles) -> tuple[str, ...]:
    """Returns the command for an ordinary user. Every file is bound from its own place."""
    options = inherited.add(_join(_box_options(inside, limits, inherited)))
    return (*_limit_command(limits, tools), tools.bwrap, "--args", str(options), "--", *inside.command)


def dropping_command(inside: Inside, limits: Limits, tools: Tools, inherited: InheritedFiles) -> tuple[str, ...]:
    """Returns the command for root, which lets a user without privileges make the sandbox.

    That user cannot read a private home, such as a Python under /root. So root first sets up a stage, binds every file
    of the sandbox there, and then the user makes the sandbox from the stage.
    """
    bound = dict.fromkeys(item.source for item in inside.content if isinstance(item, Bind))
    staged = {source: Path(f"/stage/{number}") for number, source in enumerate(bound)}
    content = (replace(item, source=staged[item.source]) if isinstance(item, Bind) else item for item in inside.content)
    stage = inherited.add(_join(_stage_options(staged, inherited)))
    drop = (tools.setpriv, f"--reuid={_stranger(stage)}", f"--regid={NOBODY}", "--clear-groups", "--")
    box = box_command(replace(inside, content=tuple(content)), limits, tools, inherited)
    return (tools.bwrap, "--args", str(stage), "--", *drop, *box)


def _stranger(file: int) -> int:
    """Returns a separate user for the sandbox of this open file, because the kernel counts resources by user.

    Inside, all are nobody. A container with few users has no others.
    """
    mapped = sum(int(line.split()[2]) for line in Path("/proc/self/uid_map").read_text().splitlines())
    return _FIRST_STRANGER + os.fstat(file).st_ino % _STRANGERS if mapped >= _FIRST_STRANGER + _STRANGERS else NOBODY


def _box_options(inside: Inside, limits: Limits, inherited: InheritedFiles) -> Iterator[str]:
    yield from (*_ALONE, *_POWERLESS, "--clearenv", "--seccomp", str(inherited.add(filter_here())))
    for name, value in inside.environment:
        yield from ("--setenv", name, value)
    yield from ("--dir", inside.folder)
    yield from _contents(inside.content, inherited)
    yield from ("--size", str(limits.disk_mib * MIB), "--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev")
    yield from _contents((*tables(limits), Empty("/dev/pts")), inherited)  # all sandboxes share the limit of terminals
    yield from ("--size", str(_SHARED_MEMORY), "--tmpfs", "/dev/shm", "--remount-ro", "/dev", "--remount-ro", "/")
    yield from ("--chdir", inside.folder)


def _stage_options(staged: dict[Path, Path], inherited: InheritedFiles) -> Iterator[str]:
    """Includes /tmp, on which bubblewrap mounts a sandbox, and the host's /proc, without which it cannot mount one."""
    yield from ("--dir", "/tmp", "--perms", "0755", "--dir", "/stage", "--bind", "/proc", "/proc")
    yield from ("--dev-bind", "/dev", "/dev")
    yield from _contents(system(), inherited)
    yield from _contents([Bind(source, str(target)) for source, target in staged.items()], inherited)


def _contents(content: Iterable[Content], inherited: InheritedFiles) -> Iterator[str]:
    for item in content:
        match item:
            case Bind(source, target):
                yield from ("--ro-bind", str(source), target)
            case Link(points_to, target):
                yield from ("--symlink", points_to, target)
            case Text(text, target):
                yield from ("--perms", "0444", "--ro-bind-data", str(inherited.add(text.encode())), target)
            case Empty(target):
                yield from ("--perms", "0555", "--size", "4096", "--tmpfs", target, "--remount-ro", target)


def _limit_command(limits: Limits, tools: Tools) -> tuple[str, ...]:
    """Limits each process separately. A control group limits all of them together."""
    memory, disk = limits.memory_mib * MIB, limits.disk_mib * MIB
    return (tools.prlimit, f"--data={memory}", f"--fsize={disk}", f"--nofile={_FILES}", "--core=0", "--")


def _join(options: Iterable[str]) -> bytes:
    """Encodes options for a file, because a command line must not show a token or a host path."""
    return b"".join(os.fsencode(option) + b"\0" for option in options)


@dataclass(frozen=True, slots=True)
class BoxLauncher:
    """Starts each bot in its own sandbox."""

    limits: Limits
    tools: Tools
    is_root: bool
    parents: tuple[GroupParent, ...]
    """The parents of bots' control groups. Without any, each process is limited separately."""

    @classmethod
    def here(cls, limits: Limits) -> BoxLauncher:
        """Makes the launcher for this machine and user, and removes the groups of dead referees.

        Raises SandboxMissing if a program is missing.
        """
        found = tuple(find_group_parents(limits))
        sweep(found)
        return cls(limits, Tools.here(), os.geteuid() == 0, found)

    def launch(self, entry: BotEntry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """Returns the launch of the bot in its sandbox, with a supervisor."""
        # The folder above is closed to other users. In the sandbox another user connects.
        credentials.socket.chmod(0o666)
        if credentials.proxy:
            credentials.proxy.chmod(0o666)
        inside = inside_of(entry, credentials, self.limits, inherited.add_sign())
        make_command = dropping_command if self.is_root else box_command
        command = make_command(inside, self.limits, self.tools, inherited)
        if not self.parents:
            return Launch(command, environment={}, folder=Path("/"))
        group = Group.make(self.parents)
        return Launch(group.enter_command(command), environment={}, folder=Path("/"), hold=group)
