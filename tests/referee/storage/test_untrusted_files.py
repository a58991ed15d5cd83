"""A run folder or an export from a stranger: nothing hides in it, no endless file is read, nothing through a link."""

import hashlib
import os
import resource
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from bourre_referee.storage.files import bounded_zlib
from tests.referee.command import Bourre, said_by, words_for
from tests.referee.in_process import rooms_in_process
from tests.referee.tampering import Tamperer

READERS = (
    *(
        "verify RUN --jobs 1",
        "standings RUN",
        "stats RUN",
        "stats RUN --ratings",
        "export RUN --format plots --out OUT",
        "replay RUN 3",
    ),
    *("replay RUN 3 --html OUT", "debug RUN 3 mybot.py --deal 1", "export RUN --format jsonl --out OUT"),
    *("export RUN --format csv --out OUT", "export RUN --format site --out OUT", "annul RUN 3 --reason doubt"),
    "view RUN --port 0",
)
OF_RECORDS = [
    words
    for words in READERS
    if words.split()[0] in ("verify", "stats", "replay", "debug", "export")
    and not {"--ratings", "plots"}.intersection(words.split())
]
MIB = 2**20


def link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_a_file(path: Path) -> None:
    path.symlink_to(path.rename(path.with_name("elsewhere")))


KINDS: dict[str, Callable[[Path], None]] = {
    "a link to a device": link_to_a_device,
    "a link": link_to_a_file,
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
}


def replaced(path: Path, kind: str) -> None:
    """Replaces a file with such a thing."""
    if kind != "a link":
        path.unlink(missing_ok=True)
    KINDS[kind](path)


@pytest.mark.parametrize(
    ("command", "kind"), [*((command, "a link") for command in READERS), *((READERS[0], kind) for kind in KINDS)]
)
@pytest.mark.parametrize("name", ["manifest.json", "run.db"])
def test_a_run_is_read_from_regular_files_alone(bourre: Bourre, run: Path, name: str, command: str, kind: str) -> None:
    replaced(run / name, kind)
    done = bourre(*words_for(command, run))
    assert (done.code, done.out) == (2, "")
    told = kind.removesuffix(" to a device")
    assert f"{run / name} is {told}, but must be a regular file.\nhint: get a new copy" in done.err


@pytest.mark.parametrize("end", ["-wal", "-journal", "-shm"])
def test_what_sqlite_reads_beside_a_database_is_regular_too(run: Path, end: str) -> None:
    os.mkfifo(run / f"run.db{end}")
    assert f"run.db{end} is a pipe, but must" in said_by(2, "standings", run)


@pytest.mark.parametrize("command", ["verify RUN --jobs 1", "export RUN --format jsonl --out OUT"])
@pytest.mark.parametrize("kind", KINDS)
def test_standings_are_a_regular_file(run: Path, kind: str, command: str) -> None:
    """An export would publish what a link leads to."""
    replaced(run / "standings.json", kind)
    assert f"{run / 'standings.json'} is a " in said_by(2, *words_for(command, run))
    assert not run.with_name("out").exists()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name", ["manifest.json", "standings.json", "matches.jsonl", "voids.jsonl", "timings.jsonl", "records/m0003.jsonl"]
)
def test_an_export_is_read_from_regular_files_alone(exported: Path, name: str, kind: str) -> None:
    replaced(exported / name, kind)
    assert f"{exported / name} is {kind.removesuffix(' to a device')}, but must be a regular file" in said_by(
        2, "verify", exported, "--jobs", 1
    )


def test_the_records_lie_in_the_folder_itself(exported: Path, tmp_path: Path) -> None:
    (exported / "records").rename(tmp_path / "elsewhere")
    (exported / "records").symlink_to(tmp_path / "elsewhere")
    assert "records must be a folder, not a link or a file" in said_by(2, "verify", exported)


@pytest.mark.parametrize(
    ("name", "longest"),
    [
        ("manifest.json", "64 MiB"),
        pytest.param("standings.json", "256 MiB", marks=pytest.mark.long),
        ("records/m0003.jsonl", "256 MiB"),
    ],
)
def test_a_file_without_end_is_not_read_to_its_end(exported: Path, name: str, longest: str) -> None:
    os.truncate(exported / name, 10**12)  # it takes no room on the disk
    assert (
        f"{exported / name} is larger than {longest}, the limit for files of a run.\nhint: get a new copy"
        in said_by(2, "verify", exported, "--jobs", 1)
    )


