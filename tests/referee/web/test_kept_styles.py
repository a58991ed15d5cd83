"""How bots play, counted on while a server runs; and pages that are made once for all who ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from fastapi import Request

from bourre_referee.statistics.play_style import Style
from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.web import cached_styles as kept_styles
from bourre_referee.web.cached_answers import Answers
from bourre_referee.web.cached_styles import CachedStyles
from bourre_referee.web.data.run_page import read_run
from bourre_referee.web.page_links import ALL, Choice
from tests.referee.web.serving import Served, take_back


def styles_of(folder: Path, kept: CachedStyles) -> tuple[Style, ...] | None:
    """As they are told now."""
    run = RunFolder.open(folder)
    return kept.styles(run, read_run(run))


def test_many_records_are_counted_beside_and_nobody_waits(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside: list[Callable[[], None]] = []

    class Later:
        """In place of a thread: it begins when the test says so."""

        def __init__(self, target: Callable[..., None], args: tuple[object, ...], daemon: bool) -> None:
            self.start = partial(beside.append, partial(target, *args))

    monkeypatch.setattr(kept_styles, "Thread", Later)
    kept = CachedStyles(at_once=9)
    assert styles_of(finished, kept) is None
    assert styles_of(finished, kept) is None  # it is being counted already
    (count,) = beside
    count()
    assert styles_of(finished, kept) == styles_of(finished, CachedStyles()) is not None


def test_a_match_that_is_taken_back_counts_no_more(folder: Path) -> None:
    kept = CachedStyles()
    before = styles_of(folder, kept)
    take_back(folder, "m0004")
    after = styles_of(folder, kept)
    assert after == styles_of(folder, CachedStyles()) != before


def asked(path: str, query: str = "") -> Request:
    """A request for this."""
    return Request({"type": "http", "path": path, "query_string": query.encode(), "headers": [(b"host", b"here")]})


def test_the_oldest_answers_make_room() -> None:
    made: list[str] = []
    answers = Answers(most=5)  # bytes

    def make(path: str) -> str:
        made.append(path)
        return path

    for path in ("/a", "/b", "/a", "/c", "/b", "/a", "/long", "/a", "/longest", "/a"):
        assert answers.give(asked(path), "tag", partial(make, path)).body == path.encode()
    assert made == ["/a", "/b", "/c", "/a", "/long", "/a", "/longest", "/a"]


def test_of_a_query_only_what_is_read_makes_another_answer() -> None:
    made: list[str] = []
    answers = Answers()

    def make(text: str) -> str:
        made.append(text)
        return text

    for query, choice in (("x=1", ALL), ("x=2", ALL), ("bot=2&x=3", Choice(bot=2)), ("bot=02", Choice(bot=2))):
        body = answers.give(asked("/a", query), "tag", partial(make, f"{choice}"), choice=choice).body
        assert body == f"{choice}".encode()
    assert made == [f"{ALL}", f"{Choice(bot=2)}"]


@pytest.mark.parametrize("path", ["/matches", "/api/matches"])
def test_each_choice_of_matches_has_its_own_answer(served: Served, path: str) -> None:
    assert len({served.text(f"{path}?{query}") for query in ("", "bot=1", "bot=2", "with=voids")}) == 4
