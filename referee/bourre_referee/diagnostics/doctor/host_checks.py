"""Checks the needs of every contest on its host: Python, gRPC, a clock, a disk."""

from __future__ import annotations

import importlib
import platform
import shutil
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from tempfile import gettempdir

from bourre.extras import install_command
from bourre_referee.diagnostics.doctor.host_finding import HostFinding, HostReport
from bourre_referee.diagnostics.doctor.isolation_checks import isolation_findings
from bourre_referee.model.build import name_build
from bourre_referee.model.errors import StoreError
from bourre_referee.model.spec import Level
from bourre_referee.sandbox.socket_folder import socket_problem
from bourre_referee.storage.database.sqlite_connection import try_database
from bourre_referee.storage.files.process_pool import usable_cores

_OLDEST_PYTHON = (3, 11)
_NEEDED_BYTES = 256 * 1024 * 1024
_TICK_SECONDS = 0.001


def host_findings(folder: Path) -> Iterator[HostFinding]:
    """Yields the properties of this machine for runs in this folder."""
    yield _python()
    yield HostFinding("bourre", True, f"{version('bourre')}, {name_build()}")
    yield _grpc()
    cores = usable_cores()
    yield HostFinding("cores", True, f"{cores}: this many rooms play at once unless --jobs says otherwise")
    yield _clock(time.get_clock_info("monotonic").resolution)
    yield _disk(folder)
    yield _sockets()
    yield _database(folder)


def _python() -> HostFinding:
    ok = sys.version_info >= _OLDEST_PYTHON
    return HostFinding(
        "python", ok, platform.python_version(), "" if ok else "install Python 3.11 or newer", needed=True
    )


def _grpc() -> HostFinding:
    try:
        importlib.import_module("grpc")  # by name, because only the server may import gRPC
    except ImportError as error:
        return HostFinding("grpc", False, str(error), install_command("referee"), needed=True)
    return HostFinding("grpc", True, f"grpcio {version('grpcio')}", needed=True)


def _clock(resolution: float) -> HostFinding:
    ok = resolution <= _TICK_SECONDS
    hint = "" if ok else "set decision_ms well above that"
    return HostFinding("clock", ok, f"monotonic, ticks of {resolution * 1e9:.0f} ns", hint)


def _disk(folder: Path) -> HostFinding:
    free = shutil.disk_usage(folder).free
    ok = free >= _NEEDED_BYTES
    hint = "" if ok else "free some space, or pass another folder with --out"
    return HostFinding("disk", ok, f"{free / 1e9:.1f} GB free in {folder}", hint)


def _sockets() -> HostFinding:
    folder = Path(gettempdir())
    if problem := socket_problem(folder):
        return HostFinding.failed("sockets", problem, needed=True)
    return HostFinding("sockets", True, f"in {folder}", needed=True)


def _database(folder: Path) -> HostFinding:
    try:
        found = try_database(folder)
    except StoreError as error:
        hint = "run it from a writable folder on a local disk, or pass one with --out"
        return HostFinding("database", False, str(error), hint, needed=True)
    return HostFinding("database", True, found, needed=True)


def examine(folder: Path) -> HostReport:
    """Checks everything, for runs in this folder."""
    findings = (*host_findings(folder), *isolation_findings())
    boxed = any(finding.ok for finding in findings if finding.check == "box")
    return HostReport(findings, Level.BWRAP if boxed else Level.NONE)
