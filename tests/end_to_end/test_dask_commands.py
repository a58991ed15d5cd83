"""Commands whose rooms a Dask cluster plays: they ask the one that is named, and its bots end with the referee."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import pytest

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_host import serve_ladder
from bourre_referee.model.errors import ContestFailed
from bourre_referee.runner import dask_executor
from bourre_referee.runner.cluster import dask_link
from bourre_referee.runner.cluster.dask_link import open_link
from bourre_referee.runner.dask_executor import dask_rooms
from bourre_referee.runner.executor import Workplace
from bourre_referee.runner.interrupt import Stop
from bourre_referee.storage.files.process_pool import usable_cores
from bourre_referee.verify.ladder_check import verify_epoch
from tests.end_to_end.classroom import PLAN, SUBMISSIONS
from tests.end_to_end.dask_clusters import cluster
from tests.end_to_end.example_ladders import example_ladder
from tests.referee import contests
from tests.referee.command import called_in

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.timeout(300)]

ON_DASK = ("--cluster", "--jobs", 1)
THERE = ("--cluster", "tls://far:8786")


@pytest.mark.parametrize(
    "words",
    [
        ("run", "contest.toml"),
        ("compare", "lowest", "loose", "--seats", 2, "--deals", 12),
        ("grade", "ada.py", "--out", "out"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_gives_its_rooms_to_the_cluster_that_it_names(
    words: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str | None, int]] = []

    @contextmanager
    def open_link(scheduler: str | None, jobs: int) -> Iterator[str]:
        opened.append((scheduler, jobs))
        yield "the link"

    def make(place: Workplace) -> NoReturn:
        raise ContestFailed(f"no worker can play {place.site.files.name}")

    monkeypatch.setattr(dask_link, "open_link", open_link)
    monkeypatch.setattr(dask_executor, "dask_rooms", {"the link": make}.__getitem__)
    contests.write_contest(tmp_path)
    (tmp_path / "grade.toml").write_text(PLAN)
    (tmp_path / "ada.py").write_text(SUBMISSIONS["Ada Lovelace"])
    for options, expected in ((ON_DASK, (None, 1)), (THERE, ("tls://far:8786", usable_cores()))):
        opened.clear()
        done = called_in(tmp_path, *words, *options)
        assert (done.code, opened) == (1, [expected])
        assert "no worker can play" in done.out + done.err


@pytest.mark.long
def test_a_ladder_is_played(tmp_path: Path) -> None:
    ladder = example_ladder(tmp_path, rooms=3)
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


@pytest.mark.long
def test_the_bots_end_on_a_cluster_whose_referee_was_killed(tmp_path: Path) -> None:
    pipe, text = tmp_path / "pipe", PATIENT
    os.mkfifo(pipe)
    for bot in ("ada", "bob"):
        (tmp_path / f"{bot}.py").write_text(SILENT.format(pipe=str(pipe)))
        text += f'[[bots]]\nname = "{bot}"\ncommand = ["python", "{bot}.py"]\n'
    (tmp_path / "contest.toml").write_text(text)
    command = [sys.executable, "-m", "bourre_referee", "run", "contest.toml", "--cluster"]
    with cluster(1) as there:
        referee = subprocess.Popen([*command, there.address], cwd=tmp_path, stderr=subprocess.DEVNULL)
        with pipe.open() as heard:
            assert heard.read(4) == "here"
            referee.kill()
            referee.wait()
            heard.read()  # this ends when the last bot has
