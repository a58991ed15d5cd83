"""Podman or docker, as this machine has it."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.sandbox.container.container_command import LABEL

_NAME = re.compile(r"bourre-(?P<namespace>\d+)-(?P<process>\d+)-(?P<started>\d+)-[0-9a-f]+")


def new_name() -> str:
    """A name for a container of this process that no other container has."""
    return f"bourre-{_namespace()}-{os.getpid()}-{_started(os.getpid())}-{secrets.token_hex(8)}"


def is_orphan(name: str) -> bool:
    """Whether the process that started the container of this name has ended; no process of elsewhere can be judged."""
    written = _NAME.fullmatch(name)
    if written is None or int(written["namespace"]) != _namespace():
        return False
    return _started(int(written["process"])) != int(written["started"])


def _namespace() -> int:
    """Which process ids are meant: a referee in a container of its own counts them anew."""
    return Path("/proc/self/ns/pid").stat().st_ino


def _started(process: int) -> int | None:
    """When a process started, in clock ticks since the machine did; None when there is no such process."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(errors="replace")
    except FileNotFoundError:
        return None
    return int(stat.rpartition(")")[2].split()[19])


NAMES = ("podman", "docker")

_PASSED_ON = (
    *("PATH", "HOME", "USER", "LANG", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"),
    *("DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH"),
    *("DOCKER_TLS_VERIFY", "CONTAINER_HOST", "CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF", "STORAGE_DRIVER"),
)
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Engine:
    """A program that runs containers."""

    path: str

    def environment(self) -> dict[str, str]:
        """What the engine's client is told; nothing of it reaches a container unless it is named there."""
        return {name: os.environ[name] for name in _PASSED_ON if name in os.environ}

    def remove(self, name: str) -> None:
        """Ends a container at once, should it still be there."""
        self._call("rm", "--force", name)

    def lacks(self, image: str) -> str | None:
        """Why this image cannot be had here, in the engine's own words; None when it can."""
        looked = self._call("image", "inspect", "--format", "{{.Id}}", image)
        return " ".join(looked.stderr.split()) if looked.returncode else None

    def sweep(self) -> None:
        """Ends and removes containers whose referee was killed."""
        listed = self._call("ps", "--all", "--filter", f"label={LABEL}", "--format", "{{.Names}}")
        if orphans := [name for name in listed.stdout.split() if is_orphan(name)]:
            self._call("rm", "--force", *orphans)

    def run(self, command: tuple[str, ...], told: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Runs a container to its end, its lifeline held meanwhile; raises OSError when that takes too long."""
        end, lifeline = os.pipe()
        try:
            return self._run(command, told, end)
        finally:
            os.close(lifeline)
            os.close(end)

    def _call(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._run((self.path, *words), {}, subprocess.DEVNULL)

    def _run(self, command: tuple[str, ...], told: Mapping[str, str], stdin: int) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment(), **told}
        try:
            return subprocess.run(
                command,
                stdin=stdin,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise OSError(f"{self.path} {command[1]} took more than {_SECONDS:.0f} seconds") from error


def engines() -> list[Engine]:
    """Those that are installed here, the one that needs no daemon first."""
    return [Engine(path) for name in NAMES if (path := shutil.which(name))]
