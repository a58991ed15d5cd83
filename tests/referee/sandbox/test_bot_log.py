"""A bot's log keeps no secret of the organiser's, however the bot prints it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.sandbox.bot_log import Log

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


def test_a_secret_that_holds_another_goes_as_a_whole(tmp_path: Path) -> None:
    assert logged(tmp_path / "log", b"long-secret-1234, secret-1234", secrets=("secret-1234", "long-secret-1234")) == (
        b"***, ***"
    )


def test_a_short_value_is_no_secret(tmp_path: Path) -> None:
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


def test_of_all_that_is_printed_and_of_all_notes_the_first_is_kept(tmp_path: Path) -> None:
    async def keep() -> bool:
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
        return signed

    assert asyncio.run(keep())
    kept = "[bourre] a\n [12345678901234567a\n[bourre kept the first 20 of 27 bytes]\n"
    assert (tmp_path / "log").read_text() == kept
