"""Zips of strangers: whatever is wrong with one is said in words, and nothing of it is written."""

import struct
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile, ZipInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import DEEPEST, LONGEST_NAME
from bourre_referee.storage.run import bot_zip
from bourre_referee.storage.run.bot_zip import MOST_ENTRIES, MOST_FILES, unpack_bot, unpack_submitted

TEXT = "from bourre import Bot, run\nrun(Bot)\n" * 40


def zip_of(*names: str, method: int = ZIP_DEFLATED, mode: int = 0, system: int = 3, first: str = "bot.py") -> bytes:
    """A zip of files of these names, after a good one; an empty file has an empty name."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", method) as archive:
        for name in (first, *names) if first else names:
            entry = ZipInfo(name)
            entry.create_system = system
            entry.external_attr, entry.compress_type = mode << 16, method
            archive.writestr(entry, TEXT)
    return buffer.getvalue()


def with_nul() -> bytes:
    """A zip with a NUL in a name, which the library cuts off there."""
    return zip_of("bot.py!x.txt").replace(b"bot.py!x", b"bot.py\0x")


def corrupt(data: bytes) -> bytes:
    """The zip with other bytes where the file's content begins."""
    at = data.index(b"bot.py") + len("bot.py")
    return data[:at] + b"\xff" * 8 + data[at + 8 :]


def with_wrong_crc(data: bytes) -> bytes:
    """The zip with other checksums in its directory."""
    at = data.index(b"PK\1\2") + 16
    return data[:at] + b"\0\0\0\0" + data[at + 4 :]


def with_a_password(data: bytes) -> bytes:
    """The zip with flags that say that it is encrypted."""
    there = data.index(b"PK\1\2") + 8
    return data[:6] + b"\1\0" + data[8:there] + b"\1\0" + data[there + 2 :]


