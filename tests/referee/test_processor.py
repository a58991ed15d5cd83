"""The processor time of a process and of those below it."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from bourre_referee.launch.processor import processor_ms

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it so")

BURN = "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True); input()"


def test_a_process_that_works_uses_time() -> None:
    before, worked = processor_ms(os.getpid()), time.process_time()
    while time.process_time() < worked + 0.1:
        pass
    assert processor_ms(os.getpid()) - before >= 80  # it is counted in ticks of 10


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
