"""Measures how much of the SDK and the referee the tests run, by statement and branch: `research/mutants.md`.

python3 dev.py coverage [--long] [pytest args]
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rows import head, line

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"`sdk`": "sdk/bourre/", "`referee`": "referee/bourre_referee/", "both": ""}


def main() -> int:
    """Runs the tests under coverage, prints the gaps of each file and the totals; returns the tests' exit code."""
    coverage("erase")
    tests = coverage("run", "-m", "pytest", *sys.argv[1:])
    coverage("combine", "--quiet")
    coverage("report")
    print_sums()
    return tests


def coverage(*words: str) -> int:
    """Runs the coverage command with these arguments; returns its exit code."""
    return subprocess.run([sys.executable, "-m", "coverage", *words], cwd=ROOT, check=False).returncode


def print_sums() -> None:
    """Prints a row for each package that was imported, and one for both."""
    files = figures()
    print("", head(["package", "statements", "branches", "combined"]), sep="\n")
    for package, folder in PACKAGES.items():
        if found := [file for path, file in files.items() if path.startswith(folder)]:
            print(line([package, *shares(found)]))


def figures() -> dict[str, dict[str, int]]:
    """Returns the figures of each file, under coverage's names."""
    with TemporaryDirectory() as scratch:
        report = Path(scratch, "report.json")
        coverage("json", "--quiet", f"-o{report}")
        files = json.loads(report.read_text("utf-8"))["files"]
    return {path: file["summary"] for path, file in files.items()}


def shares(files: list[dict[str, int]]) -> Iterator[str]:
    """Yields the shares of statements, of branches, and of both."""
    statements, branches = Counter[str](), Counter[str]()
    for file in files:
        statements += Counter(run=file["covered_lines"], all=file["num_statements"])
        branches += Counter(run=file["covered_branches"], all=file["num_branches"])
    for sum_ in (statements, branches, statements + branches):
        yield f"{100 * sum_['run'] / sum_['all']:.1f} % ({sum_['run']:,} of {sum_['all']:,})"


if __name__ == "__main__":
    sys.exit(main())
