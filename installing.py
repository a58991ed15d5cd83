"""Runs pip and shows its progress on stderr: `.venv/bin/python -I installing.py ARGUMENTS OF pip install`.

dev.py starts it with the Python of the environment that it fills, so it uses the standard library alone.
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
"""Seconds between two looks at pip's log: in a terminal one line is rewritten, in a file every line stays."""


def install(command: Sequence[str], packages: Path, out: TextIO, pause: float) -> int:
    """Runs pip, which fills the folder `packages`, and shows its progress on `out`; if it fails, its whole output.

    Returns its exit code. Looks at its log every `pause` seconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "pip.log")
        # pip inherits open files, so the lock of dev.py outlives a killed dev.py as long as pip runs.
        with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output, close_fds=False) as pip:
            show(out, watch_steps(pip, log, packages, pause))
        if pip.returncode:
            print(log.read_text(errors="replace"), file=out, flush=True)
        return pip.returncode


def watch_steps(pip: subprocess.Popen[bytes], log: Path, packages: Path, pause: float) -> Iterator[str]:
    """Yields what pip is doing, until it ends."""
    began = time.time()
    while True:
        try:
            pip.wait(pause)
        except subprocess.TimeoutExpired:
            yield describe_step(log.read_text(errors="replace"), find_installed(began, packages))
        else:
            return


def describe_step(output: str, installed: Sequence[str]) -> str:
    """Describes what pip is doing, given its output so far and the packages installed; empty if not known yet."""
    if found := INSTALLING.search(output):
        latest = f": {installed[-1]}" if installed else ""
        return f"installed {len(installed)} of {len(found[1].split(', '))} packages{latest}"
    *_, latest_step = (None, *STEP.finditer(output))
    if latest_step is None:
        return ""
    if latest_step["built"]:
        return f"building {latest_step['built']}"
    return f"fetching package {len(FETCHING.findall(output))}: {latest_step['fetched']}"


def find_installed(began: float, packages: Path) -> list[str]:
    """Returns name and version of each package completed since `began`, in seconds since 1970, latest last."""
    complete = [(record.stat().st_mtime, record.parent.stem) for record in packages.glob("*.dist-info/RECORD")]
    return [name for written, name in sorted(complete) if written >= began]


def show(out: TextIO, lines: Iterator[str]) -> None:
    """Prints a line for each step; on a terminal it rewrites one line and clears it at the end."""
    shown = ""
    for text in lines:
        if text != shown and not out.isatty():
            print(f"  {text}", file=out, flush=True)
        elif text != shown:
            print(f"\r\033[K  {text[: shutil.get_terminal_size().columns - 3]}", end="", file=out, flush=True)
        shown = text
    if out.isatty():
        print("\r\033[K", end="", file=out, flush=True)


def main() -> int:
    """Installs what the command line names into the environment of this Python."""
    pause = TERMINAL_PAUSE if sys.stderr.isatty() else FILE_PAUSE
    try:
        return install((*PIP, *sys.argv[1:]), Path(sysconfig.get_path("purelib")), sys.stderr, pause)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
