"""A database that is gone for a while: play goes on, what finishes is kept in order, bounded, and stored once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import StoreGone
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.database import Work
from bourre_referee.storage.postgres.contest_rows import enter_contest, find_contest, take_lead
from bourre_referee.storage.postgres.database_address import ContestAddress, parse_contest
from bourre_referee.storage.postgres.outbox import Outbox
from bourre_referee.storage.postgres.postgres_connection import engine
from bourre_referee.storage.postgres.postgres_tables import prepare_tables
from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.storage.run_place import place_in_database
from bourre_referee.storage.run_session import RunSession
from bourre_referee.storage.schema import FileRow
from tests.postgres_server import PostgresServer
from tests.referee import contests, rooms

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    text = contests.FILE.replace("small", f"small-{uuid4().hex[:12]}")
    return contests.small_contest(tmp_path / "contest", text)


@pytest.fixture
def server(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """The server, which a test may stop; the next test finds it running."""
    yield postgres
    if not postgres.runs:
        postgres.start()


def test_play_goes_on_while_the_server_is_gone(contest: Contest, server: PostgresServer, tmp_path: Path) -> None:
    told: list[str] = []

    def watch(progress: Progress) -> None:
        if progress.latest and progress.done == 3:
            server.stop("immediate")
        if progress.latest and progress.done == 7:
            server.start()

    place = place_in_database(server.url, contest.name, tmp_path / "logs")
    played = run(contest, place, jobs=1, watch=watch, tell=told.append, play_room=rooms.play_room)
    undisturbed = run(contest, tmp_path / "run", jobs=1, play_room=rooms.play_room)
    assert (played.manifest.digest, played.manifest.chain) == (undisturbed.manifest.digest, undisturbed.manifest.chain)
    assert [match.attempt for match in played.stored_matches()] == [1] * 10
    assert played.voids() == []
    gone, back = told
    assert "the server is gone: start it, or check the network" in gone
    assert gone.endswith("what finishes meanwhile is kept, and stored when the server is back")
    assert back.endswith("the server is back; what was kept is being stored")


def test_a_run_that_ends_while_the_server_is_gone_says_what_is_lost(
    contest: Contest, server: PostgresServer, tmp_path: Path
) -> None:
    def watch(progress: Progress) -> None:
        if progress.latest and progress.done == 3:
            server.stop("immediate")
        if progress.latest and progress.done == 6:
            raise KeyboardInterrupt

    place = place_in_database(server.url, contest.name, tmp_path / "logs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bourre_referee.runner.play_patience.PlayPatience.wait", lambda *_: False)
        with pytest.raises(StoreGone, match="4 changes since then, such as finished rooms, are not stored"):
            run(contest, place, jobs=1, watch=watch, play_room=rooms.play_room)
    server.start()
    assert len(RunFolder.open(place).matches()) == 3
    again = run(contest, place, jobs=1, play_room=rooms.play_room)
    assert again.manifest.digest == run(contest, tmp_path / "run", jobs=1, play_room=rooms.play_room).manifest.digest


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
def sending(server: PostgresServer) -> Iterator[Sending]:
    address = parse_contest(f"{server.url}#outbox-{uuid4().hex}")
    connected = engine(address.database, writing=True)
    with ExitStack() as held:
        held.callback(connected.dispose)
        with connected.begin() as connection:
            prepare_tables(connection, address)
            enter_contest(connection, address.contest)
            lead = take_lead(connection, find_contest(connection, address))
        waiting = Waiting()
        outbox = Outbox(connected, address, lead, waiting, lambda: waiting.now, most=2)
        yield Sending(server.url, address, lead.contest, outbox, waiting)


def test_more_than_the_bound_is_not_kept(sending: Sending, server: PostgresServer) -> None:
    server.stop("immediate")
    for name in ("a", "b"):
        sending.write(name)
    sending.waiting.acts = [lambda: None, server.start]
    sending.write("c")
    assert sending.written() == ["a", "b", "c"]
    assert sending.waiting.acts == []


def test_the_server_is_not_tried_for_every_change(sending: Sending, server: PostgresServer) -> None:
    server.stop("immediate")
    sending.write("a")
    server.start()
    sending.write("b")
    assert sending.written() == []
    sending.waiting.now += 1.0
    sending.outbox.change(lambda session: None, "nothing")
    assert sending.written() == ["a", "b"]


def test_a_change_whose_success_was_not_heard_is_made_once(
    sending: Sending, server: PostgresServer, monkeypatch: pytest.MonkeyPatch
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


def test_reading_waits_for_the_server(sending: Sending, server: PostgresServer) -> None:
    server.stop("immediate")
    sending.waiting.acts = [lambda: None, server.start]
    sending.outbox.settle()
    assert sending.waiting.acts == []
    assert len(sending.waiting.told) == 2


def test_of_changes_to_a_file_the_last_is_kept(sending: Sending, server: PostgresServer) -> None:
    made: list[int] = []

    def make(number: int) -> Work:
        return lambda session: made.append(number)

    server.stop("immediate")
    for number in range(5):
        sending.outbox.change(make(number), "manifest")
    server.start()
    sending.waiting.acts = [lambda: None]
    sending.outbox.settle()
    assert made == [4]
