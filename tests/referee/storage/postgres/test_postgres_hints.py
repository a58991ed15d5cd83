"""Every way in which a server refuses is told with what helps; no message shows a password."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg import errors

import dev
from bourre_referee.model.errors import StoreGone
from bourre_referee.storage.database.postgres.database_address import parse_contest
from bourre_referee.storage.database.postgres.postgres_hints import explain
from tests.postgres_server import PostgresServer
from tests.referee import contests
from tests.referee.command import Bourre
from tests.referee.in_process import run_in_process


@pytest.fixture(scope="module")
def server(postgres: PostgresServer) -> PostgresServer:
    """The server, with a user who needs a password, and a contest's tables that another may not read."""
    with psycopg.connect(postgres.url) as connection:
        for user in ("locked", "unwanted", "stranger"):
            connection.execute(f"CREATE ROLE {user} LOGIN PASSWORD 'right'".encode())
    return postgres


def said(bourre: Bourre, url: str) -> str:
    """What `bourre standings` says about a contest there."""
    done = bourre("standings", f"{url}#small")
    assert (done.code, done.out) == (2, "")
    return done.err


@pytest.mark.parametrize(
    ("user", "says"),
    [
        ("locked:wrong", 'password authentication failed for user "locked"; the password is wrong: set PGPASSWORD'),
        ("unwanted", "; the server does not let this user in: check the user's name and pg_hba.conf"),
        ("nobody", 'role "nobody" does not exist; the server does not let this user in'),
    ],
)
def test_who_is_refused_is_told_why(server: PostgresServer, bourre: Bourre, user: str, says: str) -> None:
    text = said(bourre, server.url.replace("postgres@", f"{user}@"))
    assert says in text
    assert "wrong@" not in text


def test_a_database_that_is_not_there(server: PostgresServer, bourre: Bourre) -> None:
    text = said(bourre, server.url_of("none"))
    assert 'database "none" does not exist; there is no such database: make it with createdb, or check its name' in text


def test_a_server_that_is_not_there(server: PostgresServer, bourre: Bourre) -> None:
    for url, why in (
        ("postgresql://postgres@127.0.0.1:1/postgres", "Connection refused"),
        ("postgresql:///postgres?host=/nowhere", "No such file or directory"),
    ):
        gone = f"failed: {why}; the server is gone: start it, or check the network; finished matches are stored"
        assert gone in said(bourre, url)


def test_tables_that_may_not_be_read(server: PostgresServer, bourre: Bourre, tmp_path: Path) -> None:
    run_in_process(contests.small_contest(tmp_path / "contest"), tmp_path / "run")
    url = server.create_database(f"closed_{uuid4().hex}")
    assert bourre("import", tmp_path / "run", "--db", url).code == 0
    text = said(bourre, url.replace("postgres@", "stranger:right@"))
    assert "permission denied for table" in text
    assert "the user may not do this: GRANT it the right" in text


def test_tables_of_something_else(server: PostgresServer, bourre: Bourre) -> None:
    url = server.create_database(f"other_{uuid4().hex}")
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        connection.execute("INSERT INTO alembic_version VALUES ('0005')")
    assert "its tables are not those of bourre: restore a backup, or give a new database" in said(bourre, url)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'ae10'")
    assert "another program keeps its tables there: give a database of its own" in said(bourre, url)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (errors.DiskFull("could not extend file"), "could not extend file; the server's disk is full: free space"),
        (errors.TooManyConnections("sorry, too many clients already"), "the server has too many connections: raise"),
        (errors.ReadOnlySqlTransaction("cannot execute UPDATE"), "the server takes no changes: it is a standby"),
        (errors.OutOfMemory("out of memory"), "the server is out of memory: free some and run again"),
        (errors.DeadlockDetected("deadlock detected"), "deadlock detected; check the server's log, and run again"),
    ],
)
def test_what_happens_to_a_server_is_told_with_what_helps(error: psycopg.Error, says: str) -> None:
    explained = explain("here", error)
    assert f"{explained}".startswith(f"here: {error}; ")
    assert says in f"{explained}"
    assert not isinstance(explained, StoreGone)


@pytest.mark.parametrize(
    "error",
    [
        errors.AdminShutdown("terminating connection due to administrator command"),
        errors.CannotConnectNow("the database system is starting up"),
        errors.IdleSessionTimeout("terminating connection due to idle-session timeout"),
        psycopg.OperationalError("consuming input failed: server closed the connection unexpectedly"),
    ],
)
def test_a_server_that_may_come_back_is_known(error: psycopg.Error) -> None:
    assert isinstance(explain("here", error), StoreGone)


def test_an_address_shows_no_password() -> None:
    for url in ("postgresql://me:pass%40word@host/db", "postgresql://me@host/db?password=pass&x=1"):
        assert "pass%40word" not in f"{parse_contest(f'{url}#small')}"
        assert "pass&" not in f"{parse_contest(f'{url}#small')}"
    assert f"{parse_contest('postgresql://me:secret@host/db#small')}" == "postgresql://me@host/db#small"


def test_without_the_driver_the_extra_is_named() -> None:
    program = "import sys; sys.modules['psycopg'] = None; from bourre_referee.cli import main; main()"
    command = [sys.executable, "-c", program, "standings", "postgresql://me@host/db#small"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        done.stderr == "bourre: this command needs an extra of this package: pip install 'bourre[postgres]'\n"
        "bourre:   in a clone: python3 dev.py setup\n"
    )


PROGRAM = """
import sys
from tests.postgres_server import PostgresServer, find_programs
server = PostgresServer(find_programs())
print(server.folder, server.url, flush=True)
sys.stdin.read()
"""


def test_a_server_ends_with_tests_that_are_killed(postgres: PostgresServer) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=dev.ROOT
    ) as tests:
        assert tests.stdout is not None
        folder, url = tests.stdout.readline().split()
        psycopg.connect(url).close()
        tests.kill()
        assert tests.stdout.read() == ""  # it ends when the program that cleans up does
    assert not Path(folder).exists()
    with pytest.raises(psycopg.OperationalError, match="refused"):
        psycopg.connect(url)
