"""A run moves between a folder and a database, with the same digest."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from uuid import uuid4

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.runner import contest_run
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import parse_place, place_in_database
from tests.postgres_server import PostgresServer
from tests.referee import contests, talking_rooms
from tests.referee.command import Bourre
from tests.referee.in_process import leave_at, rooms_in_process, run_in_process

SECRET = contests.FILE.replace("seed = 7\n", "")


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    return contests.small_contest(tmp_path / "contest", SECRET.replace("small", f"small-{uuid4().hex[:12]}"))


def test_a_finished_run_goes_there_and_back(
    contest: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    run_in_process(contest, tmp_path / "run", talking_rooms.played)
    assert bourre("void", tmp_path / "run", "m0003", "--reason", "smoke").code == 0
    whole = run_in_process(contest, tmp_path / "run", talking_rooms.played)
    address = f"{postgres.url}#{contest.name}"
    done = bourre("import", tmp_path / "run", "--db", postgres.url)
    assert (done.code, done.out) == (0, "")
    assert f"copied to {address}; bourre verify '{address}' checks it" in done.err
    assert bourre("export", address, "--format", "run", "--out", tmp_path / "back").code == 0
    for place in (address, tmp_path / "back"):
        verified = json.loads(bourre("verify", place, "--json").out)
        assert verified["digest"] == whole.manifest.digest
        assert bourre("standings", place, "--json").out == bourre("standings", tmp_path / "run", "--json").out
    for copied in (parse_place(address), FolderLocation(tmp_path / "back")):
        there = Run.open(copied)
        assert list(there.stored_matches()) == list(whole.stored_matches())
        assert (there.voids(), there.manifest) == (whole.voids(), whole.manifest)
    for name in ("manifest.json", "standings.json"):
        assert (tmp_path / "back" / name).read_bytes() == (tmp_path / "run" / name).read_bytes()
    assert sorted(path.name for path in (tmp_path / "back").iterdir()) == ["manifest.json", "run.db", "standings.json"]


def test_an_unfinished_run_goes_on_in_its_new_place(
    contest: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    leave_at(5, contest, tmp_path / "run")
    seed = (tmp_path / "run" / "seed.secret").read_bytes()
    assert bourre("import", tmp_path / "run", "--db", postgres.url).code == 0
    place = place_in_database(postgres.url, contest.name, tmp_path / "logs")
    assert place.has_seed()
    exported = bourre("export", str(place), "--format", "run", "--out", tmp_path / "back")
    assert exported.code == 0
    assert (tmp_path / "back" / "seed.secret").read_bytes() == seed
    assert stat.S_IMODE((tmp_path / "back" / "seed.secret").stat().st_mode) == 0o600
    with rooms_in_process():
        places = FolderLocation(tmp_path / "run"), FolderLocation(tmp_path / "back"), place
        digests = {contest_run.run(contest, where, jobs=1).manifest.digest for where in places}
    assert len(digests) == 1


def test_a_contest_that_is_there_is_not_overwritten(
    contest: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    run_in_process(contest, tmp_path / "run")
    assert bourre("import", tmp_path / "run", "--db", postgres.url).code == 0
    again = bourre("import", tmp_path / "run", "--db", postgres.url)
    assert again.code == 2
    assert "this contest has a run there already; rename or remove one of them" in again.err


def test_a_run_that_is_played_is_not_copied(
    contest: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    leave_at(5, contest, tmp_path / "run")
    with FolderLocation(tmp_path / "run").hold():
        done = bourre("import", tmp_path / "run", "--db", postgres.url)
    assert done.code == 2
    assert "is playing this contest" in done.err


def test_what_is_no_database_is_refused(contest: Contest, tmp_path: Path, bourre: Bourre) -> None:
    run_in_process(contest, tmp_path / "run")
    done = bourre("import", tmp_path / "run", "--db", "mysql://somewhere")
    assert done.code == 2
    assert "mysql://somewhere: give the address of a database: postgresql://USER@HOST/DATABASE" in done.err
