"""The process that serves the pages of a ladder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.web.ladder.serve_pages import serve_pages
from tests.referee.web.ladder.shown_ladders import ShownLadder

PARENT = """
import sys
from pathlib import Path
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.web.ladder.serve_pages import serve_pages

if __name__ == "__main__":
    with serve_pages(LadderFolder(Path(sys.argv[1])), "127.0.0.1", 0) as url:
        print(url, flush=True)
        sys.stdin.read()
"""


def test_pages_are_served_until_the_end_of_the_block(tmp_path: Path) -> None:
    ladder = ShownLadder(tmp_path / "host")
    ladder.write_board()
    with serve_pages(ladder.folder, "127.0.0.1", 0) as url:
        assert "for-all" in httpx.get(url, trust_env=False, timeout=60).text
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    ladder = ShownLadder(tmp_path / "host")
    with serve_pages(ladder.folder, "127.0.0.1", 0) as url:
        port = int(url.rstrip("/").rpartition(":")[2])
        with (
            pytest.raises(ContestError, match=f"cannot listen on port {port}"),
            serve_pages(ladder.folder, "127.0.0.1", port),
        ):
            raise AssertionError("two servers listen on one port")


def test_pages_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    ladder = ShownLadder(tmp_path / "host")
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    command = [sys.executable, str(script), str(ladder.folder.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        url = parent.stdout.readline().strip()
        assert httpx.get(f"{url}log", trust_env=False, timeout=60).status_code == 200
        os.kill(parent.pid, signal.SIGKILL)
        assert parent.stdout.read() == ""  # the pipe ends with the last process that holds it
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)
