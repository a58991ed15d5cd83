"""How bots play, counted on while a server runs; and pages that are made once for all who ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from fastapi import Request

from bourre_referee.analysis.style import Style
from bourre_referee.run_folder.folder import RunFolder
from bourre_referee.web import kept_styles
from bourre_referee.web.answers import Answers
from bourre_referee.web.data.run import read_run
from bourre_referee.web.kept_styles import KeptStyles
from tests.web.serving import take_back


def styles_of(folder: Path, kept: KeptStyles) -> tuple[Style, ...] | None:
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
    kept = KeptStyles(at_once=9)
    assert styles_of(finished, kept) is None
    assert styles_of(finished, kept) is None  # it is being counted already
    (count,) = beside
    count()
    assert styles_of(finished, kept) == styles_of(finished, KeptStyles()) is not None


def test_a_match_that_is_taken_back_counts_no_more(folder: Path) -> None:
    kept = KeptStyles()
    before = styles_of(folder, kept)
    take_back(folder, "m0004")
    after = styles_of(folder, kept)
    assert after == styles_of(folder, KeptStyles()) != before


def test_the_oldest_answer_makes_room() -> None:
    made: list[str] = []
    answers = Answers(most=2)

    def make(path: str) -> str:
        made.append(path)
        return path

    for path in ("/a", "/b", "/a", "/c", "/b", "/a"):
        request = Request({"type": "http", "path": path, "query_string": b"", "headers": [(b"host", b"here")]})
        assert answers.give(request, "tag", partial(make, path)).body == path.encode()
    assert made == ["/a", "/b", "/c", "/a"]
