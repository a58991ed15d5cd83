"""A contest in a PostgreSQL database: the same run as in a folder, which moves between them and from a backup."""

import json
import os
import re
import stat
import subprocess
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

import dev
from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import ContestError, Interrupted
from bourre_referee.runner import contest_run
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.database.migration import revision_of
from bourre_referee.storage.database.postgres.database_address import parse_contest
from bourre_referee.storage.database.schema import VERSION
from bourre_referee.storage.run.database_location import DatabaseLocation
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import parse_place, place_in_database
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from bourre_referee.web.cached_run import open_run
from tests.postgres_server import PostgresServer, find_programs
from tests.referee import contests, talking_rooms
from tests.referee.command import Bourre
from tests.referee.in_process import leave_at, rooms_in_process, run_in_process, stop_at
from tests.referee.realistic_rooms import played

SECRET = contests.FILE.replace("seed = 7\n", "")


def named(text: str) -> str:
    """The contest file with a name of its own, since all tests share a database."""
    return text.replace('name = "small"', f'name = "small-{uuid4().hex[:12]}"')


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    return contests.small_contest(tmp_path / "contest", named(contests.FILE))


def place_of(contest: Contest, server: PostgresServer, folder: Path) -> DatabaseLocation:
    return DatabaseLocation(parse_contest(f"{server.url}#{contest.name}"), folder)


def play(contest: Contest, place: DatabaseLocation, fresh: bool = False) -> Run:
    with rooms_in_process(played):
        return contest_run.run(contest, place, jobs=1, fresh=fresh)


def play_half(contest: Contest, place: DatabaseLocation) -> None:
    """Leaves a run with five of its ten matches finished."""
    with rooms_in_process(played), pytest.raises(Interrupted):
        contest_run.run(contest, place, jobs=1, watch=stop_at(5))


def test_a_run_is_the_same_as_in_a_folder(contest: Contest, postgres: PostgresServer, tmp_path: Path) -> None:
    there = play(contest, place_of(contest, postgres, tmp_path / "logs"))
    here = run_in_process(contest, tmp_path / "run", played)
    assert (there.manifest.digest, there.manifest.chain) == (here.manifest.digest, here.manifest.chain)
    assert there.place.read_standings() == here.place.read_standings()
    assert there.fact_hashes() == here.fact_hashes()
    assert verify(source_of(there.place), jobs=1).digest == here.manifest.digest
    assert not (tmp_path / "logs" / "run.db").exists()


