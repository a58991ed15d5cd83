"""A file or a folder appears whole, with its permissions, or not at all."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.digest import Chain, digest, hash_of


def test_a_file_is_replaced_as_a_whole_and_what_a_killed_process_left_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a longer text than the next one")
    (tmp_path / "file.new").write_text("half of")
    atomic.write(path, "é\n", 0o600)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == ("é\n".encode(), 0o600)
    assert [*tmp_path.iterdir()] == [path]


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(ContestError, match=r"file: cannot be written \(.*\): check its permissions and the free disk"):
        atomic.write(tmp_path / "file", "text")
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]


def test_a_new_folder_appears_at_the_end_and_leaves_another_one_alone(tmp_path: Path) -> None:
    out = tmp_path / "a" / "out"

    def make(fails: bool) -> None:
        with atomic.new_folder(out, " here") as folder:
            (folder / "x").touch()
            assert not out.exists()
            if fails:
                raise KeyError("a mistake of ours")

    with pytest.raises(KeyError):
        make(fails=True)
    assert [*out.parent.iterdir()] == []
    make(fails=False)
    assert [*out.parent.rglob("*")] == [out, out / "x"]
    with pytest.raises(ContestError, match=r"out: it already exists; remove it, or give a new folder here$"):
        make(fails=False)


def test_the_digest_is_that_of_all_records_in_a_row() -> None:
    assert digest(["a\n", "é\n"]) == hashlib.sha256("a\né\n".encode()).hexdigest()
    assert digest([]) == hashlib.sha256(b"").hexdigest()


def test_the_chain_ends_before_the_first_gap_and_goes_on_when_it_is_closed() -> None:
    begun = hashlib.sha256(b"seed").digest()
    hashes = {f"m000{number}": hash_of(f"record {number}") for number in (1, 2, 3, 4)}
    links = [begun]
    for record_hash in hashes.values():
        links.append(hashlib.sha256(links[-1] + record_hash).digest())
    chain = Chain(begun.hex())
    for finished, length in [((), 0), ((2,), 0), ((4, 1, 2), 2), ((4, 1, 2), 2), ((1, 2, 3, 4), 4)]:
        chain.extend({f"m000{number}": hashes[f"m000{number}"] for number in finished})
        assert (chain.length, str(chain)) == (length, links[length].hex())


def test_what_will_never_be_played_is_no_gap() -> None:
    begun = hashlib.sha256(b"seed").hexdigest()
    records = [hash_of(f"record {number}") for number in range(3)]
    chain, whole = Chain(begun, {1, 3, 4}), Chain(begun)
    whole.extend({f"m000{number}": record for number, record in enumerate(records, start=1)})
    chain.extend({"m0002": records[0], "m0006": records[2]})
    assert str(chain) != str(whole)
    chain.extend({"m0002": records[0], "m0005": records[1], "m0006": records[2]})
    assert str(chain) == str(whole)
