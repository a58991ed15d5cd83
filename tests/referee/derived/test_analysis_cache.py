"""What is kept of the analysis of a finished run: used for exactly this run and seed, never when damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

import pytest

from bourre_referee.derived import run_analysis
from bourre_referee.derived.analysis_cache import KIND, AnalysedRun
from bourre_referee.derived.result_cache import NOTHING_KEPT, ResultCache
from bourre_referee.derived.run_analysis import analyse_run
from bourre_referee.statistics.analysis import analyse
from bourre_referee.storage.database.match_reader import ReadMatch
from bourre_referee.storage.run.run import Run
from tests.referee.derived.kept_files import kept_file, rewrite
from tests.referee.in_process import finished_run
from tests.referee.web.runs import duplicate_run
from tests.referee.web.serving import void_match


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds with which an analysis was made."""
    seeds: list[int] = []

    def count(*given: object) -> object:
        seeds.append(given[5])  # type: ignore[arg-type]
        return analyse(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(run_analysis, "analyse", count)
    return seeds


def look(run: Run, cache: ResultCache, seed: int = 0) -> AnalysedRun:
    return analyse_run(run, cache, seed, jobs=1)


@pytest.mark.parametrize("finished", [finished_run, duplicate_run], indirect=True)
def test_the_second_look_reads_what_the_first_kept(run: Run, cache: ResultCache, made: list[int]) -> None:
    expected = look(run, NOTHING_KEPT)
    assert [look(run, cache), look(run, cache)] == [expected] * 2
    assert made == [0, 0]
    assert look(run, cache, 7) == look(run, cache, 7) != expected
    assert made == [0, 0, 7]


def test_a_changed_database_or_manifest_is_analysed_anew(run: Run, cache: ResultCache, made: list[int]) -> None:
    before = look(run, cache)
    with closing(sqlite3.connect(run.path / "run.db")) as database, database:
        database.execute("UPDATE seat SET chips = chips + 1 WHERE number = 2 AND seat = 0")
        database.execute("UPDATE seat SET chips = chips - 1 WHERE number = 2 AND seat = 1")
    assert look(run, cache) != before
    renamed = Run(run.place, run.manifest.model_copy(update={"contest": "another"}))
    assert look(renamed, cache).standings.contest == "another"
    assert made == [0, 0, 0]


def test_of_a_run_that_is_not_finished_nothing_is_kept(run: Run, cache: ResultCache, made: list[int]) -> None:
    void_match(run.path, "m0002")
    again = Run.open(run.path)
    assert not again.manifest.complete
    assert look(again, cache) == look(again, cache)
    assert made == [0, 0]


def test_of_a_run_that_changes_meanwhile_nothing_is_kept(
    run: Run, cache: ResultCache, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[bool] = []
    monkeypatch.setattr(run_analysis, "kept_hash", lambda *_: "one" if settled or not made else "another")
    first = look(run, cache)
    settled.append(True)
    assert look(run, cache) == look(run, cache) == first
    assert made == [0, 0]


def test_the_first_analysis_reads_the_matches_once(
    run: Run, cache: ResultCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Sequence[int]] = []
    new_matches = Run.new_matches

    def noted(run: Run, known: Sequence[int]) -> list[ReadMatch] | None:
        reads.append(known)
        return new_matches(run, known)

    monkeypatch.setattr(Run, "new_matches", noted)
    assert look(run, cache).standings.rows
    assert reads == [()]


@pytest.mark.parametrize("content", [b"", b"{}", b"[[], []]", b"\xff"])
def test_a_damaged_file_is_as_good_as_none(run: Run, cache: ResultCache, made: list[int], content: bytes) -> None:
    expected = look(run, cache)
    rewrite(cache, KIND, lambda _: content)
    assert look(run, cache) == expected
    assert look(run, cache) == expected
    assert made == [0, 0]
    kept_file(cache, KIND).write_bytes(b"no hash")
    assert look(run, cache) == expected
