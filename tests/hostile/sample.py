"""The attacks that every run tries; `--long` tries all of them at every level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from bourre_referee.model.spec import Level

LEVELS: Mapping[Level, Sequence[str]] = {Level.NONE: ("kills_its_keeper", "orphaned_daemon"), Level.CONTAINER: ()}
"""What is tried where the referee has another wall than a box; `test_container.py` tries a container's own walls."""
PROTOCOL = (
    "broken_frames",
    "flood",
    "giant_metadata",
    "half_close",
    "late_answers",
    "silent_at_declare",
    "token_guessing",
    "wrong_table",
)
"""Attacks on the referee itself, one for each kind of answer to them; every level answers in the same way."""
SAMPLE = (
    "fork_bomb",
    "kill_own_group",
    "kills_its_keeper",
    "new_powers",
    "orphaned_daemon",
    "peek_memory",
    "signal_others",
    "write_own_files",
)
"""One for each wall: counts, signals, the keeper, powers, what is left behind, memory, other processes and files."""


ORDINARY = ("fork_bomb", "new_powers", "peek_memory", "write_own_files")
"""What an ordinary user's box holds in another way than root's, which has powers and control groups."""


def unless_long(attack: str, sample: Sequence[str] = SAMPLE) -> Sequence[pytest.MarkDecorator]:
    """The marks of an attack: `long` if it is not in the sample of its wall."""
    return () if attack in sample else (pytest.mark.long,)
