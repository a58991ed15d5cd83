"""What is kept in the user's cache folder: by kind and key, checked by its hash, within bounds, for the user alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bourre_referee.derived import result_cache
from bourre_referee.derived.result_cache import NOTHING_KEPT, ResultCache, key_of, open_result_cache
from bourre_referee.storage.run.run import Run
from tests.referee.derived.kept_files import kept_file

KIND = "counts-1"


def test_what_was_kept_is_found_by_its_kind_and_its_key(cache: ResultCache) -> None:
    cache.write(KIND, "one run", b"its counts\n")
    assert cache.read(KIND, "one run") == b"its counts\n"
    assert [cache.read("counts-2", "one run"), cache.read(KIND, "another run")] == [None, None]
    cache.write(KIND, "one run", b"newer")
    assert kept_file(cache, KIND)
    assert ResultCache(cache.folder).read(KIND, "one run") == b"newer"
    cache.write(KIND, "\ud800", b"a name that is no Unicode")
    assert cache.read(KIND, "\ud800") == b"a name that is no Unicode"


@pytest.mark.parametrize(
    "damage", [lambda whole: whole[:-1], lambda whole: b"", lambda whole: b"{}", lambda whole: whole.upper()]
)
def test_a_damaged_file_is_as_good_as_none(cache: ResultCache, damage: Callable[[bytes], bytes]) -> None:
    cache.write(KIND, "one run", b"its counts")
    kept_file(cache, KIND).write_bytes(damage(kept_file(cache, KIND).read_bytes()))
    assert cache.read(KIND, "one run") is None
    cache.write(KIND, "one run", b"its counts")
    assert cache.read(KIND, "one run") == b"its counts"


def test_a_place_that_cannot_be_used_keeps_nothing(cache: ResultCache, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    cache.write(KIND, "one run", b"its counts")
    occupied = kept_file(cache, KIND)
    occupied.unlink()
    occupied.mkdir()
    for unusable in (ResultCache(tmp_path / "file"), cache, NOTHING_KEPT):
        unusable.write(KIND, "one run", b"its counts")
        assert unusable.read(KIND, "one run") is None
    assert [*occupied.parent.iterdir()] == [occupied]  # no half-written file is left


def test_what_can_only_be_read_is_read(cache: ResultCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(path)

    cache.write(KIND, "one run", b"its counts")
    monkeypatch.setattr(os, "utime", refuse)
    assert cache.read(KIND, "one run") == b"its counts"


@pytest.mark.parametrize("large", [b"", b"1" * 36], ids=["small", "large"])
def test_what_was_used_longest_ago_makes_room(
    cache: ResultCache, monkeypatch: pytest.MonkeyPatch, large: bytes
) -> None:
    monkeypatch.setattr(result_cache, "LARGE", 36)
    kinds = ["counts-1", "ratings-1", "counts-2", "schedules-1"]
    for age, kind in enumerate(kinds):
        cache.write(kind, "one run", bytes(35))  # 100 bytes with its hash
        os.utime(kept_file(cache, kind), ns=(0, age))
    monkeypatch.setattr(result_cache, "MOST_BYTES", 301)
    assert cache.read("counts-1", "one run")
    cache.write("schedules-1", "one run", b"1" * 35)
    assert all(kept_file(cache, kind) for kind in kinds)  # no hash that begins with 0: nobody looked
    cache.write("schedules-1", "one run", large or bytes(35))
    assert [cache.read(kind, "one run") is not None for kind in kinds] == [True, False, True, True]


def test_nobody_else_may_read_it(cache: ResultCache) -> None:
    cache.write(KIND, "one run", b"its counts")
    file = kept_file(cache, KIND)
    assert [path.stat().st_mode & 0o777 for path in (file, file.parent, file.parent.parent)] == [0o600, 0o700, 0o700]


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"XDG_CACHE_HOME": "/cache", "HOME": "/home/ada"}, Path("/cache/bourre")),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/home/ada"}, Path("/home/ada/.cache/bourre")),
        ({"HOME": "relative"}, None),
        ({}, None),
    ],
)
def test_it_is_in_the_users_cache_folder(environment: dict[str, str], folder: Path | None) -> None:
    assert open_result_cache(environment) == ResultCache(folder)


def test_nothing_is_kept_of_a_small_run(run: Run, cache: ResultCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_cache, "WORTH_KEEPING", run.manifest.matches)
    assert cache.of_run(run) is cache
    monkeypatch.setattr(result_cache, "WORTH_KEEPING", run.manifest.matches + 1)
    assert cache.of_run(run) is NOTHING_KEPT


def test_runs_of_other_names_or_seeds_have_other_keys(run: Run) -> None:
    seed = run.manifest.seed
    changes: list[dict[str, object]] = [
        {"contest": "another"},
        {"seed": seed.model_copy(update={"commitment": "0" * 64})},
        {},
    ]
    assert len({key_of(Run(run.place, run.manifest.model_copy(update=change))) for change in changes}) == 3
