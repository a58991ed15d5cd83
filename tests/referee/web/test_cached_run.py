"""A cached run folder: read when its files change, with rests between reads."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from threading import Thread

import pytest

from bourre_referee.derived import result_cache
from bourre_referee.derived.result_cache import ResultCache
from bourre_referee.storage.database.match_reader import ReadMatch
from bourre_referee.storage.run.run import Run
from bourre_referee.web import cached_run
from bourre_referee.web.cached_run import CachedRun, RunState, Unreadable
from bourre_referee.web.data.rating_histories import RatedMatches, RatingHistories, rate_in_process
from bourre_referee.web.data.run_page import read_run
from bourre_referee.web.page_links import MatchChoice
from bourre_referee.web.page_lookup import RefusedRequest, check_bot, find_match, find_matches
from tests.referee.web.serving import computing_here, copy_run, void_match


@pytest.fixture
def rated_here() -> Iterator[None]:
    with computing_here():
        yield


def test_a_run_is_read_again_only_when_its_files_change(folder: Path) -> None:
    cached = CachedRun(folder, rest=0.0)
    first = cached.current()
    assert cached.current() is first
    void_match(folder, "m0004")
    second = cached.current()
    assert second.tag != first.tag
    assert len(second.data.matches) == 9


def test_after_a_read_there_is_a_rest(folder: Path) -> None:
    times = iter([0.0, 2.0, 9.9, 10.0, 10.0, 50.0, 109.9, 110.0, 110.0, 110.0])
    cached = CachedRun(folder, clock=lambda: next(times), rest=4.0)
    first = cached.current()  # takes 2 s, so the rest is 8 s
    void_match(folder, "m0004")
    assert cached.current() is first
    second = cached.current()  # takes 40 s, so the rest is the longest, 60 s
    assert len(second.data.matches) == 9
    void_match(folder, "m0005")
    assert cached.current() is second
    assert len(cached.current().data.matches) == 8


def test_an_unreadable_run_is_tried_again_though_no_file_changed(folder: Path, tmp_path: Path) -> None:
    cached = CachedRun(tmp_path / "none", rest=0.0)
    with pytest.raises(Unreadable, match="No folder"):
        cached.current()
    copy_run(folder, tmp_path / "again").rename(tmp_path / "none")
    assert len(cached.current().data.matches) == 10


def test_a_state_reads_the_voids_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    void_match(folder, "m0004")
    voids = Run.open(folder).voids()
    looks = iter([voids, []])  # they might have changed in between
    monkeypatch.setattr(Run, "voids", lambda _: next(looks))
    data = CachedRun(folder).current().data
    assert [void.reason for void in data.voids] == ["the power failed"]
    assert "the power failed" in "".join(data.void_lines)
    assert list(looks) == [[]]


def test_a_damaged_record_leaves_no_file_open(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "run.db")) as database, database:
        database.execute("UPDATE match SET record = x'00' WHERE match = 'm0002'")
    cached = CachedRun(folder, rest=0.0)
    with pytest.raises(Unreadable, match="its record is damaged") as raised:  # the traceback keeps frames alive
        cached.analysis()
    assert raised.value.__traceback__
    assert open_files(folder) == []


def open_files(folder: Path) -> list[Path]:
    """Returns the files of this folder that this process has open."""
    links = list(Path("/proc/self/fd").iterdir())  # one of them was for this listing, and is gone
    files = [link.readlink() for link in links if link.is_symlink()]
    return [file for file in files if file.is_relative_to(folder)]


def test_new_matches_are_taken_in_and_old_ones_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = take_away(folder, ["m0003", "m0009", "m0010"])
    cached = CachedRun(folder, rest=0.0)
    assert cached.current().data.finished == 7
    read = note_reads(monkeypatch)
    put_back(folder, kept, "m0009")
    assert [line.match for line in cached.current().data.matches][-1] == "m0009"
    put_back(folder, kept, "m0003", "m0010")  # one of them comes before others in the schedule
    assert cached.current().data == read_run(Run.open(folder))
    assert read[:2] == [["m0009"], ["m0003", "m0010"]]


def test_a_match_that_is_replayed_makes_all_be_read_anew(folder: Path) -> None:
    cached = CachedRun(folder, rest=0.0)
    cached.current()
    kept = take_away(folder, ["m0004"])
    void_of(folder, "m0004")
    put_back(folder, kept, "m0004")  # so there are as many as before
    assert cached.current().data == read_run(Run.open(folder))


def test_a_large_run_is_rated_in_the_background(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_run, "AT_ONCE", 5)
    kept = take_away(folder, ["m0003", "m0010"])
    tasks: list[Callable[[], None]] = []
    cached = CachedRun(folder, rest=0.0, start=tasks.append)
    first = cached.current()
    assert (first.data.finished, first.data.rated, first.data.rating_histories) == (8, 8, {})
    put_back(folder, kept, "m0003", "m0010")
    during = cached.current()
    assert (during.data.finished, during.data.rated) == (10, 8)
    assert cached.current() is during
    while tasks:
        tasks.pop()()
        cached.current()
    assert cached.current().tag != during.tag
    assert cached.current().data == read_run(Run.open(folder))


@pytest.mark.usefixtures("rated_here")
def test_a_match_may_come_while_the_histories_are_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_run, "AT_ONCE", 5)
    kept = take_away(folder, ["m0010"])
    tasks: list[Callable[[], None]] = []
    cached = CachedRun(folder, rest=0.0, start=tasks.append)
    cached.current()

    def rate_slowly(matches: RatedMatches) -> RatingHistories | None:
        put_back(folder, kept, "m0010")
        cached.current()
        return rate_in_process(matches)

    monkeypatch.setattr(cached_run, "rate_in_process", rate_slowly)
    tasks.pop()()
    data = cached.current().data
    assert sum(map(len, data.rating_histories.values())) == sum(len(match.seats) for match in data.results)


@pytest.mark.usefixtures("rated_here")
def test_histories_of_matches_that_were_replaced_meanwhile_are_not_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_run, "AT_ONCE", 5)
    tasks: list[Callable[[], None]] = []
    cached = CachedRun(folder, rest=0.0, start=tasks.append)
    cached.current()
    change(folder, f"UPDATE match SET sha256 = x'{'00' * 32}' WHERE number = 4")
    tasks.pop()()
    assert cached.current().data.rating_histories == {}


def test_while_one_thread_reads_the_others_are_shown_what_was_read_before(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = CachedRun(folder, rest=0.0)
    first = cached.current()
    opened, shown = Run.open, list[RunState]()

    def open_while_another_asks(path: Path) -> Run:
        other = Thread(target=lambda: shown.append(cached.current()), daemon=True)
        other.start()
        other.join(timeout=60)
        return opened(path)

    void_match(folder, "m0004")
    monkeypatch.setattr(Run, "open", open_while_another_asks)
    second = cached.current()
    assert [state is first for state in shown] == [True]
    assert second.data.finished == 9


@pytest.mark.usefixtures("rated_here")
def test_a_large_run_is_read_anew_in_the_background(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_run, "AT_ONCE", 5)
    tasks: list[Callable[[], None]] = []
    cached = CachedRun(folder, rest=0.0, start=tasks.append)
    cached.current()
    tasks.pop()()
    void_match(folder, "m0004")
    assert cached.current().data.finished == 10
    tasks.pop()()
    assert cached.current().data.finished == 9


@pytest.mark.usefixtures("rated_here")
def test_what_cannot_be_read_anew_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_run, "AT_ONCE", 5)
    tasks: list[Callable[[], None]] = []
    cached = CachedRun(folder, rest=0.0, start=tasks.append)
    cached.current()
    tasks.pop()()
    void_match(folder, "m0004")
    cached.current()
    change(folder, "UPDATE seat SET rank = 'first' WHERE number = 2")
    tasks.pop()()
    with pytest.raises(Unreadable, match="rank holds text"):
        cached.current()


def test_a_wrong_cell_of_a_new_match_is_reported(folder: Path) -> None:
    kept = take_away(folder, ["m0010"])
    cached = CachedRun(folder, rest=0.0)
    cached.current()
    put_back(folder, kept, "m0010")
    change(folder, "UPDATE seat SET rank = 'first' WHERE number = 10")
    with pytest.raises(Unreadable, match="number 10, seat 0: rank holds text"):
        cached.current()


TABLES = ("match", "seat", "renege", "fault")


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "run.db")) as database, database:
        for statement in statements:
            database.execute(statement)


def take_away(folder: Path, matches: Sequence[str]) -> Path:
    """Makes these matches unfinished; returns a database that still has them."""
    copyfile(folder / "run.db", folder.parent / "whole.db")
    change(folder, *(f"DELETE FROM {table} WHERE number IN ({numbers(matches)})" for table in reversed(TABLES)))
    return folder.parent / "whole.db"


def put_back(folder: Path, whole: Path, *matches: str) -> None:
    """Finishes these matches again."""
    these = f"WHERE number IN ({numbers(matches)})"
    change(
        folder,
        f"ATTACH '{whole}' AS whole",
        *(f"INSERT INTO {table} SELECT * FROM whole.{table} {these}" for table in TABLES),
    )


def void_of(folder: Path, match: str) -> None:
    """Notes an attempt at this match as voided."""
    change(
        folder, f"INSERT INTO void VALUES (1, '{match}', 1, 'organiser', 'a cable', '2026-01-02T00:00:00Z', 0, NULL)"
    )


def numbers(matches: Sequence[str]) -> str:
    return ", ".join(str(int(match[1:])) for match in matches)


def note_reads(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Notes the matches of every read."""
    read: list[list[str]] = []
    new_matches = Run.new_matches

    def note(run: Run, known: Sequence[int]) -> list[ReadMatch] | None:
        found = new_matches(run, known)
        read.append([match.stored.match for match in found or ()])
        return found

    monkeypatch.setattr(Run, "new_matches", note)
    return read


