"""Tries each means of isolation on this machine."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bourre_referee.contest.isolation_choice import unavailable_reason_of_host
from bourre_referee.diagnostics.doctor.host_finding import HostFinding
from bourre_referee.model.spec import Isolation, Level, Limits
from bourre_referee.sandbox.bwrap.bwrap_tools import Tools
from bourre_referee.sandbox.bwrap.seccomp import filter_here
from bourre_referee.sandbox.cgroup.cgroup_mounts import find_group_parents
from bourre_referee.sandbox.container.container_engine import engines

_NAMESPACES = "see docs/security.md: sysctl, AppArmor on Ubuntu, or the options of the container that this runs in"
_GROUPS = (
    "bots have no limit on total memory and processes: start with "
    "`systemd-run --user --scope -p Delegate=yes bourre run ...`, as root without `--user`"
)


def isolation_findings() -> Iterator[HostFinding]:
    """Yields the means of isolation here. The finding `box` decides the meaning of `best`."""
    yield _bubblewrap()
    yield _namespaces()
    yield _filter()
    yield _box()
    yield _groups()
    yield _engines()


def _bubblewrap() -> HostFinding:
    try:
        version = Tools.here().version()
    except OSError as error:
        return HostFinding.failed("bubblewrap", str(error))
    return HostFinding("bubblewrap", True, ".".join(map(str, version)))


def _namespaces() -> HostFinding:
    """Tries to create namespaces as an ordinary user. Root gives up its rights first."""
    drop = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--") if os.geteuid() == 0 else ()
    try:
        done = subprocess.run(
            [*drop, "unshare", "--user", "--pid", "--fork", "true"], capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        return HostFinding("namespaces", False, f"{error.filename} is not installed", "install the package util-linux")
    if done.returncode:
        return HostFinding("namespaces", False, " ".join(done.stderr.split()), _NAMESPACES)
    return HostFinding("namespaces", True, "an ordinary user can create them")


def _filter() -> HostFinding:
    try:
        steps = len(filter_here()) // 8
    except OSError as error:
        return HostFinding.failed("seccomp", str(error))
    if not Path("/proc/sys/kernel/seccomp").exists():
        return HostFinding(
            "seccomp", False, "this kernel cannot filter system calls", "use one with CONFIG_SECCOMP_FILTER"
        )
    return HostFinding("seccomp", True, f"a filter of {steps} steps for {os.uname().machine}")


def _box() -> HostFinding:
    if reason := unavailable_reason_of_host(Isolation(Level.BWRAP)):
        return HostFinding.failed("box", reason.removeprefix("bourre: "))
    return HostFinding("box", True, "this Python starts in a sandbox and loads gRPC")


def _groups() -> HostFinding:
    try:
        found = find_group_parents(Limits())
    except OSError as error:
        return HostFinding("control groups", False, str(error), _GROUPS)
    if not found:
        return HostFinding(
            "control groups", False, "this user cannot create groups that limit memory and processes", _GROUPS
        )
    return HostFinding("control groups", True, ", ".join(str(place.folder) for place in found))


def _engines() -> HostFinding:
    found = engines()
    if not found:
        return HostFinding("containers", False, "neither podman nor docker is installed", "apt-get install podman")
    text = ", ".join(engine.path for engine in found)
    return HostFinding("containers", True, f"{text} (`bourre run` tries it with the contest's image)")
