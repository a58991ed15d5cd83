"""Dask clusters of real processes on loopback, as an organiser starts them, and a contest that they play."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load

BOTS = {"ada": "tight", "bob": "loose", "cy": "counter"}
CONTEST = """
[contest]
name = "far"
seed = 7
[table]
seats = {seats}
deals = 4
[rules]
preset = "limit"
[schedule]
rounds = {rounds}
[clock]
start_ms = 60000
decision_ms = 20000
[isolation]
level = "none"
"""
EXAMPLES = Path(__file__).parents[2] / "examples"


def far_contest(folder: Path, *, rounds: int = 1, bots: int = len(BOTS)) -> Contest:
    """A contest of so many example bots, whose files are beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = CONTEST.format(rounds=rounds, seats=bots)
    for name, script in [*BOTS.items()][:bots]:
        (folder / f"{script}.py").write_text((EXAMPLES / f"{script}.py").read_text())
        text += f'[[bots]]\nname = "{name}"\ncommand = ["python", "{script}.py"]\n'
    (folder / "contest.toml").write_text(text)
    return load(folder / "contest.toml")


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path, started: ExitStack, tls: tuple[str, ...] = ()) -> None:
        """`tls` are the options for the certificates of scheduler and workers."""
        self._folder = folder
        self._tls = tls
        self._started = started
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        # Whoever connects tries again until it listens.
        self.address = f"{'tls' if tls else 'tcp'}://127.0.0.1:{port}"
        self._start("dask_scheduler", "--host", self.address.rpartition(":")[0], "--port", str(port))

    def add_worker(self, *, nanny: bool = False) -> subprocess.Popen[bytes]:
        """Starts a worker of one thread, alone or below a process that starts it again."""
        return self._start("dask_worker", self.address, "--nthreads", "1", *([] if nanny else ["--no-nanny"]))

    def _start(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{program}", *words, *self._tls, "--no-dashboard"]
        with (self._folder / "cluster.log").open("ab") as log:
            environment = {**os.environ, "TMPDIR": str(self._folder)}
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        self._started.callback(_end, process)
        return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


@contextmanager
def cluster(workers: int = 0, tls: tuple[str, ...] = ()) -> Iterator[Cluster]:
    """A cluster inside the block; its folder has a short name, because sockets are in it."""
    with TemporaryDirectory(prefix="dask-") as folder, ExitStack() as started:
        made = Cluster(Path(folder), started, tls)
        for _ in range(workers):
            made.add_worker()
        yield made