@pytest.mark.parametrize("name", ["matches.jsonl", "voids.jsonl", "timings.jsonl"])
def test_a_line_without_end_is_not_read_to_its_end(exported: Path, name: str) -> None:
    (exported / name).write_bytes(b"")
    os.truncate(exported / name, 10**12)
    assert f"{exported / name}:1: the line is longer than 16 MiB" in said_by(2, "verify", exported, "--jobs", 1)


@cache
def bomb(unpacked: int) -> bytes:
    """This many bytes of spaces and newlines, compressed."""
    packing = zlib.compressobj(9)
    return b"".join(packing.compress(b" \n" * (MIB // 2)) for _ in range(unpacked // MIB)) + packing.flush()


@pytest.mark.parametrize("command", OF_RECORDS)
def test_a_record_does_not_take_all_memory(bourre: Bourre, run: Path, command: str) -> None:
    Tamperer(run).execute('UPDATE "match" SET record = ? WHERE number = 3', bomb(200 * MIB))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done = bourre(*words_for(command, run))
    assert done.code == (4 if command.startswith("verify") else 2)
    assert "it unpacks to more than 40 times its size, which nothing in a run does" in done.out + done.err
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150 * 1024  # KiB


def test_many_small_records_do_not_take_it_either(run: Path) -> None:
    """The records of void attempts are in memory together."""
    for attempt in range(1, 60):
        values = (attempt, bomb(12 * MIB))
        Tamperer(run).execute("INSERT INTO void VALUES (1, 'm0003', ?, 'organiser', 'x', 'x', 0, ?)", *values)
    assert "run.db: no run stores such a record (it unpacks to more than 40 times its size" in said_by(
        4, "verify", run, "--jobs", 1
    )


@pytest.mark.parametrize("command", ["verify RUN --jobs 1", "standings RUN"])
def test_results_of_deals_do_not_take_it_either(bourre: Bourre, run: Path, command: str) -> None:
    Tamperer(run).execute('UPDATE "match" SET blocks = ?', bomb(12 * MIB))
    done = bourre(*words_for(command, run))
    assert done.code in (2, 4)
    assert "the results of its deals are damaged" in done.out + done.err


def test_a_value_without_end_is_not_read(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bourre_referee.storage.database.sqlite_connection.LONGEST_VALUE", MIB)
    Tamperer(run).execute('UPDATE "match" SET record = zeroblob(2000000) WHERE number = 3')
    assert "run.db: string or blob too big." in said_by(2, "replay", run, "3")


def test_a_line_of_a_record_is_not_read_to_its_end(bourre: Bourre, run: Path) -> None:
    """JSON takes many times the memory of its text."""
    text = b'{"bourre":[%s0]}\n' % (b"[]," * 400_000)
    Tamperer(run).execute(
        'UPDATE "match" SET record = ?, sha256 = ? WHERE number = 3', zlib.compress(text), hashlib.sha256(text).digest()
    )
    done = bourre("replay", run, "3")
    assert (done.code, done.out) == (1, "")
    assert "line 1: it has 1,200,014 characters, but a line has at most 1,000,000" in done.err


@pytest.mark.parametrize("name", ["run.lock", "run.scratch"])
@pytest.mark.parametrize("dangling", [False, True])
def test_nothing_is_written_through_a_link(
    bourre: Bourre, run_and_export: Path, run: Path, tmp_path: Path, name: str, dangling: bool
) -> None:
    private = tmp_path / "private"
    if not dangling:
        private.write_text("mine")
    (run / name).unlink(missing_ok=True)
    (run / name).symlink_to(private)
    bourre("annul", run, "3", "--reason", "doubt")
    with rooms_in_process():
        bourre("run", run_and_export / "contest" / "contest.toml", "--out", run)
    assert (private.read_text() if private.exists() else None) == (None if dangling else "mine")


def test_no_folder_that_a_stranger_names_is_removed(
    bourre: Bourre, run_and_export: Path, run: Path, tmp_path: Path
) -> None:
    for name in ("bourre-work", "bourre-0123abcd"):
        (tmp_path / name).mkdir()
        (run / "run.scratch").write_text(str(tmp_path / name))
        bourre("annul", run, "3", "--reason", "doubt")
        with rooms_in_process():
            bourre("run", run_and_export / "contest" / "contest.toml", "--out", run)
        assert (tmp_path / name).is_dir()


def test_what_is_packed_may_unpack_to_what_an_honest_run_does() -> None:
    text = b"0123456789" * 1_600_000
    assert bounded_zlib.Unpacking().unpack(zlib.compress(text)) == text
    for broken in (zlib.compress(text)[:-1], b"", b"x"):
        with pytest.raises(bounded_zlib.Damaged):
            bounded_zlib.Unpacking().unpack(broken)


def test_values_share_what_they_may_unpack_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_zlib, "FREE", 3000)
    unpacking, value = bounded_zlib.Unpacking(), zlib.compress(bytes(2000))
    for _ in range(2):
        assert unpacking.unpack(value) == bytes(2000)
    with pytest.raises(ValueError, match="it unpacks to more than 40 times its size"):
        unpacking.unpack(value)


@pytest.mark.parametrize("command", ["verify RUN --jobs 1", "replay RUN 3", "export RUN --format jsonl --out OUT"])
@pytest.mark.parametrize("column", ["record", "blocks"])
def test_bytes_after_what_is_packed_are_a_difference(bourre: Bourre, run: Path, column: str, command: str) -> None:
    value = "record" if column == "record" else f"x'{zlib.compress(b'[]').hex()}'"
    Tamperer(run).execute(f"UPDATE \"match\" SET {column} = CAST({value} || x'00ff' AS BLOB) WHERE number = 3")
    done = bourre(*words_for(command, run))
    if column == "blocks" and command.startswith("replay"):
        assert done.code == 0  # which does not read them
    else:
        assert done.code == (4 if command.startswith("verify") else 2)
        assert "2 bytes follow its end" in done.out + done.err


def test_bytes_after_a_void_record_are_a_difference(run: Path) -> None:
    ((record,),) = Tamperer(run).execute('SELECT record FROM "match" WHERE number = 3')
    Tamperer(run).execute("INSERT INTO void VALUES (1, 'm0003', 1, 'organiser', 'x', 'x', 0, ?)", record + b"more")
    assert "run.db: no run stores such a record (4 bytes follow its end)" in said_by(4, "verify", run)


@pytest.mark.parametrize("form", ["csv", "jsonl", "site", "parquet", "run"])
def test_the_id_of_a_match_leads_no_export_out_of_its_folder(run: Path, tmp_path: Path, form: str) -> None:
    victim = tmp_path / "victim"
    Tamperer(run).execute('UPDATE "match" SET match = ? WHERE number = 1', str(victim))
    assert f"run.db: table match, number 1: match: '{victim}"[:100] in said_by(
        2, "export", run, "--format", form, "--out", tmp_path / "out"
    )
    assert {path.name for path in tmp_path.iterdir()} == {"run"}


EXTRAS: list[tuple[str, str]] = [
    ("CREATE TABLE notes (text TEXT)", "it has a table notes, which no run has"),
    ("CREATE TABLE 'a\x1bb' (text TEXT)", r"it has a table a\x1bb, which no run has"),
    ("ANALYZE", "it has a table sqlite_stat1, which no run has"),
    ("CREATE INDEX beside ON seat (bot)", "it has an index beside, which no run has"),
    ("ALTER TABLE seat ADD COLUMN note TEXT", "table seat has a column note, which no run has"),
    (
        "ALTER TABLE seat RENAME COLUMN wins TO w; "
        "ALTER TABLE seat ADD COLUMN wins INTEGER GENERATED ALWAYS AS (w) VIRTUAL",
        "table seat has a column w, which no run has",
    ),
    (
        "ALTER TABLE fault DROP COLUMN times; ALTER TABLE fault ADD COLUMN times INTEGER GENERATED ALWAYS AS (1)",
        "table fault: times is computed whenever it is read",
    ),
]


@pytest.mark.parametrize(("statements", "said"), EXTRAS, ids=[said for _, said in EXTRAS])
def test_a_database_holds_the_tables_of_a_run_alone(bourre: Bourre, run: Path, statements: str, said: str) -> None:
    for statement in statements.split("; "):
        Tamperer(run).execute(statement)
    done = bourre("verify", run)
    assert (done.code, done.out, done.err) == (4, f"difference: run.db: {said}\n", "")


def test_a_table_that_is_no_table_is_not_read(run: Path) -> None:
    """A view that counts without end would never answer."""
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS number FROM n"
    for statement in ("ALTER TABLE seat RENAME TO honest", f"CREATE VIEW seat AS {endless}"):
        Tamperer(run).execute(statement)
    assert "run.db: it has a view, seat; a run has only tables" in said_by(2, "standings", run)


@pytest.mark.parametrize("name", ["m0011.jsonl", "m0001.void1.jsonl", "notes.txt", "a\x1bb", "m0001"])
def test_a_file_too_many_among_the_records_is_a_difference(bourre: Bourre, exported: Path, name: str) -> None:
    (exported / "records" / name).write_text("x")
    done = bourre("verify", exported)
    shown = name.replace("\x1b", r"\\x1b")
    assert done.out == f"difference: records: no line of matches.jsonl or voids.jsonl names '{shown}'\n"
    assert (done.code, done.err) == (4, "")


@pytest.mark.parametrize("name", ["matches.jsonl", "timings.jsonl"])
def test_a_key_that_stands_twice_in_a_line_is_a_difference(bourre: Bourre, exported: Path, name: str) -> None:
    path = exported / name
    path.write_text(path.read_text().replace('{"bot":', '{"bot":"mallory","bot":', 1))
    done = bourre("verify", exported)
    assert (done.code, done.out) == (4, f"difference: {name}:1: the key 'bot' appears twice in one object\n")


@pytest.mark.parametrize("form", ["run", "exported"])
@pytest.mark.parametrize("name", ["manifest.json", "standings.json"])
def test_a_key_that_stands_twice_in_a_file_is_a_difference(
    bourre: Bourre, request: pytest.FixtureRequest, form: str, name: str
) -> None:
    folder: Path = request.getfixturevalue(form)
    (folder / name).write_text((folder / name).read_text().replace('"contest":', '"contest": "other", "contest":', 1))
    done = bourre("verify", folder)
    assert (done.code, done.out) == (4, f"difference: {name}: the key 'contest' appears twice in one object\n")


def test_a_key_that_stands_twice_in_the_manifest_is_refused_by_all(run: Path) -> None:
    path = run / "manifest.json"
    path.write_text(path.read_text().replace('"finished":', '"finished": 3, "finished":', 1))
    assert f"{path}: the key 'finished' appears twice in one object." in said_by(2, "standings", run)


def test_a_key_that_stands_twice_in_a_record_is_a_difference(run: Path) -> None:
    ((record,),) = Tamperer(run).execute('SELECT record FROM "match" WHERE number = 3')
    text = zlib.decompress(record).replace(b'"deal":2,', b'"deal":9,"deal":2,')
    Tamperer(run).execute('UPDATE "match" SET record = ? WHERE number = 3', zlib.compress(text))
    assert said_by(4, "verify", run).startswith("difference: match m0003: line 3: not written as version 1 writes it")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "timings.jsonl: the times of m0010 are missing"),
        (lambda lines: [*lines, lines[0]], "timings.jsonl:11: its match, attempt or bots differ from matches"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], "timings.jsonl:1: its match, attempt or bots differ"),
    ],
    ids=["less", "more", "swapped"],
)
def test_times_are_of_the_matches(exported: Path, change: Callable[[list[str]], list[str]], said: str) -> None:
    path = exported / "timings.jsonl"
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
    assert said_by(4, "verify", exported).startswith(f"difference: {said}")


def test_an_export_may_keep_its_times_to_itself(bourre: Bourre, exported: Path) -> None:
    (exported / "timings.jsonl").unlink()
    assert bourre("verify", exported).code == 0
