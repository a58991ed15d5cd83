"""Kills processes of a Dask cluster that plays contests: `python benchmarks/cluster_kills.py [--kills 20]`.

Two workers under nannies play on loopback. Each time a worker, a nanny, the scheduler, the referee, the process of a
room or a bot's keeper gets SIGKILL at a random moment, and what is gone is started again as an organiser would. Every
contest must end with the digest of a serial run, each lost attempt must be noted once, and no bot may be left.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from bourre_referee.storage.run.run import Run

EXAMPLES = Path(__file__).parent.parent / "examples"
TERMS = """
[contest]
name = "kills"
seed = 7
[table]
seats = 3
deals = 20
[schedule]
rounds = 2
[clock]
start_ms = 60000
decision_ms = 60000
[isolation]
level = "none"
"""
BOTS = ("tight", "loose", "counter", "drawer")
KINDS = ("worker", "nanny", "scheduler", "referee", "room")
IN_PLAY = 0.8
"""The share of kills for which bots must be running; the others come at any time, even before the cluster is there."""
MOST_SECONDS = 2.0
"""How long a kill waits then, at most."""
GRACE_S = 60.0
"""How long bots may outlive their referee or worker, at most."""


class Deviation(Exception):
    """Something is not as it would be undisturbed."""


class Cluster:
    """A scheduler and two workers with nannies, which are started again when they are gone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def repair(self) -> None:
        """Starts what is not there."""
        parts = {
            "scheduler": ("dask_scheduler", "--host", "127.0.0.1", "--port", str(self._port)),
            "nanny 1": ("dask_worker", self.address, "--nthreads", "1"),
            "nanny 2": ("dask_worker", self.address, "--nthreads", "1"),
        }
        for name, (program, *words) in parts.items():
            process = self._processes.get(name)
            if process is None or process.poll() is not None:
                self._processes[name] = self._start(program, *words)

    def _start(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{program}", *words, "--no-dashboard"]
        environment = {**os.environ, "TMPDIR": str(self._folder), "DASK_TEMPORARY_DIRECTORY": str(self._folder)}
        with (self._folder / "cluster.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def victims(self, kind: str) -> list[int]:
        """The processes of one kind."""
        if kind == "scheduler":
            return [self._processes["scheduler"].pid]
        nannies = [self._processes[name].pid for name in ("nanny 1", "nanny 2")]
        if kind == "nanny":
            return nannies
        workers = [child for nanny in nannies for child in children_of(nanny) if children_of(child)]
        rooms = [room for worker in workers for room in children_of(worker) if children_of(room)]
        return workers if kind == "worker" else rooms

    def end(self) -> None:
        """Ends it all."""
        for process in self._processes.values():
            process.kill()
            process.wait()


class Killer:
    """Plays contests one after the other, and kills at random moments."""

    def __init__(self, folder: Path, chance: Random, kills: int) -> None:
        self.kills = kills
        self.counts: Counter[str] = Counter()
        self.lost = 0
        self.contests = 0
        self._folder = folder
        self._chance = chance
        self._cluster = Cluster(folder)
        text = TERMS
        for bot in BOTS:
            (folder / f"{bot}.py").write_bytes((EXAMPLES / f"{bot}.py").read_bytes())
            text += f'[[bots]]\nname = "{bot}"\ncommand = ["python", "{bot}.py"]\n'
        (folder / "contest.toml").write_text(text)

    def play(self) -> None:
        """Plays until all kills are done, and the contest of the last one to its end."""
        expected = self._serial_digest()
        try:
            while self.kills > 0:
                self.contests += 1
                self._play_one(self._folder / f"run{self.contests}", expected)
        finally:
            self._cluster.end()
        self._check_nothing_is_left()

    def _serial_digest(self) -> str:
        out = self._folder / "serial"
        if self._command(out, "--jobs", "1").wait():
            raise Deviation(f"a serial run failed: see {out}.log")
        return Run.open(out).manifest.digest or ""

    def _play_one(self, out: Path, expected: str) -> None:
        while True:
            self._cluster.repair()
            referee = self._command(out, "--cluster", self._cluster.address)
            self._kill_while(referee)
            while referee.poll() is None:
                self._cluster.repair()  # workers end by themselves some seconds after their scheduler
                with suppress(subprocess.TimeoutExpired):
                    referee.wait(1.0)
            if referee.returncode == 0:
                break
            if referee.returncode not in (1, 2, -signal.SIGKILL):
                raise Deviation(f"the referee ended with {referee.returncode}: see {out}.log")
        found = Run.open(out).manifest.digest
        if found != expected:
            raise Deviation(f"{out}: digest {found} instead of {expected}")
        told, noted = out.with_name(f"{out.name}.log").read_text().count(" is void (attempt "), lost_in(out)
        if told > noted:
            raise Deviation(f"{out}: {told} lost attempts were told, {noted} are noted")
        self.lost += noted

    def _kill_while(self, referee: subprocess.Popen[bytes]) -> None:
        while self.kills > 0 and referee.poll() is None:
            if self._chance.random() < IN_PLAY and not self._wait_until_a_room_is_in_play(referee):
                return
            with suppress(subprocess.TimeoutExpired):
                referee.wait(self._chance.uniform(0.0, MOST_SECONDS))
                return
            kind = self._chance.choice(KINDS)
            victims = [referee.pid] if kind == "referee" else self._cluster.victims(kind)
            if victims:
                with suppress(ProcessLookupError):
                    os.kill(self._chance.choice(victims), signal.SIGKILL)
                    self.counts[kind] += 1
                    self.kills -= 1
            if kind in ("scheduler", "nanny"):
                sleep(1.0)  # until those that follow it have ended
                self._cluster.repair()

    def _wait_until_a_room_is_in_play(self, referee: subprocess.Popen[bytes]) -> bool:
        """Waits until bots run; returns False if the referee ends before."""
        while not self._cluster.victims("room"):
            self._cluster.repair()
            with suppress(subprocess.TimeoutExpired):
                referee.wait(0.1)
                return False
        return True

    def _command(self, out: Path, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "bourre_referee", "run", str(self._folder / "contest.toml"), "--out", str(out)]
        with out.with_name(f"{out.name}.log").open("ab") as log:
            environment = {**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s"}
            return subprocess.Popen([*command, *options], stdout=log, stderr=log, env=environment)

    def _check_nothing_is_left(self) -> None:
        until = monotonic() + GRACE_S
        while left := list(processes_with(str(self._folder))):
            if monotonic() > until:
                raise Deviation(f"still running {GRACE_S:.0f} s after all was ended: {left}")
            sleep(0.2)


def lost_in(out: Path) -> int:
    """How many attempts at matches a run has noted as lost."""
    with closing(sqlite3.connect(out / "run.db")) as database:
        (number,) = database.execute("SELECT count(*) FROM void").fetchone()
    return int(number)


def children_of(process: int) -> list[int]:
    """The children of a process; none if it has ended."""
    children: list[str] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{process}/task").iterdir():
            children += (task / "children").read_text().split()
    return list(map(int, children))


def processes_with(word: str) -> Iterator[str]:
    """The command lines of running processes whose folder or command contains this word, apart from this one."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if word in f"{command} {(process / 'cwd').readlink()}" and int(process.name) != os.getpid():
                yield command


def main() -> int:
    """Prints what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = monotonic()
    with TemporaryDirectory(prefix="kills-", ignore_cleanup_errors=True) as folder:
        killer = Killer(Path(folder), Random(options.seed), options.kills)
        try:
            killer.play()
        except Deviation as deviation:
            print(f"after {dict(killer.counts)}: {deviation}")
            return 1
    kills = ", ".join(f"{number} {kind}" for kind, number in sorted(killer.counts.items()))
    print(f"{killer.counts.total()} kills ({kills}) in {killer.contests} contests, {monotonic() - began:.0f} s")
    print(f"every digest is the serial one; {killer.lost} lost attempts, each noted once; 0 bots left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
