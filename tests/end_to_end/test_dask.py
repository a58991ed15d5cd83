"""Contests on a Dask cluster: the digest of a serial run, unfit workers that play nothing, and sudden deaths."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from multiprocessing import resource_tracker
from pathlib import Path

import dask.config
import pytest

import dev
from bourre_referee.contest.contest import Contest
from bourre_referee.diagnostics.attacks.descendants import Watched, children_of, descendants_of
from bourre_referee.model.errors import ContestFailed
from bourre_referee.runner import dask_executor
from bourre_referee.runner.cluster.dask_link import open_link
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.dask_executor import dask_rooms
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.storage.run_place import place_in_database
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.certificates import Authority
from tests.end_to_end.dask_clusters import WITHOUT_BWRAP, Cluster, cluster, far_contest, free_port, run_there
from tests.end_to_end.processes import no_child_left
from tests.postgres_server import PostgresServer
from tests.referee.command import called

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    return far_contest(tmp_path_factory.mktemp("contest"))


@pytest.fixture(scope="module")
def serial(contest: Contest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The contest played by one process of this machine."""
    return run(contest, tmp_path_factory.mktemp("serial"), jobs=1)


class Heard:
    """Keeps what a run tells."""

    def __init__(self) -> None:
        self.notices: list[str] = []

    def __call__(self, progress: Progress) -> None:
        self.notices += progress.notices

    def about(self, word: str) -> list[str]:
        return [notice for notice in self.notices if word in notice]


def logs_of(run: RunFolder) -> dict[str, str]:
    logs = run.path / "logs"
    return {str(path.relative_to(logs)): path.read_text() for path in logs.rglob("*.log")}


def lost_in(run: Path) -> list[str]:
    """The matches of attempts that were lost, each as often as it was."""
    with closing(sqlite3.connect(run / "run.db")) as database:
        return [name for (name,) in database.execute("SELECT match FROM void")]


def test_a_cluster_of_this_machine_gives_the_serial_digest(contest: Contest, serial: RunFolder, tmp_path: Path) -> None:
    heard = Heard()
    resource_tracker.ensure_running()  # a process that multiprocessing starts once and keeps
    with no_child_left():
        there = run_there(contest, tmp_path / "run", None, heard)
    assert there.manifest.digest == serial.manifest.digest
    assert verify(source_of(there.path), jobs=1).digest == serial.manifest.digest
    assert logs_of(there).keys() == logs_of(serial).keys()
    (share,) = heard.about("room time")
    assert share.startswith(f"{socket.gethostname()} played 6 rooms in ")
    assert share.endswith(" 0 faults of bots and 0 lost attempts")


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_cluster_by_address_gives_the_serial_digest(
    contest: Contest, serial: RunFolder, tmp_path: Path, workers: int
) -> None:
    with cluster(workers) as there:
        played = run_there(contest, tmp_path / "run", there.address)
        assert played.manifest.digest == serial.manifest.digest
        assert verify(source_of(played.path), jobs=1).digest == serial.manifest.digest


def test_a_cluster_behind_tls_gives_the_serial_digest(contest: Contest, serial: RunFolder, tmp_path: Path) -> None:
    authority = Authority(tmp_path / "certificates")
    own = authority.signed("cluster")
    options = ("--tls-ca-file", str(authority.ca), "--tls-cert", str(own.cert), "--tls-key", str(own.key))
    tls = "distributed.comm.tls."
    client = {f"{tls}ca-file": authority.ca, f"{tls}client.cert": own.cert, f"{tls}client.key": own.key}
    with cluster(1, tls=options) as there, dask.config.set({name: str(path) for name, path in client.items()}):
        played = run_there(contest, tmp_path / "run", there.address)
    assert there.address.startswith("tls://")
    assert played.manifest.digest == serial.manifest.digest


def test_workers_that_come_later_play_too(
    contest: Contest, serial: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_executor, "_LATE_S", 0.1)
    heard = Heard()
    with cluster() as there:

        def watch(progress: Progress) -> None:
            heard(progress)
            if not there.workers and heard.about("no worker is here: start some with `dask worker tcp://127.0.0.1"):
                there.add_worker()

        played = run_there(contest, tmp_path / "run", there.address, watch)
    assert played.manifest.digest == serial.manifest.digest


def test_the_command_plays_on_a_cluster(contest: Contest, serial: RunFolder, tmp_path: Path) -> None:
    file, out = contest.folder / "contest.toml", tmp_path / "run"
    ended = called("run", file, "--executor", "dask", "--jobs", 1, "--out", out)
    assert ended.code == 0, ended.err
    assert RunFolder.open(out).manifest.digest == serial.manifest.digest
    assert "of room time" in ended.err


@pytest.fixture
def fit() -> Iterator[Cluster]:
    """A cluster with one fit worker."""
    with cluster(1) as made:
        yield made


def assert_only_one_plays(run: RunFolder, serial: RunFolder, heard: Heard, why: str) -> None:
    (news,) = heard.about("plays nothing")
    assert news.startswith(socket.gethostname())
    assert why in news
    assert run.manifest.digest == serial.manifest.digest
    assert [row.faults for row in run.standings().rows] == [0, 0, 0]
    assert lost_in(run.path) == []


def test_a_worker_with_another_version_plays_nothing(
    contest: Contest, serial: RunFolder, fit: Cluster, tmp_path: Path
) -> None:
    other = tmp_path / "site" / "bourre-9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: bourre\nVersion: 9.9\n")
    fit.add_worker(environment={"PYTHONPATH": str(other.parent)})
    heard = Heard()
    played = run_there(contest, tmp_path / "run", fit.address, heard)
    assert_only_one_plays(played, serial, heard, "bourre is 9.9 there")


