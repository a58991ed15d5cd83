"""The CPU time of a process and of its descendants."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from bourre_referee.sandbox import cpu_meter as processor
from bourre_referee.sandbox.cpu_meter import memory_kib, processor_ms, tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports this in /proc")

BURN = "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True); input()"


@pytest.fixture
def proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty /proc."""
    monkeypatch.setattr(processor, "_PROC", tmp_path)
    return tmp_path


def start(proc: Path, parent: int, child: int) -> None:
    """Records in /proc that a process has started another one."""
    thread = proc / str(parent) / "task" / str(parent)
    thread.mkdir(parents=True)
    (thread / "children").write_text(f"{child} ")


def test_a_process_that_works_uses_time() -> None:
    before, worked = processor_ms(os.getpid()), time.process_time()
    while time.process_time() < worked + 0.1:
        pass
    assert processor_ms(os.getpid()) - before >= 80  # counted in ticks of 10 ms


def test_children_count_while_they_run_and_when_they_have_ended() -> None:
    before = processor_ms(os.getpid())
    with subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert processor_ms(child.pid) >= 180
        assert processor_ms(os.getpid()) - before >= 180
        child.communicate(b"\n")
    assert processor_ms(os.getpid()) - before >= 180
    assert processor_ms(child.pid) == 0


def test_a_chain_of_processes_may_be_long(proc: Path) -> None:
    chain = range(1, 1202)
    for parent, child in pairwise(chain):
        start(proc, parent, child)
    assert list(tree(1)) == list(chain)


def test_who_starts_processes_without_end_is_not_looked_at_for_ever(proc: Path) -> None:
    start(proc, 1, 1)
    assert len(list(tree(1))) == 4096


def test_time_and_memory_of_all_members_are_summed_up_whatever_their_names(proc: Path) -> None:
    start(proc, 1, 2)
    (proc / "2").mkdir()
    for process, name, times, pages in ((1, "a) b", "1 2 4 8", 7), (2, "c", "16 32 64 128", 5)):
        (proc / str(process) / "stat").write_text(f"{process} ({name}) S{' 1000' * 10} {times} 1000\n")
        (proc / str(process) / "statm").write_text(f"1000 {pages} 1000\n")
    assert processor_ms(1) == 255 * 1000 / os.sysconf("SC_CLK_TCK")
    assert memory_kib(1) == 12 * os.sysconf("SC_PAGE_SIZE") // 1024
    assert (processor_ms(3), memory_kib(3)) == (0, 0)
