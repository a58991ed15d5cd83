"""Search results are cached across processes; the cache changes no schedule, even if it is damaged or unwritable."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bourre_referee.schedule import gauntlet, no_cache, round_robin, round_robin_tables
from bourre_referee.schedule.annealing import Rows, SearchCache, cache_key
from bourre_referee.storage.schedule_cache import EDITION, WORTH_KEEPING, ScheduleCache, open_schedule_cache

ROWS = tuple((number, number + 1) for number in range(WORTH_KEEPING))

pytestmark = pytest.mark.xdist_group("processes")


def never() -> Rows:
    """A search that must not be made."""
    raise AssertionError


@pytest.fixture
def memory(tmp_path: Path) -> ScheduleCache:
    return ScheduleCache(tmp_path / "a" / "b")


def test_what_was_found_is_not_looked_for_again(memory: ScheduleCache) -> None:
    assert memory("rows", lambda: ROWS) == ROWS
    assert memory("rows", never) == ROWS
    assert ScheduleCache(memory.folder)("rows", never) == ROWS
    assert memory("others", lambda: ROWS[::-1]) == ROWS[::-1]


def test_what_is_found_at_once_is_not_kept(memory: ScheduleCache) -> None:
    assert memory("small", lambda: ((1, 2),)) == ((1, 2),)
    assert not memory.folder.exists()


@pytest.mark.parametrize(
    "damage", [lambda text: text[:-5], lambda text: "", lambda text: text.replace("7", "8"), str.upper]
)
def test_what_is_damaged_is_found_again_and_fixed(memory: ScheduleCache, damage: Callable[[str], str]) -> None:
    memory("rows", lambda: ROWS)
    (file,) = memory.folder.iterdir()
    whole = file.read_text()
    file.write_text(damage(whole))
    assert memory("rows", lambda: ROWS) == ROWS
    assert file.read_text() == whole


def test_bytes_that_are_no_text_are_found_again(memory: ScheduleCache) -> None:
    memory("rows", lambda: ROWS)
    (file,) = memory.folder.iterdir()
    file.write_bytes(b"\xff\xfe")
    assert memory("rows", lambda: ROWS) == ROWS


@pytest.mark.parametrize("place", ["file", "folder"])
def test_a_place_that_cannot_be_written_costs_only_the_search(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "cache"
    if place == "file":
        folder.write_text("no folder")
    else:
        (folder / "rows.json").mkdir(parents=True)
    assert ScheduleCache(folder)("rows", lambda: ROWS) == ROWS
    assert [path.name for path in folder.glob("*")] == ([] if place == "file" else ["rows.json"])


def test_schedules_are_the_same_with_and_without_it(memory: ScheduleCache) -> None:
    found = [_schedules(memory), _schedules(memory), _schedules(no_cache)]
    assert len(list(memory.folder.iterdir())) >= 3
    assert found[0] == found[1] == found[2]


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


SEARCH = """
import os, sys
from bourre_referee.storage.schedule_cache import open_schedule_cache
from bourre_referee.schedule import round_robin
sys.stdin.readline()
print(hash(round_robin(15, 4, None, b"", open_schedule_cache(os.environ)).line_ups))
"""


def test_many_processes_at_once_find_the_same(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", SEARCH]
    running = [
        subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = {process.communicate()[0] for process in running}
    assert told == {f"{hash(round_robin(15, 4, None, b'').line_ups)}\n"}
    assert {process.returncode for process in running} == {0}
    (file,) = (tmp_path / "bourre" / f"schedules-{EDITION}").iterdir()
    assert file.suffix == ".json"


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"XDG_CACHE_HOME": "/cache", "HOME": "/home/ada"}, "/cache"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/home/ada"}, "/home/ada/.cache"),
        ({"HOME": "/home/ada"}, "/home/ada/.cache"),
    ],
)
def test_where_it_is_kept(environment: dict[str, str], folder: str) -> None:
    assert open_schedule_cache(environment) == ScheduleCache(Path(folder) / "bourre" / f"schedules-{EDITION}")


def test_without_a_home_nothing_is_kept() -> None:
    assert open_schedule_cache({}) is no_cache


def test_a_search_is_remembered_by_its_kind_its_numbers_and_what_was_played_before() -> None:
    assert cache_key("blocks", 5, 3) == "blocks-5-3-0"
    pasts = [cache_key("blocks", 5, 3, before=before) for before in (((0, 1),), ((1, 0),))]
    assert all(re.fullmatch("blocks-5-3-[0-9a-f]{16}", name) for name in pasts)
    assert len(set(pasts)) == 2
