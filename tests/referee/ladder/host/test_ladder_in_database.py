"""A ladder in a database: the same commands, the same log, epochs that verify, and one host at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bourre_referee.ladder.host.administration import Administration, new_ladder
from bourre_referee.ladder.host.joining import Newcomer
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_storage import DATABASE
from bourre_referee.ladder.log.events import BotPaused, BotResumed, EpochClosed, EpochOpened, RoomFinished, RoomVoided
from bourre_referee.ladder.log.shared_log import SharedLog
from bourre_referee.model.errors import ContestError, LeadLost, StoreError, StoreGone
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.storage.database.postgres import session_beat
from bourre_referee.storage.database.postgres.database_address import parse_database
from bourre_referee.storage.database.postgres.postgres_connection import connect
from bourre_referee.storage.files.waiting import AT_ONCE
from bourre_referee.storage.run.ladder_database import LadderDatabase
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import place_in_database
from bourre_referee.verify.ladder_check import verify_epoch
from tests.postgres_server import PostgresServer
from tests.referee.command import Bourre
from tests.referee.ladder.host.database_ladders import make_in_database
from tests.referee.ladder.host.hosts import SHORT_EPOCHS, count, events, host
from tests.referee.ladder.host.ladder_folders import FILE, NOW, STAFF, add_bot, make_ladder, with_bots
from tests.referee.ladder.ladders import read_log
from tests.referee.realistic_rooms import played

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture
def server(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """The server, which a test may stop; the next test finds it running."""
    yield postgres
    if not postgres.runs:
        postgres.start()


@pytest.fixture
def ladder(server: PostgresServer, tmp_path: Path) -> LadderFolder:
    """A ladder with a staff bot and two others, whose epochs have four rooms."""
    return with_bots(make_in_database(tmp_path, SHORT_EPOCHS, server.url), tmp_path, "a", "b")


def database_of(ladder: LadderFolder) -> LadderDatabase:
    storage = ladder.storage
    assert isinstance(storage, LadderDatabase)
    return storage


def lines_of(ladder: LadderFolder) -> list[bytes]:
    return [line for line, _ in ladder.lines.read_after(0)]


def test_the_log_has_the_lines_that_a_file_would_have(server: PostgresServer, tmp_path: Path) -> None:
    in_file = make_ladder(tmp_path / "file")
    in_table = make_in_database(tmp_path / "table", FILE + STAFF, server.url)
    for ladder in (in_file, in_table):
        add_bot(ladder, tmp_path / "a", Newcomer("a"))
    assert b"".join(lines_of(in_table)) == in_file.log.read_bytes()
    assert not (in_table.path / "ladder.jsonl").exists()
    assert not (in_table.path / "epochs").exists()


def test_the_commands_find_the_database_by_the_folder(ladder: LadderFolder, bourre: Bourre) -> None:
    folder = str(ladder.path)
    assert bourre("ladder", "pause", folder, "a").code == 0
    assert "paused" in bourre("ladder", "status", folder).out
    logged = bourre("ladder", "log", folder, "--json").out
    assert logged.encode() == b"".join(lines_of(ladder))
    assert len(read_log(logged.splitlines())) == len(lines_of(ladder))
    assert "add --epoch 1" in bourre("verify", folder).err


def test_the_file_that_names_the_database_has_no_password(server: PostgresServer, tmp_path: Path) -> None:
    ladder = make_in_database(tmp_path, FILE, server.url.replace("postgres@", "postgres:secret@"))
    name = ladder.settings().contest.name
    assert (ladder.path / DATABASE).read_text() == f"{server.url}#{name}\n"
    (ladder.path / DATABASE).write_text("elsewhere\n")
    with pytest.raises(ContestError, match=r"ladder\.database: \.\.\. is not the address of"):
        ladder.open_log()


def test_a_name_is_given_once(ladder: LadderFolder, server: PostgresServer, tmp_path: Path) -> None:
    with pytest.raises(ContestError, match="has a contest or a ladder of this name"):
        new_ladder(tmp_path / "again", tmp_path / "host/ladder.toml", database=server.url)
    assert not (tmp_path / "again").exists()
    name = ladder.settings().contest.name
    with pytest.raises(ContestError, match="a ladder of the database has this name"):
        place_in_database(server.url, name).make()


def test_its_epochs_verify_while_it_goes_on(ladder: LadderFolder) -> None:
    with host(ladder) as serving:
        serving.steps(7)
    assert count(ladder, EpochClosed) >= 1
    assert count(ladder, RoomFinished) >= 4
    closed = verify_epoch(ladder.path, 1, jobs=1)
    assert (closed.rooms, closed.paired_again) == (4, True)
    assert not verify_epoch(ladder.path, count(ladder, EpochOpened), jobs=1).paired_again
    before = count(ladder, RoomFinished)
    with host(ladder) as serving:
        serving.steps(2)
    assert count(ladder, RoomFinished) > before
    room = next(event.room for event in events(ladder) if isinstance(event, RoomFinished))
    assert Administration(ladder).void(room, "smoke") == events(ladder)[-1]


def test_who_no_longer_leads_appends_nothing(ladder: LadderFolder) -> None:
    with database_of(ladder).lead(AT_ONCE) as first:
        assert ladder.is_served()
        log = LadderFolder(ladder.path, first).open_log()
        append(log, BotPaused("a"))
        before = lines_of(ladder)
        for is_late in (False, True):
            with pytest.raises(LeadLost, match="another host serves this ladder now"):
                append(log, BotResumed("a"), None if is_late else ladder)
        assert lines_of(ladder) == before
        Administration(ladder).change(BotResumed("a"))
    assert not ladder.is_served()


def raise_leader(ladder: LadderFolder) -> None:
    address = database_of(ladder).address
    with psycopg.connect(address.database.url) as connection:
        connection.execute("UPDATE contest SET leader = leader + 1 WHERE name = %s", (address.contest,))


def append(log: SharedLog, event: BotPaused | BotResumed, overtaken: LadderFolder | None = None) -> None:
    """Appends an event; another host takes over this ladder meanwhile."""
    with log.appending() as tail:
        if overtaken is not None:
            raise_leader(overtaken)
        tail.append(event)


def test_nothing_is_appended_after_what_was_not_read(ladder: LadderFolder) -> None:
    lines, at = ladder.lines, len(lines_of(ladder))
    Administration(ladder).change(BotPaused("a"))
    last = lines_of(ladder)[-1].decode()
    with lines.lock():
        with pytest.raises(StoreError, match="another process appended to the log while the server was gone"):
            lines.append(["one\n"], at)
        assert lines.append([last], at) == at + 1  # as if its success had not been heard
    assert len(lines_of(ladder)) == at + 1


def test_a_missing_line_is_noticed(ladder: LadderFolder) -> None:
    address = database_of(ladder).address
    with closing(psycopg.connect(address.database.url, autocommit=True)) as connection:
        connection.execute(
            "DELETE FROM line WHERE place = 2 AND contest = (SELECT id FROM contest WHERE name = %s)",
            (address.contest,),
        )
    with pytest.raises(ContestError, match="line 2 of the log is missing"):
        ladder.open_log().read()


class Waiting:
    """Starts the server again when it has been waited for."""

    def __init__(self, server: PostgresServer) -> None:
        self.told: list[str] = []
        self._server = server

    def tell(self, text: str) -> None:
        self.told.append(text)

    def wait(self, seconds: float) -> bool:
        if not self._server.runs:
            self._server.start()
        return True


def test_a_host_waits_for_a_server_that_is_gone(ladder: LadderFolder, server: PostgresServer) -> None:
    waiting = Waiting(server)
    with database_of(ladder).lead(waiting) as led:
        log = LadderFolder(ladder.path, led).open_log(lambda: NOW)
        with log.appending() as tail:
            server.stop("immediate")
            tail.append(BotPaused("a"))
        assert "the server is gone" in waiting.told[0]
        assert lines_of(ladder)[-1].endswith(b'"bot_paused":{"bot":"a"}}\n')
        server.stop("immediate")
        with pytest.raises(StoreGone, match="the server is gone: "):
            ladder.open_log()
        append(log, BotResumed("a"))
        assert lines_of(ladder)[-1].endswith(b'"bot_resumed":{"bot":"a"}}\n')


def test_rooms_that_finish_while_the_server_is_gone_are_stored_once(
    ladder: LadderFolder, server: PostgresServer
) -> None:
    waiting, rooms = Waiting(server), iter(range(1, 100))

    def play(spec: MatchSpec) -> MatchOutcome:
        if next(rooms) in (2, 4):
            server.stop("immediate")
        return played(spec)

    with (
        database_of(ladder).lead(waiting) as storage,
        host(LadderFolder(ladder.path, storage), play, patience=waiting) as serving,
    ):
        serving.steps(7)
    finished = [event.room for event in events(ladder) if isinstance(event, RoomFinished)]
    assert finished == [1, 2, 3, 4, 5, 6]
    assert count(ladder, RoomVoided) == 0
    assert verify_epoch(ladder.path, 1, jobs=1).rooms == 4
    assert any("Results are kept until" in text for text in waiting.told)


def test_a_transaction_that_falls_silent_is_ended(server: PostgresServer) -> None:
    with closing(connect(parse_database(server.url), writing=True)) as connection:
        assert connection.execute("SHOW idle_in_transaction_session_timeout").fetchone() == ("5s",)


def test_the_session_with_the_lock_of_a_busy_host_shows_that_it_lives(
    ladder: LadderFolder, server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_beat, "BEAT_S", 0.001)
    beats = (
        "SELECT count(*) FROM pg_stat_activity s JOIN pg_locks l USING (pid) WHERE objsubid = 2 AND query = 'SELECT 1'"
    )
    with closing(connect(parse_database(server.url), writing=True)) as connection:
        connection.autocommit = True
        with ladder.lines.lock():
            while connection.execute(beats).fetchone() == (0,):
                """The host is busy."""
        while connection.execute(beats).fetchone() != (0,):
            """The server has not heard of the session's end yet."""


def test_the_log_calls_finished_only_what_is_stored(ladder: LadderFolder, server: PostgresServer) -> None:
    waiting = Waiting(server)

    def play(spec: MatchSpec) -> MatchOutcome:
        server.stop("immediate")
        return played(spec)

    with (
        database_of(ladder).lead(waiting) as storage,
        host(LadderFolder(ladder.path, storage), play, patience=waiting) as serving,
    ):
        serving.steps(1)
        serving.rooms.free = 0  # no other room is called, which would be stored, too
        serving.steps(1)
        assert count(ladder, RoomFinished) == 1
        stored = [Run.open(ladder.epoch(1, rated=rated)).matches() for rated in (True, False)]
        assert sum(map(len, stored)) == 1
