"""Runs on a disk that fills up sooner or later: a program for a sandbox whose disk may be filled."""

import json
import os
import subprocess
import sys
from pathlib import Path

from bourre_referee.storage.run.run import Run
from tests.referee import contests
from tests.referee.command import called_in
from tests.referee.in_process import rooms_in_process
from tests.referee.rooms import played


def start(disk: Path, left: int, program: str = "tests.referee.full_disk") -> subprocess.CompletedProcess[str]:
    """Runs a program with a disk of its own at this folder, with so many KiB left; it prints what happened."""
    box = ["bwrap", "--dev-bind", "/", "/", "--size", str(4 << 20), "--tmpfs", str(disk)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*box, sys.executable, "-m", program, str(disk), str(left)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def fill(disk: Path, leaving: int) -> Path:
    """Fills a disk, except for this many KiB."""
    ballast = disk / "ballast"
    status = os.statvfs(disk)
    ballast.write_bytes(bytes(status.f_bavail * status.f_frsize - (leaving << 10)))
    return ballast


def main(disk: Path, left: int) -> None:
    """Plays a run that meets a full disk, and resumes it once there is room again."""
    contest, out = contests.write_contest(disk / "contest"), disk / "run"
    ballast = fill(disk, left)
    words = ("run", contest, "--out", out, "--jobs", 1)
    with rooms_in_process(played):
        met = called_in(disk, *words)
        ballast.unlink()
        again = called_in(disk, *words)
    digest = Run.open(out).manifest.digest if again.code == 0 else again.err
    print(json.dumps({"code": met.code, "said": met.err, "digest": digest}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
