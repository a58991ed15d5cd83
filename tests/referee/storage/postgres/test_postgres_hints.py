"""A server that refuses or is gone: told with what helps and without a password; changes wait for it in order."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg import errors

import dev
from bourre.extras import install_command
from bourre_referee.model.errors import StoreGone
from bourre_referee.storage.database.database import Work
from bourre_referee.storage.database.postgres.contest_rows import enter_contest, find_contest, take_lead
from bourre_referee.storage.database.postgres.database_address import ContestAddress, parse_contest
from bourre_referee.storage.database.postgres.outbox import Outbox
from bourre_referee.storage.database.postgres.postgres_connection import engine
from bourre_referee.storage.database.postgres.postgres_hints import explain
from bourre_referee.storage.database.postgres.postgres_tables import prepare_tables
from bourre_referee.storage.database.run_session import RunSession
from bourre_referee.storage.database.schema import FileRow
from tests.postgres_server import PostgresServer
from tests.referee.command import Bourre
from tests.referee.in_process import finished_run


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
        ("locked:wrong", 'password authentication failed for user "locked".'),
        ("unwanted", "hint: check the user's name and pg_hba.conf"),
        ("nobody", 'role "nobody" does not exist.'),
    ],
)
def test_who_is_refused_is_told_why(server: PostgresServer, bourre: Bourre, user: str, says: str) -> None:
    text = said(bourre, server.url.replace("postgres@", f"{user}@"))
    assert says in text
    assert "wrong@" not in text


def test_a_database_that_is_not_there(server: PostgresServer, bourre: Bourre) -> None:
    text = said(bourre, server.url_of("none"))
    assert 'database "none" does not exist.\nhint: run createdb' in text


def test_a_server_that_is_not_there(server: PostgresServer, bourre: Bourre) -> None:
    for url, why in (
        ("postgresql://postgres@127.0.0.1:1/postgres", "Connection refused"),
        ("postgresql:///postgres?host=/nowhere", "No such file or directory"),
    ):
        gone = f"failed: {why}."
        assert gone in said(bourre, url)


def test_tables_that_may_not_be_read(server: PostgresServer, bourre: Bourre, tmp_path: Path) -> None:
    finished_run(tmp_path)
    url = server.create_database(f"closed_{uuid4().hex}")
    assert bourre("copy", tmp_path / "run", "--to", url).code == 0
    text = said(bourre, url.replace("postgres@", "stranger:right@"))
    assert "permission denied for table" in text
    assert "GRANT the user this right" in text


def test_tables_of_something_else(server: PostgresServer, bourre: Bourre) -> None:
    url = server.create_database(f"other_{uuid4().hex}")
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        connection.execute("INSERT INTO alembic_version VALUES ('0005')")
    assert "restore the database from a backup, or use a new one" in said(bourre, url)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'ae10'")
    assert "contains tables of another program." in said(bourre, url)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (errors.DiskFull("could not extend file"), "could not extend file.\nhint: free space"),
        (errors.TooManyConnections("sorry, too many clients already"), "hint: raise max_connections"),
        (errors.ReadOnlySqlTransaction("cannot execute UPDATE"), "hint: connect to the primary"),
        (errors.OutOfMemory("out of memory"), "hint: free memory on the server"),
        (
            errors.DeadlockDetected("deadlock detected"),
            "deadlock detected.\nhint: check the server's log, and run again",
        ),
    ],
)
def test_what_happens_to_a_server_is_told_with_what_helps(error: psycopg.Error, says: str) -> None:
    explained = explain("here", error)
    assert f"{explained}".startswith(f"here: {error}.\n")
    assert says in f"{explained}"
    assert not isinstance(explained, StoreGone)


@pytest.mark.parametrize(
    "error",
    [
        errors.AdminShutdown("terminating connection due to administrator command"),
        errors.CannotConnectNow("the database system is starting up"),
        errors.IdleSessionTimeout("terminating connection due to idle-session timeout"),
        psycopg.OperationalError("connection failed: FATAL:  terminating connection due to administrator command"),
        psycopg.OperationalError("connection failed: FATAL:  the database system is in recovery mode"),
        psycopg.OperationalError("connection failed: FATAL:  the database system is not accepting connections"),
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
    assert done.stderr == f"bourre: This command needs more packages.\nhint: {install_command('postgres')}\n"


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


@dataclass
class Waiting:
    """Waits by doing something; gives up when there is nothing left to do."""

    acts: list[Callable[[], object]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    now: float = 0.0

    def tell(self, text: str) -> None:
        self.told.append(text)

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        if not self.acts:
            return False
        self.acts.pop(0)()
        return True


@dataclass
class Sending:
    """An outbox of at most two changes, and what it wrote."""

    url: str
    address: ContestAddress
    contest: int
    outbox: Outbox
    waiting: Waiting

    def write(self, name: str) -> None:
        self.outbox.change(lambda session: session.add(FileRow(contest=self.contest, name=name, content=b"")))

    def written(self) -> list[str]:
        with psycopg.connect(self.url) as connection:
            rows = connection.execute("SELECT name FROM file WHERE contest = %s ORDER BY name", (self.contest,))
            return [name for (name,) in rows]


@pytest.fixture
def sending(stoppable: PostgresServer) -> Iterator[Sending]:
    address = parse_contest(f"{stoppable.url}#outbox-{uuid4().hex}")
    connected = engine(address.database, writing=True)
    with ExitStack() as held:
        held.callback(connected.dispose)
        with connected.begin() as connection:
            prepare_tables(connection, address)
            enter_contest(connection, address.contest)
            lead = take_lead(connection, find_contest(connection, address))
        waiting = Waiting()
        outbox = Outbox(connected, address, lead, waiting, lambda: waiting.now, most=2)
        yield Sending(stoppable.url, address, lead.contest, outbox, waiting)


def test_more_than_the_bound_is_not_kept(sending: Sending, stoppable: PostgresServer) -> None:
    stoppable.stop("immediate")
    for name in ("a", "b"):
        sending.write(name)
    sending.waiting.acts = [lambda: None, stoppable.start]
    sending.write("c")
    assert sending.written() == ["a", "b", "c"]
    assert sending.waiting.acts == []


def test_the_server_is_not_tried_for_every_change(sending: Sending, stoppable: PostgresServer) -> None:
    stoppable.stop("immediate")
    sending.write("a")
    stoppable.start()
    sending.write("b")
    assert sending.written() == []
    sending.waiting.now += 1.0
    sending.outbox.change(lambda session: None, "nothing")
    assert sending.written() == ["a", "b"]


def next_commit_is_unheard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the server go between the next commit and its answer."""
    commit = RunSession.commit

    def commit_unheard(session: RunSession) -> None:
        commit(session)
        monkeypatch.undo()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(RunSession, "commit", commit_unheard)


