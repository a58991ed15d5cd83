"""Changes that wait for a server: in order, bounded, made once, and tried only now and then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from uuid import uuid4

import psycopg
import pytest

from bourre_referee.storage.database.database import Work
from bourre_referee.storage.database.postgres.contest_rows import enter_contest, find_contest, take_lead
from bourre_referee.storage.database.postgres.database_address import ContestAddress, parse_contest
from bourre_referee.storage.database.postgres.outbox import Outbox
from bourre_referee.storage.database.postgres.postgres_connection import engine
from bourre_referee.storage.database.postgres.postgres_tables import prepare_tables
from bourre_referee.storage.database.run_session import RunSession
from bourre_referee.storage.database.schema import FileRow
from tests.postgres_server import PostgresServer


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


def test_a_change_whose_success_was_not_heard_is_made_once(
    sending: Sending, stoppable: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = RunSession.commit

    def commit_unheard(session: RunSession) -> None:
        commit(session)
        monkeypatch.undo()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(RunSession, "commit", commit_unheard)
    sending.write("a")
    sending.waiting.now += 1.0
    sending.write("b")
    assert sending.written() == ["a", "b"]


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
    assert made == [4]
