"""Runs and cleans up containers with podman or docker."""

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
    """Returns a unique name for a container of this process."""
    return f"bourre-{_namespace()}-{os.getpid()}-{_start_tick(os.getpid())}-{secrets.token_hex(8)}"


def is_orphan(name: str) -> bool:
    """Whether the process that started the container of this name has ended; False for other process namespaces."""
    owner = _NAME.fullmatch(name)
    if owner is None or int(owner["namespace"]) != _namespace():
        return False
    return _start_tick(int(owner["process"])) != int(owner["started"])


def _namespace() -> int:
    """Identifies the process namespace, because a referee in a container has its own process ids."""
    return Path("/proc/self/ns/pid").stat().st_ino


def _start_tick(process: int) -> int | None:
    """Returns the start of a process in clock ticks since boot; None if there is no such process."""
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
        """Returns the environment of the engine's client. A container gets only the named variables."""
        return {name: os.environ[name] for name in _PASSED_ON if name in os.environ}

    def remove(self, name: str) -> None:
        """Kills and removes a container, if it still exists."""
        self._call("rm", "--force", name)

    def lacks(self, image: str) -> str | None:
        """Returns the engine's reason why this image is not available; None if it is."""
        inspected = self._call("image", "inspect", "--format", "{{.Id}}", image)
        return " ".join(inspected.stderr.split()) if inspected.returncode else None

    def sweep(self) -> None:
        """Kills and removes containers whose referee was killed."""
        listed = self._call("ps", "--all", "--filter", f"label={LABEL}", "--format", "{{.Names}}")
        if orphans := [name for name in listed.stdout.split() if is_orphan(name)]:
            self._call("rm", "--force", *orphans)

    def run(self, command: tuple[str, ...], variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Runs a container to its end, with its supervisor's input open. Raises OSError if it takes too long."""
        reading, writing = os.pipe()
        try:
            return self._run(command, variables, reading)
        finally:
            os.close(writing)
            os.close(reading)

    def _call(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._run((self.path, *words), {}, subprocess.DEVNULL)

    def _run(
        self, command: tuple[str, ...], variables: Mapping[str, str], stdin: int
    ) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment(), **variables}
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
    """Finds the engines installed here, the one without a daemon first."""
    return [Engine(path) for name in NAMES if (path := shutil.which(name))]
