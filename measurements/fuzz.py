"""Fuzzes whole sessions with atheris, guided by coverage: `docs/hardening.md`.

    .venv/bin/python measurements/fuzz.py [--inputs 1000000] [--seed 1] [--corpus FOLDER] [--longest 160]

Each input is a bot that does what its bytes say, in a room with two honest ones, through the referee's own service,
lines, room and tables. Ends with 77 at the first input that breaks anything, and leaves it in a file `crash-...`.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import Counter
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["bourre", "bourre_referee"]):
    from fuzzing.session import Wrong, play

    from bourre.rules.actions import Fault

BETWEEN = 500
"""Inputs from one look at the honest room to the next."""


class Campaign:
    """Plays inputs, and now and again a room of honest bots, whose records must stay the same."""

    def __init__(self, inputs: int) -> None:
        self._inputs = inputs
        self._played = 0
        self._faults: Counter[Fault] = Counter()
        self._honest = honest_digest()

    def take(self, data: bytes) -> None:
        """Plays one input; raises what is wrong."""
        self._faults.update(play(data).faults)
        self._played += 1
        if self._played % BETWEEN and self._played != self._inputs:
            return
        if honest_digest() != self._honest:
            raise Wrong("an honest room has another record than before")
        if self._played == self._inputs:
            faults = ", ".join(f"{fault} in {times}" for fault, times in self._faults.most_common())
            print(f"{self._played} inputs, none of which broke anything; faults: {faults}", flush=True)


def honest_digest() -> str:
    """Of the records of a room in which the bytes ask for nothing."""
    return hashlib.sha256("".join(outcome.record for outcome in play(b"").outcomes).encode()).hexdigest()


def main() -> None:
    """Fuzzes until the inputs are played."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=int, default=160, help="bytes of an input")
    parser.add_argument("--corpus", type=Path, help="keeps what reached new code, and starts from it the next time")
    options = parser.parse_args()
    if options.corpus:
        options.corpus.mkdir(parents=True, exist_ok=True)
    if Path("/dev/shm").is_dir():
        tempfile.tempdir = "/dev/shm"  # each room makes a folder for its sockets
    words = [f"-runs={options.inputs}", f"-seed={options.seed}", f"-max_len={options.longest}", "-len_control=0"]
    corpus = [str(options.corpus)] if options.corpus else []
    atheris.Setup([sys.argv[0], *words, *corpus], Campaign(options.inputs).take)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
