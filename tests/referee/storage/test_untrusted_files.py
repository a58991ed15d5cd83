"""A run folder or an export from an untrusted source: no endless file is read, and nothing through a link."""

from __future__ import annotations

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
    *("verify RUN --jobs 1", "standings RUN", "stats RUN", "rate RUN", "plot RUN --out OUT", "replay RUN 3"),
    *("replay RUN 3 --html OUT", "repro RUN 3 mybot.py --deal 1", "export RUN --format jsonl --out OUT"),
    *("export RUN --format csv --out OUT", "export RUN --format site --out OUT", "void RUN 3 --reason doubt"),
    "serve RUN --port 0",
)
OF_RECORDS = [words for words in READERS if words.split()[0] in ("verify", "stats", "replay", "repro", "export")]
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
    assert f"{run / name}: it is {told}, but must be a regular file: get a new copy" in done.err


@pytest.mark.parametrize("end", ["-wal", "-journal", "-shm"])
def test_what_sqlite_reads_beside_a_database_is_regular_too(run: Path, end: str) -> None:
    os.mkfifo(run / f"run.db{end}")
    assert f"run.db{end}: it is a pipe, but must" in said_by(2, "standings", run)


@pytest.mark.parametrize("command", ["verify RUN --jobs 1", "export RUN --format jsonl --out OUT"])
@pytest.mark.parametrize("kind", KINDS)
def test_standings_are_a_regular_file(run: Path, kind: str, command: str) -> None:
    """An export would publish what a link leads to."""
    replaced(run / "standings.json", kind)
    assert f"{run / 'standings.json'}: it is a " in said_by(2, *words_for(command, run))
    assert not run.with_name("out").exists()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name", ["manifest.json", "standings.json", "matches.jsonl", "voids.jsonl", "timings.jsonl", "records/m0003.jsonl"]
)
def test_an_export_is_read_from_regular_files_alone(exported: Path, name: str, kind: str) -> None:
    replaced(exported / name, kind)
    assert f"{exported / name}: it is {kind.removesuffix(' to a device')}, but must be a regular file" in said_by(
        2, "verify", exported, "--jobs", 1
    )


def test_the_records_lie_in_the_folder_itself(exported: Path, tmp_path: Path) -> None:
    (exported / "records").rename(tmp_path / "elsewhere")
    (exported / "records").symlink_to(tmp_path / "elsewhere")
    assert "records: it must be a folder, not a link or a file" in said_by(2, "verify", exported)


@pytest.mark.parametrize(
    ("name", "longest"),
    [("manifest.json", "64 MiB"), ("standings.json", "256 MiB"), ("records/m0003.jsonl", "256 MiB")],
)
def test_a_file_without_end_is_not_read_to_its_end(exported: Path, name: str, longest: str) -> None:
    os.truncate(exported / name, 10**12)  # it takes no room on the disk
    assert f"{exported / name}: it is longer than {longest}, which no file of a run is: get a new copy" in said_by(
        2, "verify", exported, "--jobs", 1
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
    assert "run.db: string or blob too big; it contains a value longer than any of a run: restore a copy" in said_by(
        2, "replay", run, "3"
    )


def test_a_line_of_a_record_is_not_read_to_its_end(bourre: Bourre, run: Path) -> None:
    """JSON takes many times the memory of its text."""
    text = b'{"bourre":[%s0]}\n' % (b"[]," * 400_000)
    Tamperer(run).execute(
        'UPDATE "match" SET record = ?, sha256 = ? WHERE number = 3', zlib.compress(text), hashlib.sha256(text).digest()
    )
    done = bourre("replay", run, "3")
    assert (done.code, done.out) == (1, "")
    assert "line 1: it has 1,200,014 characters; a line may have at most 1,000,000" in done.err


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
    bourre("void", run, "3", "--reason", "doubt")
    with rooms_in_process():
        bourre("run", run_and_export / "contest" / "contest.toml", "--out", run)
    assert (private.read_text() if private.exists() else None) == (None if dangling else "mine")


def test_no_folder_that_a_stranger_names_is_removed(
    bourre: Bourre, run_and_export: Path, run: Path, tmp_path: Path
) -> None:
    for name in ("bourre-work", "bourre-0123abcd"):
        (tmp_path / name).mkdir()
        (run / "run.scratch").write_text(str(tmp_path / name))
        bourre("void", run, "3", "--reason", "doubt")
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
