"""A disk that fills up: the host is warned before, a few times, and hears when there is space again."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from bourre_referee.runner.disk_watch import LOOK_S, DiskWatch

MIB = 2**20


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize(("total", "low"), [(100 * MIB, 10 * MIB), (10_000 * 1024 * MIB, 1024 * MIB)])
def test_each_step_towards_a_full_disk_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, total: int, low: int
) -> None:
    told: list[str] = []
    clock = 0.0
    watch = DiskWatch(tmp_path, told.append, lambda: clock)

    def look(free: int, waits: float = LOOK_S) -> int:
        nonlocal clock
        clock += waits
        before = len(told)
        monkeypatch.setattr(shutil, "disk_usage", _usage(Usage(total, total - free, free)))
        watch.look()
        return len(told) - before

    assert [look(free) for free in (total, low, low - 1, low // 2, low // 5, low // 6)] == [0, 0, 1, 0, 1, 0]
    only = "Play stops when it is full.\nhint: free some space now"
    assert told[-1] == f"{tmp_path}: only {low // 5 / MIB:,.0f} MiB of the disk are free. {only}"
    assert look(0, waits=LOOK_S / 2) == 0
    assert [look(free) for free in (0, 0, low, 2 * low, total, low - 1)] == [1, 0, 0, 1, 0, 1]
    assert told[-2] == f"{tmp_path}: {2 * low / MIB:,.0f} MiB of the disk are free again"


def _usage(usage: Usage) -> Callable[[Path], Usage]:
    return lambda folder: usage
