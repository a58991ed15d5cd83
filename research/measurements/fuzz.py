"""Fuzzes the referee, guided by coverage (atheris) or blindly: `research/hardening.md`.

    python research/measurements/fuzz.py [--target message] [--blind] [--inputs 1000000] [--seed 1] [--corpus FOLDER]

Each input is a bot that does what its bytes say, in a room with honest ones. Target `session` plays whole sessions
through the referee's own service, lines, room and tables; `message` is faster: messages to a line, for one deal.
Ends with another code than 0 at the first input that breaks anything, and leaves it in a file `crash-...`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from fuzzing.blind import fuzz_blindly, inputs_by_dice

if TYPE_CHECKING:
    from fuzzing.campaign import Campaign

LONGEST = {"message": 64, "session": 160}
"""The targets, and the length of the longest input of each in bytes."""


def main() -> None:
    """Fuzzes until all inputs are played."""
    options = _options()
    if options.corpus:
        options.corpus.mkdir(parents=True, exist_ok=True)
    if Path("/dev/shm").is_dir():
        tempfile.tempdir = "/dev/shm"  # each room makes a folder for its sockets
    if options.blind:
        corpus = [file.read_bytes() for file in sorted(options.corpus.iterdir())] if options.corpus else []
        inputs = inputs_by_dice(Random(options.seed), options.inputs, LONGEST[options.target], corpus)
        fuzz_blindly(_campaign(options).take, inputs, Path())
    else:
        _fuzz_guided(options)


def count(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=LONGEST, default="message")
    parser.add_argument("--blind", action="store_true", help="without coverage and atheris: faster")
    parser.add_argument("--inputs", type=count, default=1_000_000, help="1 or more")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="folder of inputs that reached new code; both modes start from it")
    return parser.parse_args()


def _fuzz_guided(options: argparse.Namespace) -> None:
    import atheris

    with atheris.instrument_imports(include=["bourre", "bourre_referee"]):
        campaign = _campaign(options)
    words = [f"-runs={options.inputs}", f"-seed={options.seed}", f"-max_len={LONGEST[options.target]}"]
    corpus = [str(options.corpus)] if options.corpus else []
    atheris.Setup([sys.argv[0], *words, "-len_control=0", *corpus], campaign.take)
    atheris.Fuzz()


def _campaign(options: argparse.Namespace) -> Campaign:
    """Imports here, so that atheris can instrument the modules."""
    from fuzzing import message, session
    from fuzzing.campaign import Campaign

    return Campaign({"message": message, "session": session}[options.target].play, options.inputs)


if __name__ == "__main__":
    main()
