"""The database of a run folder: what is stored stays intact; damage is refused with a message."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.rules.deck import master_seed
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.contest.stages import match_number
from bourre_referee.model.errors import StoreError
from bourre_referee.model.spec import MatchOutcome
from bourre_referee.storage.database.sqlite_connection import engine, is_ours
from bourre_referee.storage.database.store import Finished, Store
from bourre_referee.storage.database.store_reader import StoreReader
from bourre_referee.storage.database.translation import blocks_in
from bourre_referee.storage.files.bounded_zlib import Unpacking
from tests.referee.contests import small_contest
from tests.referee.rooms import played

SEED = "ab" * 32


@pytest.fixture
def outcomes(tmp_path: Path) -> list[MatchOutcome]:
    """The outcomes of four matches, in schedule order."""
    return [played(match) for match in matches_of(small_contest(tmp_path / "contest"), master_seed(7))[:4]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a folder, #1?.d" / "run.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    path.parent.mkdir()
    with Store.create(path, "small", SEED) as store:
        yield store


def add(store: Store, *outcomes: MatchOutcome) -> None:
    store.add(*(Finished(match_number(outcome.result.match), 1, outcome) for outcome in outcomes))


def changed(path: Path, statement: str, *values: object) -> None:
    """Changes the database behind the store's back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def test_an_empty_store_holds_nothing(store: Store) -> None:
    assert (store.results(), list(store.records()), store.record_hashes()) == ([], [], {})


def test_what_was_stored_is_there_for_the_next_process(path: Path, store: Store, outcomes: list[MatchOutcome]) -> None:
    add(store, outcomes[0])
    for writing in (False, True):
        with (Store if writing else StoreReader).open(path, SEED) as again:
            assert again.results() == [outcomes[0].result]


def test_a_match_is_stored_once(store: Store, outcomes: list[MatchOutcome]) -> None:
    add(store, outcomes[0])
    with pytest.raises(StoreError, match=r"UNIQUE constraint failed: match\.contest, match\."):
        add(store, outcomes[0])


def test_commits_wait_for_the_disk(path: Path, store: Store) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with closing(engine(path, "rw").raw_connection()) as own:
        cursor = own.cursor()
        for pragma, value in [("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)]:
            assert cursor.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_a_deal_takes_little_room(path: Path, tmp_path: Path) -> None:
    contest = replace(small_contest(tmp_path / "contest"), seats=5, deals=100)
    matches = matches_of(contest, master_seed(7))
    path.parent.mkdir()
    with Store.create(path, "small", SEED) as store:
        add(store, *(played(match) for match in matches))
    assert path.stat().st_size / (len(matches) * 100) < 250


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("PRAGMA user_version = 9", "is from a newer version of bourre (database version 9, this one reads 2 to 5)"),
        ("PRAGMA application_id = 9", "is a database, but not of a contest."),
        (f"UPDATE contest SET commitment = '{'cd' * 32}'", "belongs to another run."),
    ],
)
def test_the_database_of_something_else_is_refused(path: Path, store: Store, change: str, said: str) -> None:
    changed(path, change)
    with pytest.raises(StoreError) as caught:
        StoreReader.open(path, SEED)
    assert str(caught.value).startswith(f"{path} {said}")


def test_what_is_no_database_is_refused(path: Path, store: Store) -> None:
    path.write_bytes(b"not a database at all, " * 300)
    with pytest.raises(StoreError, match=r"run\.db: file is not a database\.\nhint: restore"):
        StoreReader.open(path, SEED)


def test_a_damaged_page_is_seen_before_anything_is_added(
    path: Path, store: Store, outcomes: list[MatchOutcome]
) -> None:
    add(store, *outcomes)
    store.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)
    with pytest.raises(StoreError, match="restore it from a backup, or set another"):
        Store.open(path, SEED)


def test_damage_outside_of_all_tables_is_seen_before_anything_is_added(path: Path, store: Store) -> None:
    store.close()
    with path.open("r+b") as file:
        file.seek(36)  # of the header: how many pages are free
        file.write(b"\x00\x00\x00\x05")
    with pytest.raises(
        StoreError, match=r"run\.db is damaged \([^\n]* should be 5\).\nhint: restore it from a backup, or set"
    ):
        Store.open(path, SEED)
    StoreReader.open(path, SEED).close()


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"unable to open database file\."):
        Store.open(tmp_path / "run.db", SEED)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("record", [b"rubbish", zlib.compress(b'{"bourre":1}')])
def test_a_record_that_was_changed_is_not_shown(
    path: Path, store: Store, outcomes: list[MatchOutcome], record: bytes
) -> None:
    add(store, *outcomes)
    changed(path, "UPDATE match SET record = ? WHERE match = 'm0002'", record)
    with pytest.raises(StoreError, match=r"run\.db: the record of m0002 (is damaged|was changed after the match)"):
        store.record("m0002")
    with pytest.raises(StoreError, match="restore the database from a backup"):
        list(store.records())


def test_a_result_that_contradicts_itself_is_not_counted(
    path: Path, store: Store, outcomes: list[MatchOutcome]
) -> None:
    add(store, outcomes[0])
    changed(path, "UPDATE seat SET chips = chips + 1 WHERE seat = 0")
    with pytest.raises(StoreError, match=r"run\.db: the chips of match m0001 add up to 1, not to 0: .*\nhint: restore"):
        store.results()


def test_a_database_of_ours_is_known_by_its_mark(path: Path, store: Store, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    changed(other, "CREATE TABLE match (number)")
    assert [is_ours(file) for file in (path, other, tmp_path / "none", tmp_path)] == [True, False, False, False]


def test_a_sealed_database_is_one_file_that_readers_leave_so(
    path: Path, store: Store, outcomes: list[MatchOutcome]
) -> None:
    add(store, *outcomes)
    assert len(list(path.parent.iterdir())) > 1
    store.seal()
    with StoreReader.open(path, SEED) as reader:
        assert len(reader.results()) == 4
    assert list(path.parent.iterdir()) == [path]


def test_a_database_that_is_being_read_is_not_sealed(path: Path, store: Store, outcomes: list[MatchOutcome]) -> None:
    add(store, *outcomes)
    with StoreReader.open(path, SEED) as reader:
        records = reader.records()
        first = next(records)
        store.seal()
        assert [first, *records] == [outcome.record for outcome in outcomes]
    with Store.open(path, SEED) as again:
        assert len(again.results()) == 4


def test_a_half_made_database_is_made_anew(path: Path, store: Store) -> None:
    other = path.with_name("other.db")
    path.with_name("other.db.new").write_bytes(b"half")
    with Store.create(other, "small", SEED) as made:
        assert made.record_hashes() == {}
    assert not path.with_name("other.db.new").exists()


@pytest.mark.parametrize(
    "found",
    [
        '[[[1, -1], [0, "0"]]]',
        "[[[1.0, -1], [0, 0]]]",
        "[[[true, -1], [0, 0]]]",
        "[[1]]",
        "[1]",
        "{",
        "[" * 100_000,
        "\xff",
    ],
)
def test_results_of_deals_that_are_no_numbers_are_damaged(found: str) -> None:
    assert len(blocks_in(zlib.compress(b"[[[1, -1], [0, 0]]]"), Unpacking())) == 1
    with pytest.raises(ValueError, match=r"^the results of its deals are damaged "):
        blocks_in(zlib.compress(found.encode("latin-1")), Unpacking())
