"""pip, and on stderr what it is busy with: `.venv/bin/python -I installing.py ARGUMENTS OF pip install`.

dev.py starts it with the Python of the environment that it fills, hence with the standard library alone.
"""

import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

PIP = (sys.executable, "-I", "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar=off")
FETCHING = re.compile(r"^(?:Collecting|Processing|Obtaining) (?:\S*/)?(?P<fetched>\S+)", re.MULTILINE)
STEP = re.compile(rf"{FETCHING.pattern}|^ +Building (?:\w+ )+for (?P<built>\S+) .*: started$", re.MULTILINE)
INSTALLING = re.compile(r"^Installing collected packages: (.+)$", re.MULTILINE)
TERMINAL_PAUSE, FILE_PAUSE = 0.3, 10.0
"""Seconds between two looks at what pip does: a terminal's line is rewritten, in a file every line stays."""


def install(command: Sequence[str], packages: Path, out: TextIO, pause: float) -> int:
    """Runs pip, which fills the folder `packages`, and shows on `out` what it does; where it fails, all that it said.

    Returns its exit code. Looks at it once in `pause` seconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "pip.log")
        # Open files go along, so that the lock of dev.py outlives a killed dev.py as long as pip does.
        with log.open("wb") as said, subprocess.Popen(command, stdout=said, stderr=said, close_fds=False) as pip:
            show(out, steps(pip, log, packages, pause))
        if pip.returncode:
            print(log.read_text(errors="replace"), file=out, flush=True)
        return pip.returncode


def steps(pip: subprocess.Popen[bytes], log: Path, packages: Path, pause: float) -> Iterator[str]:
    """What pip does, until it has ended."""
    began = time.time()
    while True:
        try:
            pip.wait(pause)
        except subprocess.TimeoutExpired:
            yield step(log.read_text(errors="replace"), installed_since(began, packages))
        else:
            return


def step(said: str, installed: Sequence[str]) -> str:
    """What pip does now, by what it has said so far and the packages that are there already; empty: not known yet."""
    if found := INSTALLING.search(said):
        latest = f": {installed[-1]}" if installed else ""
        return f"installed {len(installed)} of {len(found[1].split(', '))} packages{latest}"
    *_, latest_step = (None, *STEP.finditer(said))
    if latest_step is None:
        return ""
    if latest_step["built"]:
        return f"building {latest_step['built']}"
    return f"fetching package {len(FETCHING.findall(said))}: {latest_step['fetched']}"


def installed_since(began: float, packages: Path) -> list[str]:
    """Name and version of each package that is complete, the latest last; began is in seconds since 1970."""
    complete = [(record.stat().st_mtime, record.parent.stem) for record in packages.glob("*.dist-info/RECORD")]
    return [name for written, name in sorted(complete) if written >= began]


def show(out: TextIO, told: Iterator[str]) -> None:
    """A line for each step; on a terminal one line, written again and again, that is gone at the end."""
    shown = ""
    for text in told:
        if text != shown and not out.isatty():
            print(f"  {text}", file=out, flush=True)
        elif text != shown:
            print(f"\r\033[K  {text[: shutil.get_terminal_size().columns - 3]}", end="", file=out, flush=True)
        shown = text
    if out.isatty():
        print("\r\033[K", end="", file=out, flush=True)


def main() -> int:
    """Installs what the command line says, in the environment of this Python."""
    pause = TERMINAL_PAUSE if sys.stderr.isatty() else FILE_PAUSE
    try:
        return install((*PIP, *sys.argv[1:]), Path(sysconfig.get_path("purelib")), sys.stderr, pause)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
