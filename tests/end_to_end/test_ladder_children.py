"""The processes that a served ladder starts: each comes back when it dies, and none outlives the ladder."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import httpx
import pytest

from bourre_referee.diagnostics.attacks.descendants import WatchedProcess, children_of, descendants_of
from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_host import serve_ladder
from bourre_referee.ladder.log.events import RoomFinished
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.local_executor import local_rooms
from bourre_referee.web.ladder.ladder_app import serve_pages
from tests.end_to_end.test_ladder import ROOT, ladder

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.long]

__all__ = ["ladder"]


def serve_aloud(folder: str) -> None:
    """Serves a ladder, and prints the port of its pages, each room that is finished, and all that the host is told."""
    ladder = LadderFolder(Path(folder))
    log = ladder.open_log()

    def tell(text: str) -> None:
        print(text, flush=True)

    def now() -> datetime:
        for logged in log.read_new():
            if isinstance(logged.event, RoomFinished):
                tell("finished")
        return datetime.now(UTC)

    @contextmanager
    def pages() -> Iterator[None]:
        with serve_pages(ladder, "127.0.0.1", 0, tell) as url:
            tell(url.rstrip("/").rpartition(":")[2])
            yield

    with Stop() as stop:
        serve_ladder(ladder, local_rooms(1), stop, lambda address, notices: None, tell, now, pages())


def await_line(lines: IO[str], text: str) -> None:
    """Reads until a line has this text."""
    seen = []
    for line in lines:
        seen.append(line)
        if text in line:
            return
    raise AssertionError(seen)


def is_ours(process: int) -> bool:
    """Whether the ladder looks after it: Python itself does after its resource tracker."""
    return b"resource_tracker" not in Path(f"/proc/{process}/cmdline").read_bytes()


def test_each_child_that_is_killed_comes_back_and_none_outlives_the_leader(ladder: LadderFolder) -> None:
    add_hosted(ladder, Newcomer("drawer"), ("python", "drawer.py"), (), ROOT / "examples")
    code = f"from tests.end_to_end.test_ladder_children import serve_aloud; serve_aloud({str(ladder.path)!r})"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as leader:
        assert leader.stdout is not None
        port = int(leader.stdout.readline())
        await_line(leader.stdout, "finished")
        killed = [child for child in children_of(leader.pid) if is_ours(child)]
        assert len(killed) == 3  # pages, listener and worker
        for child in killed:
            os.kill(child, signal.SIGKILL)
            await_line(leader.stdout, "was killed by SIGKILL")
            await_line(leader.stdout, "finished")
        assert httpx.get(f"http://127.0.0.1:{port}/log", trust_env=False, timeout=60).status_code == 200
        watched = WatchedProcess(descendants_of(leader.pid))
        assert watched.number > len(killed)
        leader.kill()
        assert watched.left_after(30) == []
    with socket.create_server(("127.0.0.1", port)):
        pass
