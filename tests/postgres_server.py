"""A PostgreSQL server of the tests' own: run by an ordinary user, in a temporary folder, without waiting for disks."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path
from tempfile import mkdtemp

import psycopg

USER = "postgres"
"""Who runs the server if root runs the tests, since it refuses to run as root."""


def find_programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs; None if it is not installed."""
    installed = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]  # Debian's, by version
    on_path = [Path(found).resolve().parent] if (found := shutil.which("initdb")) else []
    return max([*installed, *on_path], key=lambda folder: folder.parent.name, default=None)


RULES = """\
host all locked 127.0.0.1/32 scram-sha-256
host all unwanted 127.0.0.1/32 reject
"""
"""Who needs a password, and who is refused; everybody else is trusted."""


class PostgresServer:
    """A server on a free port of the loopback, with one database."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self.folder = Path(mkdtemp(prefix="bourre-pg-", dir="/tmp"))
        if os.geteuid() == 0:
            shutil.chown(self.folder, USER)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        options = "--auth=trust", f"--username={USER}", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"
        self._call("initdb", *options, str(self._data))
        rules = self._data / "pg_hba.conf"
        rules.write_text(RULES + rules.read_text())
        self._end = self._clean_up_at_the_end()
        self.start()

    @property
    def url(self) -> str:
        """The address of its database."""
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Starts it and waits until it accepts connections."""
        self.runs = True
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off -c lc_messages=C"
        log = str(self.folder / "log")
        self._call("pg_ctl", "start", "--wait", "-D", str(self._data), "-o", options, "-l", log)

    def stop(self, mode: str = "fast") -> None:
        """Stops it; `immediate` is how a crash looks."""
        self.runs = False
        self._call("pg_ctl", "stop", "--wait", "-D", str(self._data), "-m", mode)

    def create_database(self, name: str, *options: str) -> str:
        """Creates another database, and returns its address."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} {' '.join(options)}".encode())
        return self.url_of(name)

    def remove(self) -> None:
        """Stops it and removes its folder."""
        self._end.communicate()

    def _clean_up_at_the_end(self) -> subprocess.Popen[bytes]:
        """Starts a program that stops the server, if it runs, and removes its folder once this process ends or dies."""
        stop = '"$0"/pg_ctl stop --wait --mode=immediate --pgdata=data >/dev/null 2>&1'
        script = f"cat; cd {self.folder} && {{ {stop}; cd / && rm -rf {self.folder}; }}"
        user = USER if os.geteuid() == 0 else None
        groups: list[str] | None = [] if user else None
        return subprocess.Popen(
            ["sh", "-c", script, self._programs],
            stdin=subprocess.PIPE,
            user=user,
            group=user,
            extra_groups=groups,
            start_new_session=True,
        )

    def _call(self, program: str, *words: str) -> None:
        user = USER if os.geteuid() == 0 else None
        with (self.folder / "calls").open("ab") as log:
            done = subprocess.run(
                [self._programs / program, *words],
                user=user,
                group=user,
                extra_groups=[] if user else None,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                timeout=100,
                check=False,
            )
        if done.returncode:
            raise AssertionError(f"{program}: {(self.folder / 'calls').read_text()}")
