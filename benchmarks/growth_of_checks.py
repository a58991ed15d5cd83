"""What `verify`, `stats` and `export` cost on a large run: `python benchmarks/growth_of_checks.py FOLDER`.

Makes a run of `--matches` in a new folder, or takes the run that is there, and prints a line for each command
with one process and with two: processor seconds and wall seconds, each command in its turn.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import monotonic

from large_run import make_run

BOURRE = (sys.executable, "-c", "from bourre_referee.cli import main; main()")


def main() -> None:
    """Prints a line for each command and number of processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--bots", type=int, default=20)
    arguments = parser.parse_args()
    run = arguments.folder / "run"
    if not run.exists():
        arguments.folder.mkdir(parents=True, exist_ok=True)
        make_run(arguments.folder, arguments.matches, arguments.bots)
    print(f"{'command':<16}{'jobs':>5}{'processor s':>13}{'wall s':>9}")
    with TemporaryDirectory() as out:
        for name, command in _commands(run):
            for jobs in (1, 2):
                processor, wall = _seconds([*command, "--jobs", str(jobs), *_new_folder(name, Path(out), jobs)])
                print(f"{name:<16}{jobs:>5}{processor:>13.1f}{wall:>9.1f}", flush=True)


def _commands(run: Path) -> Iterator[tuple[str, list[str]]]:
    yield "verify", ["verify", str(run)]
    yield "stats", ["stats", str(run), "--json"]
    for form in ("csv", "jsonl"):
        yield f"export {form}", ["export", str(run), "--format", form]


def _new_folder(name: str, out: Path, jobs: int) -> list[str]:
    return ["--out", str(out / f"{name} {jobs}")] if name.startswith("export") else []


def _seconds(command: Sequence[str]) -> tuple[float, float]:
    """Processor seconds of a command with its processes, and wall seconds."""
    before, began = _processor_seconds(), monotonic()
    subprocess.run([*BOURRE, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return _processor_seconds() - before, monotonic() - began


def _processor_seconds() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
