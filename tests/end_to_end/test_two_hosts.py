"""One contest on two simulated hosts, each with a network of its own, gives the digest of a serial run."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bourre_referee.runner.contest_run import run
from bourre_referee.storage.run.run import Run
from tests.end_to_end.dask_clusters import far_contest
from tests.end_to_end.two_hosts import SECOND_NAME

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.timeout(600), pytest.mark.long]
PROJECT = Path(__file__).parents[2]


def test_two_hosts_play_one_contest(tmp_path: Path) -> None:
    contest = far_contest(tmp_path / "contest", rounds=4)
    serial = run(contest, tmp_path / "serial", jobs=1)
    host = ["unshare", "--user", "--map-root-user", "--net", "--mount"]
    command = [*host, sys.executable, "-m", "tests.end_to_end.two_hosts"]
    files = [str(contest.folder / "contest.toml"), str(tmp_path / "run")]
    ended = subprocess.run([*command, *files], cwd=PROJECT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert Run.open(tmp_path / "run").manifest.digest == serial.manifest.digest
    rooms = dict(re.findall(r"(\S+) played (\d+) rooms?", ended.stderr))
    assert rooms.keys() == {socket.gethostname(), SECOND_NAME}
    assert sum(map(int, rooms.values())) == len(serial.matches())
