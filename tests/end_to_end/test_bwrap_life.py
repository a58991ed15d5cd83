"""How a sandbox ends: its first process reaps orphans, passes on how its bot ended, and dies with the referee."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from bourre_referee.diagnostics.attacks.descendants import WatchedProcess, descendants_of
from tests.end_to_end.boxes import boxed, program

SCATTERED = """
import os, signal
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
    signal.pause()
os.write(1, b"here\\n")  # in one piece, so that it cannot be killed between the word and the end of the line
signal.pause()
"""

ORPHANS = """
import os
reading, writing = os.pipe()
if (child := os.fork()) == 0:
    if os.fork() == 0:
        os.write(writing, str(os.getpid()).encode())
        os._exit(0)
    os._exit(0)
orphan = int(os.read(reading, 32))
os.waitpid(child, 0)
while os.path.exists(f"/proc/{orphan}"):
    os.sched_yield()
print("buried")
"""


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("raise SystemExit(7)", 7),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 128 + signal.SIGKILL),
        ("import os, signal; os.kill(1, signal.SIGINT); os.kill(1, signal.SIGKILL); os.kill(1, signal.SIGSTOP)", 0),
    ],
)
def test_a_box_ends_as_its_bot_ends(code: str, status: int, tmp_path: Path) -> None:
    with boxed(program(tmp_path, code), tmp_path / "seats") as box:
        assert box.process.wait(60) == status


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives each box a user of its own")
def test_two_boxes_of_root_are_two_users_to_the_kernel(tmp_path: Path) -> None:
    """It counts pipes, signals and queues of each user, and lets no user have too many."""
    users = []
    for name in ("one", "other"):
        with boxed(program(tmp_path / name, SCATTERED), tmp_path / f"{name}s") as box:
            assert box.process.stdout is not None
            assert box.process.stdout.readline() == "here\n"
            users.append({Path(f"/proc/{process}").stat().st_uid for process in descendants_of(box.process.pid)} - {0})
    one, other = users
    assert len(one) == len(other) == 1
    assert one != other


def test_orphans_are_buried(tmp_path: Path) -> None:
    with boxed(program(tmp_path, ORPHANS), tmp_path / "seats") as box:
        assert box.printed() == "buried\n"
        assert box.process.wait(60) == 0


def test_the_end_of_the_bot_is_that_of_all_it_left_behind(tmp_path: Path) -> None:
    with boxed(program(tmp_path, SCATTERED.rpartition("signal.pause()")[0]), tmp_path / "seats") as box:
        assert box.printed() == "here\n", "nobody holds the output any more"


def test_when_the_lifeline_is_cut_all_are_killed(tmp_path: Path) -> None:
    with boxed(program(tmp_path, SCATTERED), tmp_path / "seats") as box:
        assert box.process.stdout is not None
        assert box.process.stdout.readline() == "here\n"
        watched = WatchedProcess(descendants_of(box.process.pid))
        assert watched.number >= 4
        box.cut()
        assert watched.left_after(60) == []
        assert box.printed() == ""


@pytest.mark.parametrize("killed", [False, True])
def test_nothing_survives_an_end_that_comes_early(killed: bool, tmp_path: Path) -> None:
    for attempt in range(5):
        with boxed(program(tmp_path, SCATTERED), tmp_path / f"seats{attempt}") as box:
            if killed:  # with its group, as the referee does: a child of a bwrap killed alone may wait for ever
                os.killpg(box.process.pid, signal.SIGKILL)
            box.cut()
            assert box.printed() in ("", "here\n"), "it ends: nobody holds the output any more"
