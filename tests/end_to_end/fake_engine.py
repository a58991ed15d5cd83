"""Stands in for podman or docker: logs its commands, and runs each container's command as a plain process.

Files in its folder control it: `careless` makes it really run the probe's examination instead of passing it;
`full` makes every other container fail; `containers` holds what it lists.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(sys.argv[0]).parent


def main(words: list[str]) -> int:
    """Does what podman and docker do, as far as the referee can see."""
    with (HERE / "calls").open("a") as calls:
        calls.write(json.dumps(words) + "\n")
    match words[0]:
        case "image":
            return refuse("no such image") if words[-1] == "missing" else 0
        case "ps":
            listed = HERE / "containers"
            print(listed.read_text() if listed.exists() else "")
        case "run":
            return run(words)
    return 0


def refuse(reason: str) -> int:
    print(reason, file=sys.stderr)
    return 125


def run(words: list[str]) -> int:
    """The supervisor's command with the bot's, at the paths of the host."""
    if any("import importlib" in word for word in words) and not (HERE / "careless").exists():
        print("examined")
        return 0
    print("WARN[0000] 1+1 things that an engine has to say", file=sys.stderr, flush=True)
    if (HERE / "full").exists():
        return refuse("OCI runtime error: no space left on device")
    places = dict(mounts(words))
    environment = {name: os.environ[name] for name in named(words)}
    environment["BOURRE_ADDRESS"] = f"unix:{places['/run/referee.sock']}"
    lifeline = words.index("-IS")
    command = [sys.executable if word == "python3" else word for word in words[lifeline:]]
    folder = Path(places["/bot"], words[words.index("--workdir") + 1].removeprefix("/bot").lstrip("/"))
    return subprocess.run([sys.executable, *command], env=environment, cwd=folder, check=False).returncode


def mounts(words: list[str]) -> Iterator[tuple[str, str]]:
    """Maps the place of each mount in the container to its place on the host."""
    for word in words:
        if word.startswith("--mount=type=bind,"):
            _, source, target, _ = word.split(",")
            yield target.removeprefix("dst="), source.removeprefix("src=")


def named(words: list[str]) -> Iterator[str]:
    """The environment variables that are passed on."""
    for word in words:
        if word.startswith("--env=") and word.count("=") == 1:
            yield word.removeprefix("--env=")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
