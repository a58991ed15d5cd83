"""Tries to start each bot's own Python in a sandbox and to load gRPC there."""

from __future__ import annotations

import os
import shlex
import socket
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bourre_referee.model.spec import BotEntry, Limits
from bourre_referee.sandbox.bwrap.bwrap_launcher import BoxLauncher
from bourre_referee.sandbox.bwrap.bwrap_mounts import Inside, holder_of
from bourre_referee.sandbox.bwrap.interpreter import interpreter_of
from bourre_referee.sandbox.bwrap.visible_files import SandboxFiles, inside_of
from bourre_referee.sandbox.launch import Credentials, InheritedFiles
from bourre_referee.text.names import printable

_NAMESPACES = (
    "allow user namespaces: `sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000`, on Ubuntu "
    "24.04 an AppArmor profile for bwrap (docs/security.md), in a container --security-opt seccomp=unconfined"
)
_PACKAGES = "run python -m pip install grpcio protobuf in the environment of that Python"
_PRIVATE = "let the user who runs bourre read it and enter the folders above it"

_HINTS = (
    ("No permissions to create", _NAMESPACES),
    ("Creating new namespace failed", _NAMESPACES),
    ("setting up uid map", _NAMESPACES),
    ("Failed to make / slave", _NAMESPACES),
    ("loopback", _NAMESPACES),
    ("mount proc", "run outside of a container, or with /proc unmasked"),
    ("No module named 'grpc'", _PACKAGES),
    ("No module named 'google'", _PACKAGES),
    ("shared libraries", "use a Python whose libraries are in /usr or in its own prefix"),
    ("Can't find source path", _PRIVATE),
    ("MemoryError", "raise [isolation] memory_mib"),
    ("Resource temporarily unavailable", "raise [isolation] processes"),
)


def hint_for(output: str) -> str:
    """Returns the last line of output, with a hint if there is one."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    last = lines[-1] if lines else "it ended without output"
    hint = next((hint for words, hint in _HINTS if words in output), None)
    return f"{last}.\nhint: {hint}" if hint else last


def explain(error: OSError) -> str:
    """Explains an error of the system in preparing a sandbox, with a hint. Our own errors have one already."""
    if error.errno is None or error.filename is None:
        return str(error)
    return f"{error.filename}: {error.strerror}.\nhint: {_PRIVATE}"


def explain_unreadable(path: Path, top: Path) -> str:
    """Explains that bots may not read this file, and how its owner makes everything in `top` readable."""
    status = path.lstat()
    why = f"{printable(str(path))}: bots that root starts run as nobody, who may not read it"
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        return f"{why}, and it has a second hard link elsewhere.\nhint: ask its author to put a copy there"
    # `find` follows no links and skips files with a second hard link, so it changes only the owner's files in `top`.
    command = f"find {shlex.quote(str(top))} '(' -type d -o -links 1 -type f ')' -exec chmod o+rX {{}} +"
    return f"{why}.\nhint: ask its owner, {_owner(path)}, to run {command}"


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except KeyError:  # this machine does not know the user
        return f"user {path.lstat().st_uid}"


_SECONDS = 60.0
_LOADS_GRPC = ("-c", "import bourre, grpc")
_STARTS = "/usr/bin/env"


def unavailable_reason(entries: Sequence[BotEntry], limits: Limits) -> str | None:
    """Returns why these bots cannot be sandboxed here, with a hint; None if they can.

    It starts one sandbox for each program, with that program's first bot. For the other bots it checks only the files.
    """
    try:
        launcher = BoxLauncher.here(limits)
        launcher.tools.version()
        tried: set[str] = set()
        for entry in entries:
            if entry.command is not None:
                _try(entry, launcher, tried)
    except OSError as error:
        return explain(error)
    return None


def _try(entry: BotEntry, launcher: BoxLauncher, tried: set[str]) -> None:
    """Raises OSError if the bot cannot be sandboxed."""
    assert entry.command is not None
    program = entry.command[0]
    python = interpreter_of(Path(program)) is not None
    command = (program, *_LOADS_GRPC) if python else (_STARTS, "true")
    with tempfile.TemporaryDirectory(prefix="bourre-") as folder, closing(InheritedFiles()) as inherited:
        # In an empty folder, because a bot's file such as grpc.py would look like a fault of the host.
        bare = replace(entry, command=command, folder=Path(folder, "empty"), own_folder="", files=())
        credentials = Credentials(Path(folder, "probe"), "probe")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(credentials.socket))
            _check_files(entry, launcher)
            _check_place(entry, inside_of(entry, credentials, launcher.limits, 0))  # also checks that its files exist
            if program not in tried:
                tried.add(program)
                _run(bare, launcher, credentials, inherited)


def _check_place(entry: BotEntry, inside: Inside) -> None:
    if holder := holder_of(entry.folder, inside.content):
        why = f"because sandboxes contain {holder}"
        raise OSError(f"every bot can read {entry.folder}, {why}.\nhint: move the contest elsewhere")


def _check_files(entry: BotEntry, launcher: BoxLauncher) -> None:
    if launcher.is_root and (unreadable := SandboxFiles(entry).find_unreadable()):
        raise OSError(explain_unreadable(unreadable.path, unreadable.top))


def _run(entry: BotEntry, launcher: BoxLauncher, credentials: Credentials, inherited: InheritedFiles) -> None:
    launch = launcher.launch(entry, credentials, inherited)
    reading, writing = os.pipe()  # the supervisor runs the program while its input is open
    try:
        ended = subprocess.run(
            launch.command,
            stdin=reading,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=launch.folder,
            env=launch.environment,
            pass_fds=inherited.files,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OSError(f"{entry.name}: its program did not start in a sandbox within {_SECONDS:.0f} s") from None
    finally:
        os.close(reading)
        os.close(writing)
        launch.hold.release()
    if ended.returncode:
        raise OSError(f"{entry.name}: {hint_for(ended.stdout.decode(errors='replace'))}")