def test_a_change_whose_success_was_not_heard_is_made_once(
    sending: Sending, stoppable: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    next_commit_is_unheard(monkeypatch)
    sending.write("a")
    sending.waiting.now += 1.0
    sending.write("b")
    assert sending.written() == ["a", "b"]


def test_a_later_change_of_a_file_hides_no_change_that_was_not_heard(
    sending: Sending, stoppable: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    next_commit_is_unheard(monkeypatch)
    sending.outbox.change(lambda session: None, "manifest")
    sending.write("a")
    sending.outbox.change(lambda session: None, "manifest")
    sending.outbox.settle()
    assert sending.written() == ["a"]


def test_a_change_that_cannot_be_made_is_not_tried_again(sending: Sending) -> None:
    sending.write("a")
    with pytest.raises(Exception, match="duplicate key"):
        sending.write("a")
    sending.write("b")
    assert sending.written() == ["a", "b"]


def test_reading_waits_for_the_server(sending: Sending, stoppable: PostgresServer) -> None:
    stoppable.stop("immediate")
    sending.waiting.acts = [lambda: None, stoppable.start]
    sending.outbox.settle()
    assert sending.waiting.acts == []
    assert len(sending.waiting.told) == 2


def test_of_changes_to_a_file_the_last_is_kept(sending: Sending, stoppable: PostgresServer) -> None:
    made: list[int] = []

    def make(number: int) -> Work:
        return lambda session: made.append(number)

    stoppable.stop("immediate")
    for number in range(5):
        sending.outbox.change(make(number), "manifest")
    stoppable.start()
    sending.waiting.acts = [lambda: None]
    sending.outbox.settle()
    assert made == [0, 4]  # the first was tried, so it keeps its number
