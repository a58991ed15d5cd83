"""`verify_deals.py` on an untrusted folder: nothing endless is read, nothing through a link, and nothing hides."""

import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from bourre_referee.export.export_writer import export
from bourre_referee.storage.run.run import Run
from tests.project.test_records_document import hand, kept, verified
from tests.referee.tampering import Tamperer

pytestmark = pytest.mark.xdist_group("processes")

__all__ = ["hand", "kept"]


def linked(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").symlink_to("/dev/zero")


def piped(folder: Path) -> None:
    (folder / "run.db").unlink()
    os.mkfifo(folder / "run.db")


def swollen(folder: Path) -> None:
    packing = zlib.compressobj(9)
    packed = b"".join(packing.compress(b" \n" * 2**19) for _ in range(600)) + packing.flush()
    Tamperer(folder).execute('UPDATE "match" SET record = ? WHERE number = 3', packed)


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (linked, "manifest.json is no regular file"),
        (piped, "run.db is no regular file"),
        (swollen, "the record of m0003 breaks off, or is longer than "),
    ],
)
def test_a_strangers_folder_is_read_within_bounds(hand: Tamperer, harm: Callable[[Path], None], says: str) -> None:
    harm(hand.folder)
    code, said = verified(hand.folder)
    assert code == 2
    assert says in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            "CREATE TABLE notes (text TEXT)",
            "what the database holds besides the tables of a run is {('table', 'notes')}",
        ),
        ("CREATE VIEW seen AS SELECT 1", "what the database holds besides the tables of a run is {('view', 'seen')}"),
        (
            "UPDATE \"match\" SET record = CAST(record || 'more' AS BLOB) WHERE number = 3",
            "match m0003: what follows its packed record is b'more', should be b''",
        ),
    ],
)
def test_what_the_database_holds_besides_is_found(hand: Tamperer, statement: str, says: str) -> None:
    hand.execute(statement)
    code, said = verified(hand.folder)
    assert code == 4
    assert said.startswith(f"difference: {says}")


def test_what_an_export_holds_besides_is_found(kept: Path, tmp_path: Path) -> None:
    export(Run.open(kept), "jsonl", tmp_path / "out")
    (tmp_path / "out" / "records" / "m0099.jsonl").touch()
    says = "difference: what no line names among the records is {'m0099.jsonl'}, should be set()\n"
    assert verified(tmp_path / "out") == (4, says)
    (tmp_path / "out" / "records" / "m0001.jsonl").unlink()
    os.mkfifo(tmp_path / "out" / "records" / "m0001.jsonl")
    code, said = verified(tmp_path / "out")
    assert code == 2
    assert "m0001.jsonl is no regular file" in said


@pytest.mark.parametrize("name", ["manifest.json", "matches.jsonl", "voids.jsonl", "records/m0004.jsonl"])
def test_a_key_that_stands_twice_is_found(kept: Path, tmp_path: Path, name: str) -> None:
    export(Run.open(kept), "jsonl", tmp_path / "out")
    path = tmp_path / "out" / name
    text = path.read_text() or '{"match":"m0001","attempt":1}\n'
    path.write_text(text.replace("{", '{"twice":1,"twice":1,', 1))
    says = "difference: a JSON object with 'twice' more than once: it is True, should be False\n"
    assert verified(tmp_path / "out") == (4, says)
