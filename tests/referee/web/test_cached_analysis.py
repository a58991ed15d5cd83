"""The cached document of `bourre stats`: made in a process of its own, once for each state of the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bourre_referee.derived import counts_cache, result_cache
from bourre_referee.derived.result_cache import ResultCache
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.web import cached_run
from bourre_referee.web.background import CachedDocument, Document
from bourre_referee.web.cached_run import CachedRun, Unreadable
from bourre_referee.web.record_sums import RecordTask, count_matches
from tests.referee.command import Bourre
from tests.referee.half_run import half_run
from tests.referee.web.serving import computing_here, copy_run, serving, void_match


class Analyses:
    """Replaces the process: tells a number each time, at the cost of a second of a clock."""

    def __init__(self) -> None:
        self.made = 0
        self.now = 0.0
        self.tasks: list[Callable[[], None]] = []
        self.cached = CachedDocument(self.analyse, 4.0, lambda: self.now, self.tasks.append)

    def analyse(self) -> tuple[str, str]:
        self.made += 1
        self.now += 1
        return f"number {self.made}", ""


def test_a_small_run_is_waited_for_and_analysed_once_for_each_state() -> None:
    analyses = Analyses()
    found = [analyses.cached.wait_for(tag) for tag in ("a", "a", "b", "b")]
    assert found == [Document("a", "number 1", "")] * 2 + [Document("b", "number 2", "")] * 2


def test_a_large_run_is_analysed_in_the_background_with_rests() -> None:
    analyses = Analyses()
    cached, tasks = analyses.cached, analyses.tasks
    assert [cached.newest("a"), cached.newest("a")] == [None, None]
    assert len(tasks) == 1  # one at a time
    tasks.pop()()
    first = Document("a", "number 1", "")
    assert [cached.newest("a"), cached.newest("b")] == [first, first]
    assert tasks == []  # it rests
    analyses.now += 4
    assert cached.newest("a") == first
    assert tasks == []
    assert cached.newest("b") == first
    tasks.pop()()
    assert cached.newest("b") == Document("b", "number 2", "")


def test_a_process_that_dies_is_told_in_words() -> None:
    def die() -> tuple[str, str]:
        raise ContestError("a process died")

    assert CachedDocument(die, 4.0).wait_for("a") == Document("a", "", "a process died")


def test_a_large_run_says_that_it_computes_until_it_has(
    folder: Path, bourre: Bourre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_run, "AT_ONCE", 5)
    tasks: list[Callable[[], None]] = []
    cached = CachedRun(folder, rest=0.0, start=tasks.append)
    while cached.current() and tasks:
        tasks.pop()()  # the ratings
    assert cached.analysis() is None
    (analyse,) = tasks
    analyse()
    document = cached.analysis()
    assert document is not None
    assert f"{document.text}\n" == bourre("stats", folder, "--json").out
    void_match(folder, "m0004")
    assert cached.analysis() == document


def checked(folder: Path) -> list[str]:
    """The lines of the page that says what was checked, after the button was pressed twice."""
    tasks: list[Callable[[], None]] = []
    cached = CachedRun(folder, rest=0.0, start=tasks.append)
    assert cached.check() is None
    (check,) = tasks
    check()
    document = cached.check()
    assert document is not None
    return document.text.splitlines()


def test_the_button_of_a_page_says_what_the_command_says(faulty: Path, bourre: Bourre) -> None:
    by, *found = checked(faulty)
    assert by.startswith("checked    by bourre ")
    assert found[-1] == "verified   all of the run: no difference"
    assert found == bourre("verify", faulty).out.splitlines()


def test_the_button_of_a_page_finds_forged_standings(faulty: Path, tmp_path: Path) -> None:
    standings = copy_run(faulty, tmp_path) / "standings.json"
    standings.write_text(standings.read_text().replace('"bourres": ', '"bourres": 1', 1))
    with computing_here():
        assert checked(standings.parent)[1].startswith("difference: standings.json: ")


def test_a_run_in_play_is_not_checked_on_a_page(tmp_path: Path) -> None:
    with serving(half_run(tmp_path)) as served:
        assert "A run is checked when all its matches are finished" in served.text("/checked")


def test_a_damaged_run_is_told_without_its_path(folder: Path) -> None:
    cached = CachedRun(folder, rest=0.0)
    assert cached.analysis()
    (folder / "run.db").write_bytes(b"")
    with pytest.raises(Unreadable) as raised:
        cached.analysis()
    assert str(folder) not in str(raised.value)


def test_who_asks_too_early_is_told_when_to_come_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CachedRun, "analysis", lambda _: None)
    with serving(folder) as served:
        answer = served.client.get("/api/stats")
    assert (answer.status_code, answer.json()["detail"]) == (503, "the statistics are still being computed")


def test_bots_are_counted_from_what_was_kept(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_cache, "WORTH_KEEPING", 1)
    cache = ResultCache(tmp_path / "cache")
    some, rest, every = (
        RecordTask(FolderLocation(folder), one, cache) for one in (range(1, 5), range(5, 11), range(1, 11))
    )
    found = count_matches(some)
    found += count_matches(rest)
    monkeypatch.delattr(counts_cache, "count_record")
    whole = count_matches(every)
    assert whole == found
    assert whole.style.bots
    assert whole.rules.bots
