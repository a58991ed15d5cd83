"""A contest is restored from a backup, as docs/scale.md says, and goes on to the same digest."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from uuid import uuid4

import dev
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import place_in_database
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.postgres_server import PostgresServer, find_programs
from tests.referee import contests
from tests.referee.in_process import rooms_in_process

SECRET = contests.FILE.replace("seed = 7\n", "")


def documented(*programs: str) -> list[str]:
    """The lines of the page that call these programs, in order."""
    text = (dev.ROOT / "docs" / "scale.md").read_text("utf-8")
    section = text.partition("### Backup and restore")[2]
    return [line for line in re.findall(r"^\$ (.*)$", section, re.MULTILINE) if line.split()[0] in programs]


def test_a_backup_of_a_contest_that_is_played_goes_on(postgres: PostgresServer, tmp_path: Path) -> None:
    contest = contests.small_contest(tmp_path / "contest", SECRET.replace("small", f"small-{uuid4().hex[:12]}"))
    original, restored = f"original_{uuid4().hex}", f"restored_{uuid4().hex}"
    url = postgres.create_database(original)

    def shell(line: str) -> None:
        """Runs a line of the page, on the server of the tests."""
        line = line.replace("postgresql://me@host/bourre", url).replace(
            "postgresql://me@host/restored", postgres.url_of(restored)
        )
        line = line.replace("createdb restored", f"createdb --maintenance-db={postgres.url} {restored}")
        path = os.pathsep.join([str(find_programs()), os.environ["PATH"]])
        subprocess.run(line, shell=True, check=True, cwd=tmp_path, env={**os.environ, "PATH": path})

    dump, *restore = documented("pg_dump", "createdb", "pg_restore")

    def watch(progress: Progress) -> None:
        if progress.latest and progress.done == 5:
            shell(dump)

    with rooms_in_process():
        whole = run(contest, place_in_database(url, contest.name, tmp_path / "logs"), jobs=1, watch=watch)
    for line in restore:
        shell(line)
    place = place_in_database(postgres.url_of(restored), contest.name, tmp_path / "other logs")
    assert len(Run.open(place).matches()) == 5
    verify(source_of(place), jobs=1)
    with rooms_in_process():
        again = run(contest, place, jobs=1)
    assert again.manifest.digest == whole.manifest.digest
    assert verify(source_of(place), jobs=1).digest == whole.manifest.digest