def test_a_run_goes_on_where_it_was_with_its_secret_seed_and_a_page_follows(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    contest = contests.small_contest(tmp_path / "contest", named(SECRET))
    place = place_of(contest, postgres, tmp_path / "logs")
    play_half(contest, place)
    half, state = Run.open(place), place.state()
    assert (len(half.matches()), half.manifest.complete, place.has_seed()) == (5, False, True)
    assert len(open_run(place).current().data.matches) == 5
    assert place.state() == state
    whole = play(contest, place)
    assert place.state() != state
    assert [entry.event for entry in whole.manifest.log] == ["begun", "continued", "finished"]
    assert (bool(whole.manifest.seed.revealed), place.has_seed()) == (True, False)
    assert verify(source_of(place), jobs=1).seed_known


def test_a_fresh_run_begins_anew(contest: Contest, postgres: PostgresServer, tmp_path: Path) -> None:
    place = place_of(contest, postgres, tmp_path / "logs")
    play_half(contest, place)
    whole = play(contest, place, fresh=True)
    assert [entry.event for entry in whole.manifest.log] == ["begun", "finished"]
    assert len(whole.matches()) == 10


def test_the_commands_read_it_by_its_address(
    contest: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    place = place_of(contest, postgres, tmp_path / "logs")
    play(contest, place)
    run_in_process(contest, tmp_path / "run", played)
    for command in (
        ("standings", "--json"),
        ("standings", "--csv"),
        ("stats", "--json"),
        ("stats", "--ratings", "--json"),
        ("replay", "m0003"),
    ):
        name, *options = command
        here = bourre(name, tmp_path / "run", *options)
        there = bourre(name, str(place), *options)
        assert (there.code, there.out) == (here.code, here.out)
        assert there.code == 0
    assert json.loads(bourre("verify", str(place), "--json").out)["verified"]
    for form in ("jsonl", "csv"):
        assert bourre("export", str(place), "--format", form, "--out", tmp_path / form).code == 0
    assert json.loads(bourre("verify", tmp_path / "jsonl", "--json").out)["verified"]
    assert "hint: add --out" in bourre("export", str(place), "--format", "csv").err
    done = bourre("annul", str(place), "m0003", "--reason", "smoke")
    assert done.code == 0
    assert f"bourre run CONTEST --db {postgres.url}\n" in done.err
    assert len(Run.open(place).matches()) == 9
    assert place.read_standings() is None
    assert play(contest, place).manifest.complete


def test_what_was_changed_behind_its_back_is_found(
    contest: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    place = place_of(contest, postgres, tmp_path / "logs")
    play(contest, place)
    of_contest = "contest = (SELECT id FROM contest WHERE name = %s) AND number = 4"
    for statement, says in (
        ("UPDATE seat SET wins = wins + 1 WHERE", "difference: match m0004: "),
        (
            "UPDATE seat SET chips = 'many' WHERE",
            "difference: match m0004: the database: the chips of a seat are 'many'",
        ),
    ):
        with psycopg.connect(postgres.url) as connection:
            connection.execute(f"{statement} {of_contest}".encode(), (contest.name,))
        found = bourre("verify", str(place))
        assert found.code == 4
        assert found.out.startswith(says)


def test_what_is_missing_is_told_with_what_is_there(
    contest: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    play(contest, place_of(contest, postgres, tmp_path / "logs"))
    said = bourre("standings", f"{postgres.url}#other").err
    assert f"{postgres.url}#other: the database has no contest of this name, but " in said
    assert "lacks the contest's name" in bourre("standings", postgres.url).err
    empty = postgres.create_database(f"empty_{uuid4().hex}")
    assert f"{empty}#x: it has no contest of bourre." in bourre("standings", f"{empty}#x").err


def test_an_older_database_becomes_what_a_new_one_is(
    contest: Contest, postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.create_database(f"older_{uuid4().hex}")
    place = DatabaseLocation(parse_contest(f"{url}#{contest.name}"), tmp_path / "logs")
    digest = play(contest, place).manifest.digest
    columns = "SELECT column_name, data_type, is_nullable, collation_name FROM information_schema.columns"
    line = f"{columns} WHERE table_name = 'line' ORDER BY ordinal_position".encode()
    with psycopg.connect(url) as connection:
        new = connection.execute(line).fetchall()
        connection.execute("DROP TABLE line")
        connection.execute("UPDATE alembic_version SET version_num = '0004'")
    with pytest.raises(ContestError, match="an older version of bourre wrote it"):
        Run.open(place)
    assert play(contest, place).manifest.digest == digest
    with psycopg.connect(url) as connection:
        assert connection.execute(line).fetchall() == new


def test_a_newer_version_is_refused_in_words(contest: Contest, postgres: PostgresServer, tmp_path: Path) -> None:
    url = postgres.create_database(f"newer_{uuid4().hex}")
    place = DatabaseLocation(parse_contest(f"{url}#{contest.name}"), tmp_path / "logs")
    play(contest, place)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = %s", (revision_of(VERSION + 1),))
    says = rf"is from a newer version of bourre \(database version {VERSION + 1}, this one reads {VERSION}\)"
    with pytest.raises(ContestError, match=says):
        Run.open(place)
    with pytest.raises(ContestError, match=says):
        play(contest, place)


def test_a_folder_with_a_run_of_its_own_is_refused(contest: Contest, postgres: PostgresServer, tmp_path: Path) -> None:
    run_in_process(contest, tmp_path / "run", played)
    with pytest.raises(ContestError, match=r"contains another run\.\nhint: set another folder with --out"):
        play(contest, place_of(contest, postgres, tmp_path / "run"))


def documented(*programs: str) -> list[str]:
    """The lines of the page that call these programs, in order."""
    text = (dev.ROOT / "docs" / "scale.md").read_text("utf-8")
    section = text.partition("### Back up and restore")[2]
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


@pytest.fixture
def secret(tmp_path: Path) -> Contest:
    return contests.small_contest(tmp_path / "contest", named(SECRET))


def test_a_finished_run_goes_there_and_back(
    secret: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    run_in_process(secret, tmp_path / "run", talking_rooms.played)
    assert bourre("annul", tmp_path / "run", "m0003", "--reason", "smoke").code == 0
    whole = run_in_process(secret, tmp_path / "run", talking_rooms.played)
    address = f"{postgres.url}#{secret.name}"
    done = bourre("copy", tmp_path / "run", "--to", postgres.url)
    assert (done.code, done.out) == (0, "")
    assert f"Copied to {address}. To check the copy:\nbourre:   bourre verify '{address}'\n" in done.err
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
    secret: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    leave_at(5, secret, tmp_path / "run")
    seed = (tmp_path / "run" / "seed.secret").read_bytes()
    assert bourre("copy", tmp_path / "run", "--to", postgres.url).code == 0
    place = place_in_database(postgres.url, secret.name, tmp_path / "logs")
    assert place.has_seed()
    exported = bourre("export", str(place), "--format", "run", "--out", tmp_path / "back")
    assert exported.code == 0
    assert (tmp_path / "back" / "seed.secret").read_bytes() == seed
    assert stat.S_IMODE((tmp_path / "back" / "seed.secret").stat().st_mode) == 0o600
    with rooms_in_process():
        places = FolderLocation(tmp_path / "run"), FolderLocation(tmp_path / "back"), place
        digests = {contest_run.run(secret, where, jobs=1).manifest.digest for where in places}
    assert len(digests) == 1


def test_a_contest_that_is_there_is_not_overwritten(
    secret: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    run_in_process(secret, tmp_path / "run")
    assert bourre("copy", tmp_path / "run", "--to", postgres.url).code == 0
    again = bourre("copy", tmp_path / "run", "--to", postgres.url)
    assert again.code == 2
    assert "already has a run of this contest." in again.err


def test_a_run_that_is_played_is_not_copied(
    secret: Contest, postgres: PostgresServer, tmp_path: Path, bourre: Bourre
) -> None:
    leave_at(5, secret, tmp_path / "run")
    with FolderLocation(tmp_path / "run").hold():
        done = bourre("copy", tmp_path / "run", "--to", postgres.url)
    assert done.code == 2
    assert "is playing this contest" in done.err


def test_what_is_no_database_is_refused(secret: Contest, tmp_path: Path, bourre: Bourre) -> None:
    run_in_process(secret, tmp_path / "run")
    done = bourre("copy", tmp_path / "run", "--to", "mysql://somewhere")
    assert done.code == 2
    assert "mysql://... is not the address of a PostgreSQL database.\nhint: use postgresql://" in done.err
