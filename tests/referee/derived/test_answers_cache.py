"""Answers are kept across processes; the cache changes no schedule and no answer of a bot."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import pytest

from bourre_referee.contest.schedule import gauntlet, no_cache, round_robin, round_robin_tables
from bourre_referee.contest.schedule.annealing import Rows, SearchCache, cache_key
from bourre_referee.derived.answers_cache import SCHEDULES, WORTH_KEEPING, fixed_deal_records, schedule_searches
from bourre_referee.derived.result_cache import NOTHING_KEPT, ResultCache
from tests.referee.derived.kept_files import kept_file

ROWS = tuple((number, number + 1) for number in range(WORTH_KEEPING // 2))


def never() -> tuple[()]:
    """A search that must not be made, or a bot that must not be asked."""
    raise AssertionError


def test_what_was_found_is_not_looked_for_again(cache: ResultCache) -> None:
    search = schedule_searches(cache)
    assert search("rows", lambda: ROWS) == ROWS
    assert search("rows", never) == ROWS
    assert search("others", lambda: ROWS[::-1]) == ROWS[::-1]


def test_what_is_found_at_once_is_not_kept(cache: ResultCache) -> None:
    assert schedule_searches(cache)("small", lambda: ROWS[1:]) == ROWS[1:]
    assert cache.read(SCHEDULES, "small") is None


def test_who_has_played_is_not_asked_again(cache: ResultCache, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fixed_deal_records(cache, "tight", lambda: None) is None  # it did not play to the end
    assert fixed_deal_records(cache, "tight", lambda: ("one", "two")) == ("one", "two")
    assert fixed_deal_records(cache, "tight", never) == ("one", "two")
    assert fixed_deal_records(cache, "loose", lambda: ("three",)) == ("three",)
    assert cache.read(f"quizzes-{version('bourre')}", "tight")
    monkeypatch.setattr("bourre_referee.derived.answers_cache.version", lambda _: "99.0")
    assert fixed_deal_records(cache, "tight", lambda: ("newer",)) == ("newer",)


def test_schedules_are_the_same_with_and_without_it(cache: ResultCache) -> None:
    found = [_schedules(schedule_searches(one)) for one in (cache, cache, NOTHING_KEPT)]
    assert found[0] == found[1] == found[2] == _schedules(no_cache)


def _schedules(memory: SearchCache) -> list[object]:
    return [
        round_robin(15, 4, None, b"", memory),
        round_robin(12, 4, 30, b"", memory),
        round_robin_tables(80, 5, 70, b"", memory),
        gauntlet(16, 5, 8, 0, b"", memory),
    ]


def test_no_search_is_taken_for_another() -> None:
    """Each differs from another in the bots, the seats, the number of rounds or tables, or in what came before."""
    kept: dict[str, Rows] = {}

    def remember(name: str, find: Callable[[], Rows]) -> Rows:
        return kept[name] if name in kept else kept.setdefault(name, find())

    for rounds in [(10, 4, 1), (12, 4, 1), (10, 5, 1), (10, 4, 2), (6, 3, 1), (6, 3, 11)]:
        assert round_robin(*rounds, b"", remember) == round_robin(*rounds, b"")
    for count in [(11, 4, 3), (12, 4, 3), (11, 5, 3), (11, 4, 4), (11, 4, 14)]:
        assert round_robin_tables(*count, b"", remember) == round_robin_tables(*count, b"")
    assert gauntlet(11, 4, 1, 0, b"", remember) == gauntlet(11, 4, 1, 0, b"")
    assert len(kept) == 14


def test_names_tell_searches_apart() -> None:
    past = [(), ((1, 2),), ((1, 2), (3, 4))]
    names = {
        cache_key(kind, *numbers, before=before) for kind in "ab" for numbers in ((1, 2), (12,)) for before in past
    }
    assert len(names) == 12


def test_searches_at_once_find_the_same(cache: ResultCache) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: round_robin(15, 4, None, b"", schedule_searches(cache)), range(4)))
    assert found == [round_robin(15, 4, None, b"")] * 4
    assert kept_file(cache, SCHEDULES)


def test_a_search_is_remembered_by_its_kind_its_numbers_and_what_was_played_before() -> None:
    assert cache_key("blocks", 5, 3) == "blocks-5-3-0"
    pasts = [cache_key("blocks", 5, 3, before=before) for before in (((0, 1),), ((1, 0),))]
    assert all(re.fullmatch("blocks-5-3-[0-9a-f]{16}", name) for name in pasts)
    assert len(set(pasts)) == 2
