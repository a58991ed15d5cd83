"""The log on disk: several writers, killed ones, full disks and changed files."""

import errno
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from itertools import count, pairwise
from pathlib import Path

import pytest

from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import BotPaused, BotResumed, Event, LadderError, LadderOpened
from bourre_referee.ladder.log.log_file import LogFile
from bourre_referee.ladder.log.shared_log import SharedLog
from bourre_referee.model.errors import ContestError
from tests.referee.ladder.ladders import OPENED, joined, read_log

NOW = datetime(2026, 11, 23, 4, 30, tzinfo=UTC)
BEGUN: tuple[Event, ...] = (*OPENED, *joined("a", "b"))


def append(log: SharedLog, *events: Event) -> None:
    """Appends these events at once."""
    with log.appending() as tail:
        for event in events:
            tail.append(event)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The log of a ladder with two bots."""
    path = tmp_path / "ladder.jsonl"
    path.touch()
    append(SharedLog(LogFile(path), lambda: NOW), *BEGUN)
    return path


def events_in(path: Path) -> list[Event]:
    """The events in a log, each of which follows the one before."""
    with path.open() as file:
        return [logged.event for logged in read_log(file)]


def test_a_reader_gets_every_event_once_whoever_appended_it(path: Path) -> None:
    mine, other = SharedLog(LogFile(path)), SharedLog(LogFile(path))
    assert [logged.event for logged in mine.read_new()] == [*BEGUN]
    append(other, BotPaused("a"))
    append(mine, BotPaused("b"))
    append(other, BotResumed("a"))
    assert [logged.event for logged in mine.read_new()] == [BotPaused("a"), BotPaused("b"), BotResumed("a")]
    assert mine.read_new() == []
    assert (mine.events, mine.state.bots["b"].paused) == (len(BEGUN) + 3, True)


def test_an_event_has_the_time_in_utc(path: Path) -> None:
    log = SharedLog(LogFile(path), lambda: NOW.astimezone(timezone(timedelta(hours=5))))
    log.read_new()
    append(log, BotPaused("a"))
    assert log.read_new() == [Logged("2026-11-23T04:30:00Z", BotPaused("a"))]


def test_writers_at_the_same_time_make_one_chain(path: Path) -> None:
    def pause_and_resume(bot: str) -> None:
        log = SharedLog(LogFile(path))
        for _ in range(20):
            append(log, BotPaused(bot))
            append(log, BotResumed(bot), BotPaused(bot))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(pause_and_resume, ["a", "b", "a", "b"]))
    found = events_in(path)
    assert len(found) == len(BEGUN) + 4 * 20 * 3
    resumed = [(event.bot, after) for event, after in pairwise(found) if isinstance(event, BotResumed)]
    assert all(after == BotPaused(bot) for bot, after in resumed)


def test_a_line_cut_by_a_kill_is_not_read_and_is_removed_by_the_next_writer(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"previous":"12' * 50)
    log = SharedLog(LogFile(path))
    assert len(log.read_new()) == len(BEGUN)
    append(log, BotPaused("a"))
    assert path.read_bytes().startswith(whole)
    assert events_in(path) == [*BEGUN, BotPaused("a")]


def test_a_block_that_raises_appends_nothing(path: Path) -> None:
    log, before = SharedLog(LogFile(path)), path.read_bytes()
    with pytest.raises(LadderError, match="no bot called 'zorro'"):
        append(log, BotPaused("a"), BotPaused("zorro"))
    assert path.read_bytes() == before
    assert [logged.event for logged in log.read_new()] == [*BEGUN]
    assert not log.state.bots["a"].paused


def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, write = SharedLog(LogFile(path)), os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:7]))
    append(log, BotPaused("a"), BotPaused("b"))
    monkeypatch.undo()
    assert events_in(path) == [*BEGUN, BotPaused("a"), BotPaused("b")]
    assert log.size == path.stat().st_size


@pytest.mark.parametrize("written", [0, 10, 10_000])
def test_a_full_disk_loses_nothing_and_the_log_goes_on(
    path: Path, written: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, before = SharedLog(LogFile(path)), path.read_bytes()
    log.read_new()
    write = os.write

    def fill(handle: int, data: bytes) -> int:
        if done := write(handle, data[:written]):
            return done
        raise OSError(errno.ENOSPC, "No space left on device")

    calls: Iterator[int] = count()
    monkeypatch.setattr(os, "write", lambda handle, data: fill(handle, data if next(calls) == 0 else b""))
    monkeypatch.setattr(os, "fsync", lambda handle: fill(handle, b""))
    with pytest.raises(ContestError, match=r"Cannot write .*ladder\.jsonl: No space left on device\.\nhint: free some"):
        append(log, BotPaused("a"))
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert log.read_new() == []
    append(log, BotPaused("b"))
    assert [logged.event for logged in log.read_new()] == [BotPaused("b")]
    assert log.size == path.stat().st_size


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"bot":"a"', b'"bot":"c"', "line 5 does not follow the line before it: restore the log"),
        (b'"seats":3', b'"seats":9', "event 1: a table has 2 to 8 seats, not 9: restore the log"),
        (b'"seats":3', b'"seats":\xff', "line 1 is no event of a ladder"),
        (
            b'"ladder_opened"',
            b'"epoch_opened"',
            "line 1: epoch_opened has 'owners_apart', which this bourre does not know: a newer version",
        ),
    ],
)
def test_a_damaged_log_is_refused_with_its_line(path: Path, old: bytes, new: bytes, message: str) -> None:
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    log = SharedLog(LogFile(path))
    for _ in range(2):
        with pytest.raises(ContestError, match=rf"ladder\.jsonl: {message}"):
            log.read_new()


def test_an_endless_line_is_refused(path: Path) -> None:
    path.write_bytes(b"1" * 1_000_001)
    with pytest.raises(ContestError, match="more than 1,000,000"):
        SharedLog(LogFile(path)).read_new()


def test_a_log_that_became_shorter_is_refused(path: Path) -> None:
    log = SharedLog(LogFile(path))
    log.read_new()
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ContestError, match="was truncated by another program"):
        log.read_new()


def test_a_missing_log_is_explained(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r"Cannot read .*\nhint: pass the folder of a ladder"):
        SharedLog(LogFile(tmp_path / "ladder.jsonl")).read_new()


def test_a_link_in_the_place_of_the_lock_is_not_followed(path: Path, tmp_path: Path) -> None:
    lock = path.with_name("ladder.jsonl.lock")
    lock.unlink()
    lock.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ContestError, match="is a link"):
        append(SharedLog(LogFile(path)), LadderOpened(3, owners_apart=True))
    assert not (tmp_path / "elsewhere").exists()
