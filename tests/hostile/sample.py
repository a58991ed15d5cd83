"""The attacks that every run tries in each kind of sandbox; `--long` tries all of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

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


def unless_long(attack: str) -> Sequence[pytest.MarkDecorator]:
    """The marks of an attack that boxes of root, which every run tries with all attacks, hold in the same way."""
    return () if attack in SAMPLE else (pytest.mark.long,)
