"""Plays many inputs, and honest rooms between them."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable

from bourre.rules.actions import Fault
from fuzzing.judging import Played, Wrong

Play = Callable[[bytes], Played]
"""Plays one input and judges it; raises if something is wrong."""

HONEST = bytes(64)
"""An input in which every choice is the first, honest one."""
BETWEEN = 500
"""Inputs between two checks of the honest room."""
TOLD = 10_000
"""Inputs between two progress messages; a multiple of the other."""


class Campaign:
    """Plays inputs, and regularly a room of honest bots, whose records must stay the same."""

    def __init__(self, play: Play, inputs: int) -> None:
        self._play = play
        self._inputs = inputs
        self._played = 0
        self._faults: Counter[Fault] = Counter()
        self._honest = self._honest_digest()

    def take(self, data: bytes) -> None:
        """Plays one input; raises if something is wrong."""
        self._faults.update(self._play(data).faults)
        self._played += 1
        if self._played % BETWEEN and self._played != self._inputs:
            return
        if self._honest_digest() != self._honest:
            raise Wrong("an honest room has another record than before")
        if self._played % TOLD == 0:
            print(f"{self._played} inputs so far", file=sys.stderr, flush=True)
        if self._played == self._inputs:
            faults = ", ".join(f"{fault} in {times}" for fault, times in self._faults.most_common())
            print(f"{self._played} inputs, none of which broke anything; faults: {faults}", flush=True)

    def _honest_digest(self) -> str:
        """Returns a digest of the records of a room with only honest choices."""
        records = "".join(outcome.record for outcome in self._play(HONEST).outcomes)
        return hashlib.sha256(records.encode()).hexdigest()
