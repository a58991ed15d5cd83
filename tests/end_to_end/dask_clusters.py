"""Dask clusters of real processes on loopback, as an organiser starts them, and a contest that they play."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.diagnostics.attacks.descendants import descendants_of
from bourre_referee.runner.cluster.dask_link import open_link
from bourre_referee.runner.contest_run import Watch, run
from bourre_referee.runner.dask_executor import dask_rooms
from bourre_referee.storage.run_folder import RunFolder

BOTS = {"ada": "tight", "bob": "loose", "cy": "counter"}
CONTEST = """
[contest]
name = "far"
seed = 7
[table]
seats = 3
deals = {deals}
[rules]
preset = "limit"
[schedule]
rounds = {rounds}
[clock]
start_ms = 60000
decision_ms = 20000
[isolation]
level = "{level}"
"""
EXAMPLES = Path(__file__).parents[2] / "examples"


def far_contest(folder: Path, *, level: str = "none", deals: int = 4, rounds: int = 2) -> Contest:
    """A contest of three example bots, whose files are beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = CONTEST.format(level=level, deals=deals, rounds=rounds)
    for name, script in BOTS.items():
        (folder / f"{script}.py").write_text((EXAMPLES / f"{script}.py").read_text())
        text += f'[[bots]]\nname = "{name}"\ncommand = ["python", "{script}.py"]\n'
    (folder / "contest.toml").write_text(text)
    return load(folder / "contest.toml")


WITHOUT_BWRAP = ("/usr/bin/bwrap", "--die-with-parent", "--dev-bind", "/", "/", "--bind", "/dev/null", "/usr/bin/bwrap")
"""Runs a program on a host that cannot make boxes."""


def free_port() -> int:
    """A port of this machine that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


class Cluster:
    """A scheduler and its workers, each a process that a test may kill."""

    def __init__(self, folder: Path, started: ExitStack, tls: tuple[str, ...] = ()) -> None:
        """`tls` are the options for the certificates of scheduler and workers."""
        self._folder = folder
        self._tls = tls
        self._started = started
        self.workers: list[subprocess.Popen[bytes]] = []
        port = free_port()
        # Whoever connects tries again until it listens.
        self.address = f"{'tls' if tls else 'tcp'}://127.0.0.1:{port}"
        self.scheduler = self._start("dask_scheduler", "--host", self.address.rpartition(":")[0], "--port", str(port))

    def add_worker(
        self,
        threads: int = 1,
        environment: Mapping[str, str] | None = None,
        *,
        nanny: bool = False,
        port: int = 0,
        within: tuple[str, ...] = (),
    ) -> Path:
        """Starts a worker, perhaps `within` another program; returns the folder where it keeps bots' files."""
        temp = self._folder / f"temp{len(self.workers)}"
        temp.mkdir()
        at = ("--worker-port", str(port)) if port else ()
        words = ("--nthreads", str(threads), "--nanny" if nanny else "--no-nanny", *at)
        own = {"TMPDIR": str(temp), **(environment or {})}
        self.workers.append(self._start("dask_worker", self.address, *words, environment=own, within=within))
        return temp

    def _start(
        self,
        program: str,
        *words: str,
        environment: Mapping[str, str] | None = None,
        within: tuple[str, ...] = (),
    ) -> subprocess.Popen[bytes]:
        command = [*within, sys.executable, "-m", f"distributed.cli.{program}", *words, *self._tls, "--no-dashboard"]
        with (self._folder / "cluster.log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **(environment or {})})
        self._started.callback(_end, process)
        return process

    def bots(self) -> list[int]:
        """Everything that the workers have started, directly or not."""
        return [child for worker in self.workers for child in descendants_of(worker.pid)]


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


@contextmanager
def cluster(workers: int = 0, threads: int = 1, tls: tuple[str, ...] = ()) -> Iterator[Cluster]:
    """A cluster inside the block; its folder has a short name, because sockets are in it."""
    with TemporaryDirectory(prefix="dask-") as folder, ExitStack() as started:
        made = Cluster(Path(folder), started, tls)
        for _ in range(workers):
            made.add_worker(threads)
        yield made


def run_there(contest: Contest, folder: Path, address: str | None, watch: Watch = lambda progress: None) -> RunFolder:
    """Plays a contest on the cluster at this address, or on one of this machine."""
    with open_link(address, 2) as link:
        return run(contest, folder, executor=dask_rooms(link), watch=watch)
