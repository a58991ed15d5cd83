"""Times the leaderboard of a run while its matches arrive: `python benchmarks/live.py RUN_FOLDER [SECONDS]`.

A copy of the run loses its last matches, which one process stores again while `bourre view` runs in another. The
client sends no validators, and asks again and again, also while the server still reads and rates the older matches.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing import Process
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import httpx

from bourre_referee.storage.run.folder_location import FolderLocation

ARRIVING = 500
"""How many matches arrive at most."""
EVERY_S = 0.3
"""Seconds between two of them."""
ASK_EVERY_S = 0.02
"""Seconds from an answer to the next question."""
TABLES = ("match", "seat", "renege", "fault")


def take_last(run: Path, folder: Path) -> tuple[Path, list[int]]:
    """Copies the run without its last matches; returns the copy's database and the numbers of these matches."""
    before, after = FolderLocation(run), FolderLocation(folder)
    folder.mkdir()
    copyfile(before.database, after.database)
    after.write_manifest(before.read_manifest().model_copy(update={"digest": None}))
    with closing(sqlite3.connect(after.database)) as database, database:
        database.execute("PRAGMA journal_mode = WAL")
        found = database.execute("SELECT number FROM match ORDER BY number DESC LIMIT ?", (ARRIVING,)).fetchall()
        numbers = sorted(number for (number,) in found)
        for table in reversed(TABLES):
            database.execute(f"DELETE FROM {table} WHERE number >= ?", numbers[:1])
    return after.database, numbers


def store_again(whole: Path, path: Path, numbers: list[int]) -> None:
    """Stores these matches one by one, as `bourre run` does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("ATTACH ? AS whole", (f"{whole}",))
        for number in numbers:
            database.execute("BEGIN")
            for table in TABLES:
                database.execute(f"INSERT INTO {table} SELECT * FROM whole.{table} WHERE number = ?", (number,))
            database.execute("COMMIT")
            sleep(EVERY_S)


@contextmanager
def serve(folder: Path, cache: Path) -> Iterator[httpx.Client]:
    """Runs `bourre view` with this cache folder, and yields a client once it listens."""
    line = [sys.executable, "-m", "bourre_referee", "view", str(folder), "--port", "0"]
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    with subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr
            said = server.stderr.readline().split()
            with httpx.Client(base_url=said[said.index("at") + 1], trust_env=False, timeout=300) as client:
                yield client
        finally:
            server.terminate()


def ask(client: httpx.Client) -> float:
    """Returns the milliseconds of one leaderboard."""
    began = perf_counter()
    client.get("/").raise_for_status()
    return 1000 * (perf_counter() - began)


def main() -> None:
    """Prints how long the first leaderboard after a restart takes, and later ones."""
    run, seconds = Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 120.0
    with TemporaryDirectory() as place:
        folder, cache = Path(place, "run"), Path(place, "cache")
        database, numbers = take_last(run, folder)
        with serve(folder, cache):
            pass  # so that ratings are kept
        began = perf_counter()
        with serve(folder, cache) as client:
            ask(client)
            print(f"first leaderboard after a restart: {perf_counter() - began:.1f} s, from the start of Python")
            arriving = Process(target=store_again, args=(FolderLocation(run).database, database, numbers), daemon=True)
            arriving.start()
            times = list(_ask_until(client, perf_counter() + seconds))
            arriving.kill()
    middle, last = statistics.median(times), statistics.quantiles(times, n=100)[-1]
    print(f"{len(times)} leaderboards while matches arrive: median {middle:.0f} ms, 99 % within {last:.0f} ms")


def _ask_until(client: httpx.Client, end: float) -> Iterator[float]:
    while perf_counter() < end:
        yield ask(client)
        sleep(ASK_EVERY_S)


if __name__ == "__main__":
    main()
