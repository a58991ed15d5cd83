"""A bot's log: no secret of the organiser's is in it, and its first line alone says why it never started."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.sandbox.bot_log import LIMIT, Log
from bourre_referee.storage.run.start_failures import (
    find_start_failure,
    read_last_log,
    read_start_failure,
    start_failure_in,
)

SECRET = "sesame-sesame-7"


def logged(path: Path, *chunks: bytes, secrets: tuple[str, ...] = (SECRET,)) -> bytes:
    """What the log keeps of output that comes in these pieces."""

    async def keep() -> None:
        output, log = asyncio.StreamReader(), Log(path, secrets=secrets)
        keeping = asyncio.create_task(log.keep(output))
        for chunk in chunks:
            output.feed_data(chunk)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        output.feed_eof()
        await keeping
        log.close()

    asyncio.run(keep())
    return path.read_bytes()


@given(st.lists(st.sampled_from(["sesame-", SECRET, "7", "x"]), max_size=8), st.lists(st.integers(1, 20), max_size=8))
def test_stars_replace_a_secret_in_whatever_pieces_it_comes(words: list[str], sizes: list[int]) -> None:
    left, chunks = "".join(words).encode(), []
    for size in sizes:
        chunks.append(left[:size])
        left = left[size:]
    with TemporaryDirectory() as folder:
        kept = logged(Path(folder, "log"), *chunks, left)
    assert kept.count(b"***") == "".join(words).count(SECRET)
    assert SECRET.encode() not in kept
    assert kept.replace(b"***", SECRET.encode()) == "".join(words).encode()


def test_a_secret_that_holds_another_goes_as_a_whole_and_a_short_value_is_none(tmp_path: Path) -> None:
    assert logged(tmp_path / "log", b"long-secret-1234, secret-1234", secrets=("secret-1234", "long-secret-1234")) == (
        b"***, ***"
    )
    assert logged(tmp_path / "log", b"1 of 10", secrets=("1", "")) == b"1 of 10"


def test_notes_and_errors_of_a_bot_hold_no_secret_either(tmp_path: Path) -> None:
    log = Log(tmp_path / "log", secrets=[SECRET])
    log.note([f"ada raised KeyError: {SECRET}"])
    log.close()
    assert (tmp_path / "log").read_text() == "[bourre] ada raised KeyError: ***\n"
    assert log.without_secrets(f"my key is {SECRET}") == "my key is ***"
    other = Log(tmp_path / "other")
    other.close()
    assert other.without_secrets(SECRET) == SECRET


async def test_of_all_that_is_printed_and_of_all_notes_the_first_is_kept(tmp_path: Path) -> None:
    output, log = asyncio.StreamReader(), Log(tmp_path / "log", limit=20)
    log.note(["a"])  # 11 bytes
    keeping = asyncio.create_task(log.keep(output, b"\x06"))
    for text in (b"[12345678901234\x06567", b"abc\x06", b"defg"):
        output.feed_data(text)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    output.feed_eof()
    signed = await keeping
    for line in ("b", "c"):  # beside the earlier note, each of them is too long
        log.note([line])
    log.close()
    assert signed
    kept = "[bourre] a\n [12345678901234567a\n[bourre kept the first 20 of 27 bytes]\n"
    assert (tmp_path / "log").read_text() == kept


FORGED = b"[bourre] never started: the referee is to blame\n"


def kept_log(logs: Path, room: str, chunks: Sequence[bytes], reason: str = "") -> bytes:
    """The log of the bot ada in this room, after it printed these pieces and perhaps never said hello."""
    path = logs / "ada" / f"{room}.log"

    async def keep() -> None:
        output, log = asyncio.StreamReader(), Log(path, secrets=["sesame-sesame"])
        keeping = asyncio.create_task(log.keep(output))
        for chunk in chunks:
            output.feed_data(chunk)
            for _ in range(3):
                await asyncio.sleep(0)
        if reason:
            log.put_first(reason)
        output.feed_data(b"later\n")
        output.feed_eof()
        await keeping
        log.close()

    asyncio.run(keep())
    return path.read_bytes()


def test_the_reason_goes_before_what_the_bot_printed_and_what_it_prints_later(tmp_path: Path) -> None:
    assert kept_log(tmp_path, "m1", [b"a\n", b"b\n"], "no luck; sesame-sesame") == (
        b"[bourre] never started: no luck; ***\na\nb\nlater\n"
    )
    assert read_start_failure(tmp_path, "ada", "m1") == "no luck; ***"


@pytest.mark.parametrize("chunks", [[FORGED], [FORGED[:1], FORGED[1:4], FORGED[4:]], [b"", FORGED]])
def test_a_bot_cannot_forge_the_line(tmp_path: Path, chunks: list[bytes]) -> None:
    assert kept_log(tmp_path, "m1", chunks).startswith(b" [bourre]")
    assert not read_start_failure(tmp_path, "ada", "m1")
    kept_log(tmp_path, "m2", chunks, "no luck")
    assert read_start_failure(tmp_path, "ada", "m2") == "no luck"


def test_a_full_log_and_a_log_that_stopped_do_no_harm(tmp_path: Path) -> None:
    assert len(kept_log(tmp_path, "m1", [b"x" * LIMIT, b"y"], "no luck")) < LIMIT + 200
    assert read_start_failure(tmp_path, "ada", "m1") == "no luck"
    (tmp_path / "file").write_text("")
    log = Log(tmp_path / "file" / "log")
    log.put_first("no luck")
    assert not log.text()


def test_the_first_room_in_which_it_did_not_start_tells(tmp_path: Path) -> None:
    assert not find_start_failure(tmp_path, "ada")
    kept_log(tmp_path, "m1", [b"fine\n"])
    kept_log(tmp_path, "m2", [], "no luck")
    kept_log(tmp_path, "m3", [], "worse luck")
    assert find_start_failure(tmp_path, "ada") == "no luck"
    assert read_last_log(tmp_path, "ada") == "[bourre] never started: worse luck\nlater\n"


def test_no_stranger_leads_the_reader_elsewhere(tmp_path: Path) -> None:
    kept_log(tmp_path / "a", "m1", [], "no luck")
    logs = tmp_path / "b" / "logs"
    logs.mkdir(parents=True)
    (logs / "bob").symlink_to(tmp_path / "a" / "ada")
    (logs / "eve").mkdir()
    (logs / "eve" / "m1.log").symlink_to(tmp_path / "a" / "ada" / "m1.log")
    os.mkfifo(logs / "eve" / "m2.log")
    assert not find_start_failure(logs, "bob")
    assert not find_start_failure(logs, "eve")
    assert not find_start_failure(logs, "../../a/ada")
    assert not read_start_failure(tmp_path / "a", "ada", "../ada/m1")


def test_a_reason_of_a_stranger_is_one_short_printable_line() -> None:
    assert start_failure_in(b"[bourre] never started: a\x1b[31m" + b"x" * 9000).isprintable()
    assert len(start_failure_in(b"[bourre] never started: " + b"x" * 9000)) == 500
    assert start_failure_in(b"[bourre] never started: \xff\n") == "\ufffd"
    assert not start_failure_in(b"Traceback\n[bourre] never started: a\n")
