"""Comparisons, grades and ladders on a Dask cluster give what they give on one machine."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.new_ladder import new_ladder
from bourre_referee.ladder.host.serve_ladder import serve_ladder
from bourre_referee.runner.cluster.dask_link import open_link
from bourre_referee.runner.dask_executor import dask_rooms
from bourre_referee.runner.interrupt import Stop
from bourre_referee.verify.ladder_check import verify_epoch
from tests.end_to_end.classroom import PLAN, SUBMISSIONS
from tests.end_to_end.dask_clusters import EXAMPLES, cluster
from tests.referee.command import called_in

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.timeout(300)]

ON_DASK = ("--executor", "dask", "--jobs", 1)
LADDER = """
[ladder]
name = "class"
[table]
seats = 3
deals = 1
[clock]
start_ms = 60000
decision_ms = 20000
[isolation]
level = "none"
[epoch]
rooms = 3
[[staff]]
name = "tight"
command = ["python", "tight.py"]
rating = [25, 0.5]
"""


def test_a_comparison_has_the_same_verdict(tmp_path: Path) -> None:
    words = ("compare", "lowest", "loose", "--seats", 2, "--seed", 3, "--deals", 12, "--json")
    here, there = called_in(tmp_path, *words), called_in(tmp_path, *words, *ON_DASK)
    assert here.code == there.code
    assert here.out == there.out != ""


def test_a_class_gets_the_same_marks(tmp_path: Path) -> None:
    (tmp_path / "grade.toml").write_text(PLAN)
    (tmp_path / "ada.py").write_text(SUBMISSIONS["Ada Lovelace"])
    here = called_in(tmp_path, "grade", "ada.py", "--out", "here", "--jobs", 1)
    there = called_in(tmp_path, "grade", "ada.py", "--out", "there", *ON_DASK)
    assert there.code == 0, there.err
    assert here.out == there.out != ""
    runs = [len(list((tmp_path / out).rglob("run.db"))) for out in ("here", "there")]
    assert runs[0] == runs[1] > 0


def test_a_ladder_is_played(tmp_path: Path) -> None:
    (tmp_path / "ladder.toml").write_text(LADDER)
    (tmp_path / "tight.py").write_bytes((EXAMPLES / "tight.py").read_bytes())
    ladder = new_ladder(tmp_path / "ladder", tmp_path / "ladder.toml")
    for bot in ("counter", "loose"):
        add_hosted(ladder, Newcomer(bot), ("python", f"{bot}.py"), (), EXAMPLES)
    with open_link(None, 1) as link, Stop() as stop, pytest.raises(KeyboardInterrupt):
        serve_ladder(ladder, dask_rooms(link), stop, lambda *_: None, print, UntilAnEpochIsClosed(ladder))
    assert verify_epoch(ladder.path, 1).rooms == 3
    assert len(list((ladder.logs / "tight.1").glob("room00000[123].log"))) == 3


class UntilAnEpochIsClosed:
    """The host's clock, which ends the ladder then."""

    def __init__(self, ladder: LadderFolder) -> None:
        self._log = ladder.open_log()

    def __call__(self) -> datetime:
        self._log.read_new()
        epochs = self._log.state.seasons.epochs
        if epochs and epochs[0].closed:
            raise KeyboardInterrupt
        return datetime.now(UTC)


PATIENT = """
[contest]
name = "patient"
seed = 7
[table]
seats = 2
deals = 1
[schedule]
rounds = 1
[clock]
start_ms = 86400000
[isolation]
level = "none"
"""
SILENT = """
import signal
pipe = open({pipe!r}, "w")
print("here", file=pipe, flush=True)
signal.pause()
"""


def test_the_bots_end_on_a_cluster_whose_referee_was_killed(tmp_path: Path) -> None:
    pipe, text = tmp_path / "pipe", PATIENT
    os.mkfifo(pipe)
    for bot in ("ada", "bob"):
        (tmp_path / f"{bot}.py").write_text(SILENT.format(pipe=str(pipe)))
        text += f'[[bots]]\nname = "{bot}"\ncommand = ["python", "{bot}.py"]\n'
    (tmp_path / "contest.toml").write_text(text)
    command = [sys.executable, "-m", "bourre_referee", "run", "contest.toml", "--executor", "dask", "--scheduler"]
    with cluster(1) as there:
        referee = subprocess.Popen([*command, there.address], cwd=tmp_path, stderr=subprocess.DEVNULL)
        with pipe.open() as heard:
            assert heard.read(4) == "here"
            referee.kill()
            referee.wait()
            heard.read()  # this ends when the last bot has
