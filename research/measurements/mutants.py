"""Measures how many deliberate mistakes the tests notice: `research/mutants.md`.

    .venv/bin/pip install mutmut==3.8.1
    .venv/bin/python research/measurements/mutants.py PART [--only MODULE ...] [--most N] [--processes 1] [--json FILE]

A mutant is the project with one small mistake, which mutmut makes. It is killed when a test fails, or does not end. It
meets the tests that run its line, the quickest first.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

from mutation.judging import Verdict, judge, reach
from mutation.making import Mutant, mutants_of, unchanged
from mutation.parts import PARTS, ROOT, Part
from rows import head, line

Verdicts = dict[Mutant, Verdict]
DEAD = (Verdict.KILLED, Verdict.LATE)


def main() -> None:
    """Judges the mutants of one part, or of some of its modules; prints a table and the survivors."""
    options = _options()
    os.chdir(ROOT)
    os.environ |= {"CI": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # no random examples: see tests/conftest.py
    part = PARTS[options.part]
    paths = [path for path in part.paths() if not options.only or part.name_of(path) in options.only]
    mutants = [mutant for path in paths for mutant in mutants_of(path, part.name_of(path), options.most)]
    verdicts = verdicts_on(mutants, part, options.processes)
    print_table(verdicts)
    print_survivors(verdicts)
    if options.json:
        rows = [_row_of(mutant, verdict) for mutant, verdict in verdicts.items()]
        options.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def verdicts_on(mutants: list[Mutant], part: Part, processes: int) -> Verdicts:
    """Judges mutants, and reports progress on stderr; ValueError if the tests fail without a mistake."""
    reached = reach(part.files_of_tests(), part.paths())
    control = unchanged(part.paths()[0], part.name_of(part.paths()[0]))
    if any(verdict in DEAD for _, verdict in judge([control], reached, 1)):
        raise ValueError("the tests fail without a mutant")
    verdicts: Verdicts = {}
    for mutant, verdict in judge(mutants, reached, processes):
        verdicts[mutant] = verdict
        print(f"{len(verdicts)}/{len(mutants)} {mutant.module}:{mutant.number} {verdict}", file=sys.stderr, flush=True)
    return verdicts


def print_table(verdicts: Verdicts) -> None:
    """Prints a row for each module, and the total."""
    made = Counter(mutant.module for mutant in verdicts)
    killed = Counter(mutant.module for mutant, verdict in verdicts.items() if verdict in DEAD)
    print(head(["module", "mutants", "killed", "share"]))
    for module in sorted(made):
        print(_line_of(f"`{module}`", made[module], killed[module]))
    print(_line_of("all", made.total(), killed.total()))


def print_survivors(verdicts: Verdicts) -> None:
    """Prints the changed lines of each survivor."""
    for mutant, verdict in verdicts.items():
        if verdict not in DEAD:
            print(
                f"\n{mutant.module}:{mutant.number} line {mutant.lines.start}, {verdict}",
                *mutant.difference(),
                sep="\n",
            )


def _line_of(name: str, made: int, killed: int) -> str:
    return line([name, str(made), str(killed), f"{100 * killed / made:.1f} %"])


def _row_of(mutant: Mutant, verdict: Verdict) -> dict[str, object]:
    place = {"module": mutant.module, "number": mutant.number, "line": mutant.lines.start}
    return place | {"verdict": verdict, "difference": mutant.difference()}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--only", nargs="+", metavar="MODULE", help="import names of modules; default: all of the part")
    parser.add_argument("--most", type=int, help="sample this many of each module; default: all")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write every mutant and its verdict to this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