def test_a_worker_that_cannot_isolate_plays_nothing(serial: RunFolder, fit: Cluster, tmp_path: Path) -> None:
    boxed = far_contest(tmp_path / "boxed", level="bwrap")
    fit.add_worker(within=WITHOUT_BWRAP)
    heard = Heard()
    played = run_there(boxed, tmp_path / "run", fit.address, heard)
    assert_only_one_plays(played, serial, heard, 'isolation level = "bwrap" is not available there')


def test_a_worker_with_a_changed_bot_plays_nothing(
    contest: Contest, serial: RunFolder, fit: Cluster, tmp_path: Path
) -> None:
    temp = fit.add_worker()
    run_there(replace(contest, name="first"), tmp_path / "first", fit.address)
    fetched = next(temp.glob("bourre-worker-*/bots/*/tight.py"))
    fetched.write_bytes(fetched.read_bytes() + b"#")
    heard = Heard()
    played = run_there(contest, tmp_path / "run", fit.address, heard)
    assert_only_one_plays(played, serial, heard, f"{fetched}: it was changed here")


def test_a_contest_that_nobody_can_play_ends_with_the_reasons(contest: Contest, tmp_path: Path) -> None:
    boxed = far_contest(tmp_path / "boxed", level="bwrap")
    with cluster() as there:
        there.add_worker(within=WITHOUT_BWRAP)
        with pytest.raises(ContestFailed, match=r"no worker can play:\n.*plays nothing: isolation level"):
            run_there(boxed, tmp_path / "run", there.address)


class Killer:
    """Kills a process after the first match, when the next room has begun, and watches what it had started."""

    def __init__(self, find: Callable[[], int], started: Callable[[], Iterator[int]]) -> None:
        self._find = find
        self._started = started
        self.heard = Heard()
        self.killed = False

    def __call__(self, progress: Progress) -> None:
        self.heard(progress)
        if progress.latest and not self.killed:
            self.killed = True
            watched = Watched(self._started())
            os.kill(self._find(), signal.SIGKILL)
            assert watched.number > 0
            assert watched.left_after(60) == []


@pytest.mark.parametrize("same_port", [False, True])
def test_the_death_of_a_worker_costs_an_attempt_of_its_room_and_a_nanny_starts_another(
    contest: Contest, serial: RunFolder, tmp_path: Path, same_port: bool
) -> None:
    """At the same address Dask would play the room again by itself."""
    with cluster() as there:
        there.add_worker(nanny=True, port=free_port() if same_port else 0)
        nanny = there.workers[0].pid
        killer = Killer(lambda: worker_below(nanny), lambda: descendants_of(worker_below(nanny)))
        played = run_there(contest, tmp_path / "run", there.address, killer)
    assert played.manifest.digest == serial.manifest.digest
    assert lost_in(played.path) == ["m0002"]
    (void,) = killer.heard.about("is void")
    assert void.startswith(f"room m0002 is void (attempt 1 of 3): on {socket.gethostname()}: ")


def worker_below(nanny: int) -> int:
    """The process of the worker that this nanny keeps: the one that plays."""
    (worker,) = (child for child in children_of(nanny) if list(children_of(child)))
    return worker


def test_the_death_of_a_nanny_takes_worker_and_bots_along_and_others_go_on(
    contest: Contest, serial: RunFolder, fit: Cluster, tmp_path: Path
) -> None:
    fit.add_worker(nanny=True)
    nanny = fit.workers[1].pid
    killer = Killer(lambda: nanny, lambda: descendants_of(nanny))
    played = run_there(contest, tmp_path / "run", fit.address, killer)
    assert played.manifest.digest == serial.manifest.digest
    assert len(lost_in(played.path)) == len(killer.heard.about("is void")) <= 1


def test_after_the_death_of_the_scheduler_the_run_goes_on_elsewhere(
    contest: Contest, serial: RunFolder, fit: Cluster, tmp_path: Path
) -> None:
    killer = Killer(lambda: fit.scheduler.pid, lambda: iter(fit.bots()))
    with open_link(fit.address, 1):
        pass  # it listens by now, so a shorter patience than Dask's own suffices, also on a busy machine
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "10s"}),
        pytest.raises(ContestFailed, match=r"the scheduler at tcp://127.0.0.1:\d+ is gone"),
    ):
        run_there(contest, tmp_path / "run", fit.address, killer)
    with cluster(1) as there:
        played = run_there(contest, tmp_path / "run", there.address)
    assert played.manifest.digest == serial.manifest.digest
    # The scheduler may die between two rooms, and a room in play may not be told as lost before the link is found gone.
    assert len(lost_in(played.path)) == len(killer.heard.about("is void")) <= 1


@pytest.mark.parametrize("kills", [2, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.timeout(1800)
def test_kills_at_random_moments_change_no_digest_and_leave_no_bot(kills: int) -> None:
    command = [sys.executable, str(dev.ROOT / "benchmarks/cluster_kills.py"), "--kills", str(kills), "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every digest is the serial one" in done.stdout


def test_a_contest_in_a_database_is_played_by_a_cluster(
    contest: Contest, serial: RunFolder, postgres: PostgresServer, tmp_path: Path
) -> None:
    """Dask executes, PostgreSQL remembers: the digest is that of one process and one folder."""
    place = place_in_database(postgres.url, contest.name, tmp_path / "logs")
    with cluster(2) as there, open_link(there.address, 1) as link:
        played = run(contest, place, executor=dask_rooms(link))
    assert played.manifest.digest == serial.manifest.digest
    assert verify(source_of(place), jobs=1).digest == serial.manifest.digest
