"""Contests on a Dask cluster: the digest of a serial run, also after sudden deaths."""

from __future__ import annotations

import socket
import subprocess
import sys
from multiprocessing import resource_tracker
from pathlib import Path

import dask.config
import pytest

import dev
from bourre_referee.contest.contest import Contest
from bourre_referee.runner import dask_executor
from bourre_referee.runner.cluster.dask_link import open_link
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.dask_executor import dask_rooms
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.certificates import Authority
from tests.end_to_end.dask_clusters import cluster, far_contest
from tests.end_to_end.processes import no_child_left
from tests.referee.command import called

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    return far_contest(tmp_path_factory.mktemp("contest"), bots=2)


@pytest.fixture(scope="module")
def serial(contest: Contest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The contest played by one process of this machine."""
    return run(contest, tmp_path_factory.mktemp("serial"), jobs=1)


def logs_of(run: Run) -> set[Path]:
    return {path.relative_to(run.path) for path in (run.path / "logs").rglob("*.log")}


def test_the_command_plays_on_a_cluster_of_this_machine(contest: Contest, serial: Run, tmp_path: Path) -> None:
    file, out = contest.folder / "contest.toml", tmp_path / "run"
    resource_tracker.ensure_running()  # a process that multiprocessing starts once and keeps
    with no_child_left():
        ended = called("run", file, "--cluster", "--jobs", 2, "--out", out)
    assert ended.code == 0, ended.err
    assert Run.open(out).manifest.digest == serial.manifest.digest
    assert verify(source_of(out), jobs=1).digest == serial.manifest.digest
    assert logs_of(Run.open(out)) == logs_of(serial)
    words = " ".join(ended.err.split())
    assert f"{socket.gethostname()} played 2 rooms in " in words
    assert " 0 faults of bots and 0 lost attempts" in words


@pytest.mark.long
def test_workers_behind_tls_that_come_later_give_the_serial_digest(
    contest: Contest, serial: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_executor, "_LATE_S", 0.1)
    authority = Authority(tmp_path / "certificates")
    own = authority.signed("cluster")
    options = ("--tls-ca-file", str(authority.ca), "--tls-cert", str(own.cert), "--tls-key", str(own.key))
    tls = "distributed.comm.tls."
    client = {f"{tls}ca-file": authority.ca, f"{tls}client.cert": own.cert, f"{tls}client.key": own.key}
    with cluster(tls=options) as there, dask.config.set({name: str(path) for name, path in client.items()}):

        def watch(progress: Progress) -> None:
            if any(
                "no worker is connected: start one with `dask worker tls://" in notice for notice in progress.notices
            ):
                there.add_worker()

        with open_link(there.address, 1) as link:
            played = run(contest, tmp_path / "run", executor=dask_rooms(link), watch=watch)
    assert played.manifest.digest == serial.manifest.digest


@pytest.mark.long
def test_a_worker_that_sigterm_stops_costs_no_attempt(tmp_path: Path) -> None:
    contest, notices = far_contest(tmp_path / "contest", bots=2, rounds=10), list[str]()
    serial = run(contest, tmp_path / "serial", jobs=1)
    with cluster() as there:
        stopped, others = there.add_worker(nanny=True), list[object]()

        def watch(progress: Progress) -> None:
            notices.extend(progress.notices)
            if progress.done and not others:
                others.append(there.add_worker())
                stopped.terminate()

        with open_link(there.address, 1) as link:
            played = run(contest, tmp_path / "run", executor=dask_rooms(link), watch=watch)
        assert stopped.wait(60) == 0
    assert played.manifest.digest == serial.manifest.digest
    assert any("was stopped: another worker plays its room" in notice for notice in notices), notices
    assert not any("is void" in notice for notice in notices), notices


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_kills_at_random_moments_change_no_digest_and_leave_no_bot() -> None:
    command = [sys.executable, str(dev.ROOT / "benchmarks/cluster_kills.py"), "--kills", "40", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every digest is the serial one" in done.stdout
