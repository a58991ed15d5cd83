"""What is counted of bots while a server runs, and cached answers, made once for all clients."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from fastapi import Request

from bourre_referee.derived.result_cache import NOTHING_KEPT
from bourre_referee.derived.run_analysis import analyse_run
from bourre_referee.model.errors import ContestError
from bourre_referee.statistics.play_style import Style
from bourre_referee.storage.run.run import Run
from bourre_referee.web import background, record_sums
from bourre_referee.web.background import Cooldown
from bourre_referee.web.cached_answers import AnswerCache
from bourre_referee.web.data.run_page import read_run
from bourre_referee.web.page_links import ALL, MatchChoice
from bourre_referee.web.record_sums import CachedCounts, RecordSums
from tests.referee.web.serving import Served, void_match


def styles_of(folder: Path, cached: CachedCounts) -> tuple[Style, ...] | None:
    """Returns the styles as they are known now."""
    run = Run.open(folder)
    return cached.styles(run, read_run(run))


def test_many_records_are_counted_in_the_background(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks: list[Callable[[], None]] = []
    cached = CachedCounts(at_once=9, rest=0.0, start=tasks.append)
    assert styles_of(finished, cached) is None
    assert styles_of(finished, cached) is None  # counting has begun
    assert len(tasks) == 1
    with monkeypatch.context() as patch:
        patch.setattr(record_sums, "compute_in_process", Mock(side_effect=ContestError("a process died")))
        tasks.pop()()
    assert styles_of(finished, cached) is None  # it has begun again
    tasks.pop()()
    assert styles_of(finished, cached) == styles_of(finished, CachedCounts()) is not None


def test_a_process_that_died_is_not_started_again_at_once(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks: list[Callable[[], None]] = []
    times = iter([0.0, 2.0, 9.9, 10.0])
    monkeypatch.setattr(background, "Cooldown", lambda rest, _: Cooldown(rest, lambda: next(times)))
    monkeypatch.setattr(record_sums, "compute_in_process", Mock(side_effect=ContestError("a process died")))
    cached = CachedCounts(at_once=9, rest=4.0, start=tasks.append)
    assert styles_of(finished, cached) is None
    tasks.pop()()
    assert (styles_of(finished, cached), len(tasks)) == (None, 0)
    assert (styles_of(finished, cached), len(tasks)) == (None, 1)


def test_reneges_are_counted_as_the_statistics_do(faulty: Path) -> None:
    run = Run.open(faulty)
    analysis = analyse_run(run, NOTHING_KEPT).analysis
    cached = CachedCounts()
    for _ in range(2):
        assert cached.rules(run, read_run(run)) == analysis.rules
    assert any(one.reneges for one in analysis.rules)


def test_a_voided_match_no_longer_counts(folder: Path) -> None:
    cached = CachedCounts()
    before = styles_of(folder, cached)
    void_match(folder, "m0004")
    after = styles_of(folder, cached)
    assert after == styles_of(folder, CachedCounts()) != before


def make_request(path: str, query: str = "") -> Request:
    """Makes a request for this path."""
    return Request({"type": "http", "path": path, "query_string": query.encode(), "headers": [(b"host", b"here")]})


def test_the_oldest_answers_are_dropped() -> None:
    made: list[str] = []
    answers = AnswerCache(most=5)  # bytes

    def make(path: str) -> str:
        made.append(path)
        return path

    for path in ("/a", "/b", "/a", "/c", "/b", "/a", "/long", "/a", "/longest", "/a"):
        assert answers.respond(make_request(path), "tag", partial(make, path)).body == path.encode()
    assert made == ["/a", "/b", "/c", "/a", "/long", "/a", "/longest", "/a"]


def test_only_the_parameters_that_matter_create_entries() -> None:
    made: list[str] = []
    answers = AnswerCache()

    def make(text: str) -> str:
        made.append(text)
        return text

    for query, choice in (
        ("x=1", ALL),
        ("x=2", ALL),
        ("bot=2&x=3", MatchChoice(bot=2)),
        ("bot=02", MatchChoice(bot=2)),
    ):
        body = answers.respond(make_request("/a", query), "tag", partial(make, f"{choice}"), choice=choice).body
        assert body == f"{choice}".encode()
    assert made == [f"{ALL}", f"{MatchChoice(bot=2)}"]


@pytest.mark.parametrize("path", ["/matches", "/api/matches"])
def test_each_choice_of_matches_has_its_own_answer(served: Served, path: str) -> None:
    assert len({served.text(f"{path}?{query}") for query in ("", "bot=1", "bot=2", "with=voids")}) == 4


def test_nothing_is_looked_into_beside_a_look_in_the_background(finished: Path) -> None:
    tasks: list[Callable[[], None]] = []
    sums: RecordSums[int] = RecordSums(lambda task: len(task.numbers), int, operator.add, 2, start=tasks.append)
    hashes = {f"m{number:04}": "" for number in range(1, 6)}
    place, few = Run.open(finished).place, dict([*hashes.items()][:2])
    assert not sums.look(place, hashes)
    assert not sums.look(place, few)  # few enough to be counted at once, but they are being counted
    assert (sums.found, len(tasks)) == (0, 1)