@pytest.mark.usefixtures("rated_here")
def test_a_restarted_server_shows_what_was_kept_until_all_is_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_run, "AT_ONCE", 5)
    monkeypatch.setattr(result_cache, "WORTH_KEEPING", 5)
    whole = take_away(folder, ["m0010"])
    cache = ResultCache(tmp_path / "cache")
    CachedRun(folder, rest=0.0, start=lambda _: None, cache=cache).current()
    put_back(folder, whole, "m0010")
    tasks: list[Callable[[], None]] = []
    cached = CachedRun(folder, rest=0.0, start=tasks.append, cache=cache)
    resumed = cached.current()
    assert (resumed.data.whole, resumed.data.finished, resumed.data.rated) == (False, 10, 9)
    for look in (find_match, lambda state, _: check_bot(state, 1), lambda state, _: find_matches(state, MatchChoice())):
        with pytest.raises(RefusedRequest, match="the matches are still being read"):
            look(resumed, "m0001")
    while tasks:
        tasks.pop()()
        cached.current()
    assert cached.current().data == read_run(Run.open(folder))
    assert CachedRun(folder, start=tasks.append, cache=cache).current().data.rated == 10


@pytest.mark.usefixtures("rated_here")
def test_what_was_kept_does_not_hide_what_cannot_be_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_run, "AT_ONCE", 5)
    monkeypatch.setattr(result_cache, "WORTH_KEEPING", 5)
    cache = ResultCache(tmp_path / "cache")
    CachedRun(folder, rest=0.0, start=lambda _: None, cache=cache).current()
    change(folder, "UPDATE seat SET cpu_ms = 'long' WHERE number = 2")
    tasks: list[Callable[[], None]] = []
    cached = CachedRun(folder, rest=0.0, start=tasks.append, cache=cache)
    assert not cached.current().data.whole
    tasks.pop()()
    with pytest.raises(Unreadable, match="cpu_ms holds text"):
        cached.current()
