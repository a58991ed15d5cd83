"""Crashes of real processes: kills at random moments, a killed supervisor, a log that cannot be written."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.bot_log import Log
from tests.end_to_end.rooms import played, room_with


@pytest.mark.timeout(1800)
@pytest.mark.long
def test_kills_at_random_moments_lose_nothing() -> None:
    script = dev.ROOT / "research/measurements/crashes.py"
    command = [sys.executable, str(script), "--kills", "40", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "40 kills (" in done.stdout


def test_a_bot_dies_with_its_lifeline() -> None:
    bot = "import os, signal; print(os.getpid(), flush=True); signal.pause()"
    command = [sys.executable, "-IS", supervisor.__file__, sys.executable, "-c", bot]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as keeper:
        assert keeper.stdout is not None
        handle = os.pidfd_open(int(keeper.stdout.readline()))
        keeper.kill()
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        ended = poll.poll(30_000)
        if not ended:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        os.close(handle)
    assert ended


def test_logs_that_cannot_be_written_harm_nobody(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("no folder")
    (outcome,) = played(room_with("loud", tmp_path / "logs", deals=2))
    assert outcome.faults == ()
    assert outcome.notices == (f"{tmp_path / 'logs'}: cannot store the bots' output: Not a directory",)


def test_a_log_on_a_full_disk_stops_and_the_bot_is_still_heard() -> None:
    async def keep() -> tuple[Log, bytes]:
        output = asyncio.StreamReader()
        output.feed_data(b"x" * 100_000)
        output.feed_eof()
        log = Log(Path("/dev/full"))
        await log.keep(output)
        log.note(["a word to the author"])
        log.close()
        return log, await output.read()

    log, left = asyncio.run(keep())
    assert log.trouble == "No space left on device"
    assert left == b""
