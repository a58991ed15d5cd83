"""Compiles a copy of the sources into build/compiled, and runs a command with it: `python3 dev.py compile COMMAND`.

Everything else in a clone runs the sources themselves. A copy of other sources than the present ones is made again.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from setting_up import BIN, ROOT, digest

COPY = ROOT / "build" / "compiled"
SOURCES = ("sdk", "referee", "examples", "proto", "compiling.py", "hatch_build.py", "pyproject.toml")


def source_parts(root: Path) -> Iterator[bytes]:
    """Yields the path and the content of every file that a wheel is made from."""
    for place in SOURCES:
        for path in sorted([root / place, *(root / place).rglob("*")]):
            if path.is_file() and not {"__pycache__", "node_modules"} & {*path.parts}:
                yield from (path.relative_to(root).as_posix().encode(), path.read_bytes())


def renew(copy: Path, sources: str) -> int:
    """Installs a compiled wheel into the folder, unless it is there from sources of this digest; returns pip's code."""
    stamp = copy / "sources.sha256"
    if stamp.is_file() and stamp.read_text() == sources:
        return 0
    print("Compiling the sources into build/compiled: this takes a minute or two.", file=sys.stderr, flush=True)
    shutil.rmtree(copy, ignore_errors=True)
    options = ("--no-deps", "--no-build-isolation", "--target", copy, ROOT)
    done = subprocess.run(
        (sys.executable, ROOT / "installing.py", *options), env=os.environ | {"BOURRE_COMPILE": "yes"}, check=False
    )
    if done.returncode == 0:
        stamp.write_text(sources)
    return done.returncode


def main() -> int:
    """Renews the copy if it must, and becomes the command if there is one."""
    if code := renew(COPY, digest(sys.version.encode(), *source_parts(ROOT))):
        return code
    if command := sys.argv[1:]:
        program = shutil.which(command[0], path=BIN) or command[0]
        os.execvpe(program, command, os.environ | {"PYTHONPATH": str(COPY)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
