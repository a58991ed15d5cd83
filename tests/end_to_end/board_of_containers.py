"""The containers of docker/compose.yaml, as podman-compose starts them."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

from tests.end_to_end.built_images import BASE, told

HERE = "127.77.0.1"
"""Where the ports are published: an address of this machine that no other test uses."""
PROJECT = "bourre-test"
SETTINGS = {"BOURRE_PUBLISH": HERE, "BOURRE_BASE": BASE, "DISABLE_HC_SYSTEMD": "true"}
"""The last one is for Podman on machines without systemd, where nothing asks for health by itself."""
_PATIENCE_S = 600


@dataclass(frozen=True, slots=True)
class Board:
    """What a host sees of the running containers."""

    def container(self, service: str) -> str:
        """The name of the first container of a service."""
        return f"{PROJECT}_{service}_1"

    def inside(self, service: str, *command: str) -> str:
        """What a command prints in the container of a service."""
        return told("podman", "exec", self.container(service), *command)

    def games(self) -> dict[str, int]:
        """The games of each bot, as the published page of the board says."""
        with urlopen(f"http://{HERE}:8000/api/board", timeout=30) as answer:
            (board,) = json.load(answer)["boards"]
        rows = [row for kind in ("ranked", "new", "unseen") for row in board["rows"][kind]]
        return {row["bot"]: row["games"] for row in rows}

    def head(self) -> str:
        """The hash of the last line of the log."""
        with urlopen(f"http://{HERE}:8000/api/log", timeout=30) as answer:
            return str(json.load(answer)["head"])

    def wait_for_games(self, more: int) -> dict[str, int]:
        """Returns the games of each bot once every bot has played so many more than now."""
        end, before = time.monotonic() + _PATIENCE_S, None
        while time.monotonic() < end:
            try:
                games = self.games()
            except (OSError, ValueError):
                games = None
            before = before or games
            if games and before and all(count >= before[bot] + more for bot, count in games.items()):
                return games
            time.sleep(1)
        raise AssertionError(f"no {more} more games of each bot than {before}:\n{self.logs()}")

    def kill(self, service: str) -> None:
        """Kills a container, and starts it again."""
        subprocess.run(["podman", "kill", "--signal=KILL", self.container(service)], capture_output=True, check=False)
        told("podman", "start", self.container(service))

    def logs(self) -> str:
        """The last lines of every container."""
        return compose("logs", "--tail", "20").stdout

    def log_of(self, service: str) -> str:
        """All that a container printed."""
        return told("podman", "logs", self.container(service))


@contextmanager
def running_board() -> Iterator[Board]:
    """Starts all containers with new volumes, and removes both at the end."""
    compose("down", "--volumes")
    try:
        up = compose("up", "--detach")
        assert up.returncode == 0, up.stdout
        yield Board()
    finally:
        compose("down", "--volumes")


def compose(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs podman-compose with this project's file."""
    command = ["podman-compose", "--project-name", PROJECT, "--file", "docker/compose.yaml", *words]
    return subprocess.run(
        command, env=os.environ | SETTINGS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def state(container: str) -> dict[str, Any]:
    """What Podman knows of a container."""
    (found,) = json.loads(told("podman", "inspect", container))
    return dict(found)