def beginning_before_the_file(data: bytes) -> bytes:
    """The zip with an impossible place of its directory."""
    at = data.rindex(b"PK\5\6") + 12
    return data[:at] + struct.pack("<II", 0xFFFFFFF0, 0xFFFFFFF0) + data[at + 8 :]


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "deep": (lambda: zip_of("d/" * (DEEPEST + 1) + "x"), "more than 16 folders deep"),
    "chains": (lambda: zip_of(*(f"c{chain}/" + "d/" * 399 + "x" for chain in range(60))), "folders deep"),
    "folders": (lambda: zip_of(*(f"{n}/{n}a/{n}b/x" for n in range(MOST_FILES // 3 + 1))), "folders, more than 500"),
    "files": (lambda: zip_of(*map(str, range(MOST_FILES))), "501 files, more than 500"),
    "entries": (lambda: zip_of(*(f"{n}/" for n in range(MOST_ENTRIES))), "more than 10,000 entries"),
    "long name": (lambda: zip_of("x" * (LONGEST_NAME + 1)), "longer than 200 bytes"),
    "300 bytes": (lambda: zip_of("\u00e9" * 150), "longer than 200 bytes"),
    "empty name": (lambda: zip_of(""), "not a path inside"),
    "a dot": (lambda: zip_of("."), "not a path inside"),
    "above": (lambda: zip_of("a/../../x"), "not a path inside"),
    "absolute": (lambda: zip_of("/x"), "not a path inside"),
    "a drive": (lambda: zip_of("C:x"), "not a path inside"),
    "a backslash": (lambda: zip_of("a\\x"), "not a path inside"),
    "a backslash of Windows that leads above": (lambda: zip_of("a\\..\\..\\x", system=0), "not a path inside"),
    "a drive of Windows": (lambda: zip_of("C:\\x", system=0), "not a path inside"),
    "a server of Windows": (lambda: zip_of("\\\\host\\x", system=0), "not a path inside"),
    "only litter": (lambda: zip_of(".DS_Store", first="__MACOSX/._bot.py"), "has no file"),
    "a tar": (lambda: b"\x1f\x8b" + zip_of(), "use a zip instead"),
    "NUL": (with_nul, "cannot be shown"),
    "ESC": (lambda: zip_of("\x1b[2J"), "cannot be shown"),
    "twice": (lambda: zip_of("./bot.py"), "of the same name"),
    "twice but for case": (lambda: zip_of("BOT.py"), "of the same name"),
    "twice but for composition": (lambda: zip_of("\u00e9", "e\u0301"), "of the same name"),
    "a file and a folder": (lambda: zip_of("Bot.py/x"), "a file and a folder"),
    "a link": (lambda: zip_of("x", mode=0o120777), "is a link"),
    "a device": (lambda: zip_of("x", mode=0o020666), "a device"),
    "LZMA": (lambda: zip_of(method=ZIP_LZMA), "unusual compression"),
    "corrupt LZMA": (lambda: corrupt(zip_of(method=ZIP_LZMA)), "unusual compression"),
    "corrupt": (lambda: corrupt(zip_of()), "Cannot read this zip"),
    "a checksum": (lambda: with_wrong_crc(zip_of(method=ZIP_STORED)), "Cannot read this zip"),
    "a password": (lambda: with_a_password(zip_of()), "Cannot read this zip"),
    "a directory nowhere": (lambda: beginning_before_the_file(zip_of()), "Cannot read this zip"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_wrong_with_a_zip_is_said_and_nothing_is_written(kind: str, tmp_path: Path) -> None:
    make, words = BAD[kind]
    with pytest.raises(ContestError, match=words) as refused:
        unpack_bot(make(), tmp_path)
    assert len(str(refused.value)) < 250
    assert [*tmp_path.iterdir()] == []


def files_in(folder: Path) -> set[str]:
    """The paths of all files in this folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_zip_with_folders_of_its_own_is_unpacked(tmp_path: Path) -> None:
    deepest = "d/" * DEEPEST + "x"
    assert unpack_submitted(zip_of("lib/", "lib/a.py", "empty/", deepest), tmp_path, "bot.py") == ("bot.py", "d", "lib")
    assert files_in(tmp_path) == {"bot.py", "lib/a.py", deepest}


def test_all_files_of_a_zip_together_may_be_no_longer_than_a_bot_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_zip, "LARGEST_BOT", 2 * len(TEXT))
    unpack_bot(zip_of("lib/a.py", mode=0o100755), tmp_path / "fits")
    assert files_in(tmp_path / "fits") == {"bot.py", "lib/a.py"}
    assert (tmp_path / "fits" / "bot.py").stat().st_mode & 0o111 == 0o111
    with pytest.raises(ContestError, match="The files are larger than"):
        unpack_bot(zip_of("lib/a.py", "b.py", mode=0o100644), tmp_path / "longer")
    assert not (tmp_path / "longer").exists(), "all is read before anything is written"
    unpack_bot(zip_of("lib/a.py", mode=0o100644), tmp_path / "plain")
    assert (tmp_path / "plain" / "bot.py").stat().st_mode & 0o111 == 0


def test_what_a_system_adds_to_a_zip_is_left_out_and_counts_nothing(tmp_path: Path) -> None:
    litter = [f"__MACOSX/._{number}" for number in range(MOST_FILES)]
    unpack_bot(zip_of(".DS_Store", "lib/._a.py", "lib/a.py", "../.git/config", *litter), tmp_path)
    assert files_in(tmp_path) == {"bot.py", "lib/a.py"}


def test_backslashes_of_windows_are_folders(tmp_path: Path) -> None:
    assert unpack_submitted(zip_of("my\\", "my\\lib\\a.py", first="my\\bot.py", system=0), tmp_path / "place", "bot.py")
    assert files_in(tmp_path / "place") == {"bot.py", "lib/a.py"}


@pytest.mark.parametrize("main", ["bot.py", "", "src/main.py"])
def test_a_zip_goes_where_the_command_looks_for_it(tmp_path: Path, main: str) -> None:
    """A command that names no file, such as `python -m mybot`, needs the zip as it is."""
    folder = tmp_path / "place"
    folder.mkdir()
    inner = {"bot.py": "Bot.py", "": "bot.py", "src/main.py": "src/main.py"}[main]
    tops = unpack_submitted(zip_of("mybot-main/lib/a.py", first=f"mybot-main/{inner}"), folder, main)
    expected = {"bot.py": {"bot.py", "lib/a.py"}, "src/main.py": {"src/main.py", "lib/a.py"}}
    assert files_in(folder) == expected.get(main, {"mybot-main/bot.py", "mybot-main/lib/a.py"})
    assert set(tops) == {file.partition("/")[0] for file in files_in(folder)}


def test_a_single_file_is_taken_instead_of_a_zip_and_a_folder_of_its_name_is_refused(tmp_path: Path) -> None:
    assert unpack_submitted(b"\xef\xbb\xbf" + TEXT.encode(), tmp_path, "bot.py") == ("bot.py",)
    assert (tmp_path / "bot.py").read_text("utf-8-sig") == TEXT
    (tmp_path / "place").mkdir()
    data = zip_of("bot.py/x", first="mine.py")
    with pytest.raises(ContestError, match=r"'bot.py' is a folder in the zip, .*\nhint: rename 'mine.py'"):
        unpack_submitted(data, tmp_path / "place", "bot.py")


@given(st.data())
def test_no_damaged_zip_is_an_error_of_ours(data: st.DataObject) -> None:
    whole = zip_of("lib/a.py", "x", method=data.draw(st.sampled_from([ZIP_STORED, ZIP_DEFLATED, ZIP_LZMA])))
    spoiled = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        spoiled[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with TemporaryDirectory() as outside:
        place = Path(outside, "place")
        place.mkdir()
        try:
            names = unpack_submitted(bytes(spoiled), place, data.draw(st.sampled_from(["", "bot.py", "a.py"])))
        except ContestError:
            names = ()
        assert [path.name for path in Path(outside).iterdir()] == ["place"]
        assert {path.name for path in place.iterdir()} >= set(names)
