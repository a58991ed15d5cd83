"""A run folder or an export from an untrusted source: nothing in it hides from `verify`."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.referee.command import Bourre, said_by, words_for
from tests.referee.tampering import Tamperer


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
    assert f"{path}: the key 'finished' appears twice in one object; restore a copy" in said_by(2, "standings", run)


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
