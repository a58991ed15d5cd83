"""Random inputs, for campaigns that are not guided by coverage."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

MOST_CHANGES = 8


def fuzz_blindly(take: Callable[[bytes], None], inputs: Iterator[bytes], crashes: Path) -> None:
    """Plays every input; saves one that raises to a file, and raises."""
    for data in inputs:
        try:
            take(data)
        except Exception:
            (crashes / f"crash-{hashlib.sha1(data).hexdigest()}").write_bytes(data)
            raise


def inputs_by_dice(dice: Random, count: int, longest: int, corpus: Sequence[bytes] = ()) -> Iterator[bytes]:
    """Yields random bytes and, if there is a corpus, as many mutated inputs from it; `longest` is in bytes."""
    for _ in range(count):
        if corpus and dice.random() < 0.5:
            yield _mutate(dice, dice.choice(corpus))[:longest]
        else:
            yield dice.randbytes(dice.randrange(longest + 1))


def _mutate(dice: Random, data: bytes) -> bytes:
    """Replaces, insert or delete a few bytes."""
    changed = bytearray(data)
    for _ in range(1 + dice.randrange(MOST_CHANGES)):
        at = dice.randrange(len(changed) + 1)
        changed[at : at + dice.randrange(2)] = dice.randbytes(dice.randrange(3))
    return bytes(changed)
