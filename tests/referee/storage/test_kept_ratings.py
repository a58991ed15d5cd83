"""What is kept of a large run: used only while it agrees with the facts, and never trusted to be sound."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from shutil import copytree

import pytest

from bourre_referee.statistics.tally import tally_of
from bourre_referee.storage import kept_ratings
from bourre_referee.storage.kept_ratings import NOTHING_KEPT, RatedRun, RatingsCache, open_ratings_cache, rated_run
from bourre_referee.storage.run import Run
from bourre_referee.storage.user_cache import name_of_run
from tests.referee.web.runs import duplicate_run
from tests.referee.web.serving import finished_run, void_match

BOTH = pytest.mark.parametrize("finished", [finished_run, duplicate_run], indirect=True)


@pytest.fixture(scope="module")
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run; of format `session`, unless the test says otherwise."""
    play: Callable[[Path], Path] = getattr(request, "param", finished_run)
    return play(tmp_path_factory.mktemp("finished"))


@pytest.fixture
def run(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(kept_ratings, "WORTH_KEEPING", 1)
    return Run.open(Path(copytree(finished, tmp_path / "run")))


@pytest.fixture
def cache(tmp_path: Path) -> RatingsCache:
    return RatingsCache(tmp_path / "cache")


def kept_file(cache: RatingsCache) -> Path:
    assert cache.folder is not None
    (file,) = cache.folder.iterdir()
    return file


def rewrite(file: Path, change: Callable[[dict[str, object]], object]) -> None:
    """Change what a file holds, with the right hash."""
    document = json.loads(file.read_text().partition("\n")[2])
    change(document)
    text = json.dumps(document)
    file.write_text(f"{sha256(text.encode()).hexdigest()}\n{text}")


def edit(run: Run, statement: str) -> None:
    with closing(sqlite3.connect(run.path / "run.db")) as database, database:
        database.execute(statement)


@BOTH
def test_what_was_kept_gives_the_same_standings(run: Run, cache: RatingsCache) -> None:
    made = rated_run(run, cache)
    kept = cache.load(run)
    assert kept == made
    assert cache.load(run, whole=True) == replace(made, facts={})
    assert kept.tally == tally_of(run.results())
    assert run.rank(kept.tally, kept.ratings) == run.standings()


@BOTH
def test_what_was_kept_is_used(run: Run, cache: RatingsCache, monkeypatch: pytest.MonkeyPatch) -> None:
    made = rated_run(run, cache)
    monkeypatch.delattr(Run, "new_matches")
    assert rated_run(run, cache) == replace(made, facts={})
    monkeypatch.setattr(kept_ratings, "_database_hash", lambda _: "")  # as if the database were in use
    assert rated_run(run, cache) == made


def test_a_database_in_use_has_no_hash(run: Run, cache: RatingsCache, monkeypatch: pytest.MonkeyPatch) -> None:
    made = rated_run(run, cache)
    (run.path / "run.db-wal").touch()
    assert rated_run(run, cache) == made
    (run.path / "run.db-wal").unlink()
    hashes = iter(["before", "after"])  # it changes while it is read
    monkeypatch.setattr(kept_ratings, "_database_hash", lambda _: next(hashes))
    kept_file(cache).unlink()
    rated_run(run, cache)
    assert '"database":""' in kept_file(cache).read_text()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seat SET wins = wins + 1 WHERE number = 2 AND seat = 0",
        "UPDATE match SET sha256 = zeroblob(32) WHERE number = 2",
        "UPDATE match SET attempt = 2 WHERE number = 2",
        "INSERT INTO renege VALUES (1, 1, 0, 'R5.2', 1)",
        "UPDATE seat SET house_deals = house_deals + 1 WHERE number = 2 AND seat = 0",
        "UPDATE match SET blocks = zeroblob(1) WHERE number = 2",
    ],
)
def test_a_changed_fact_makes_it_void(run: Run, cache: RatingsCache, statement: str) -> None:
    rated_run(run, cache)
    edit(run, statement)
    assert cache.load(run) is None
    assert cache.load(run, whole=True) is None


def test_another_anchor_makes_it_void(run: Run, cache: RatingsCache) -> None:
    made, terms = rated_run(run, cache), run.manifest.terms
    first, *others = terms.bots
    anchored = terms.model_copy(update={"bots": (first.model_copy(update={"rating": (25.0, 1.0)}), *others)})
    other = replace(run, manifest=run.manifest.model_copy(update={"terms": anchored}))
    assert [cache.load(other, whole=whole) for whole in (False, True)] == [None, None]
    assert cache.load(run) == made


def test_what_no_standing_depends_on_may_change(run: Run, cache: RatingsCache) -> None:
    made = rated_run(run, cache)
    edit(run, "UPDATE seat SET total_ms = total_ms + 1")
    assert cache.load(run, whole=True) == made


def test_a_voided_match_makes_it_void(run: Run, cache: RatingsCache) -> None:
    rated_run(run, cache)
    void_match(run.path, "m0002")
    assert cache.load(run) is None
    assert len(rated_run(run, cache).facts) == len(run.results())


@BOTH
def test_newer_matches_may_be_missing(run: Run, cache: RatingsCache) -> None:
    made = rated_run(run, cache)
    matches = run.new_matches(()) or []
    last = matches[-1].stored.number
    older = RatedRun(
        {number: found for number, found in made.facts.items() if number != last},
        tally_of([match.result for match in matches[:-1]]),
        made.ratings,
        len(matches) - 1,
    )
    cache.store(run, older)
    assert cache.load(run) == older
    assert cache.load(run, whole=True) is None
    assert rated_run(run, cache) == made


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.update(made_by="bourre 0.0.1"),
        lambda document: document.update(rated=10**6),
        lambda document: document.update(rated="many"),
        lambda document: document["ratings"].popitem(),
        lambda document: document.update(numbers=[[1, 10**12]]),
        lambda document: document.update(pairs=[["ada", "bob", 1]]),
        lambda document: document.update(strange=1),
    ],
)
def test_a_strange_file_is_as_good_as_none(
    run: Run, cache: RatingsCache, change: Callable[[dict[str, object]], object]
) -> None:
    made = rated_run(run, cache)
    rewrite(kept_file(cache), lambda document: [document.update(database=""), change(document)])
    assert cache.load(run) is None
    assert rated_run(run, cache) == made


@pytest.mark.parametrize("text", [b"", b"{}", b"\xff\xfe", b"00\n{}"])
def test_a_damaged_file_is_as_good_as_none(run: Run, cache: RatingsCache, text: bytes) -> None:
    made = rated_run(run, cache)
    kept_file(cache).write_bytes(text)
    assert cache.load(run) is None
    assert rated_run(run, cache) == made
    assert cache.load(run) == made  # it was kept again


def test_a_folder_that_cannot_be_written_costs_only_time(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for cache in (RatingsCache(tmp_path / "file"), NOTHING_KEPT):
        assert rated_run(run, cache).rated == len(run.results())
        assert cache.load(run) is None


def test_a_small_run_is_not_kept(run: Run, cache: RatingsCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_ratings, "WORTH_KEEPING", 1_000)
    rated_run(run, cache)
    assert cache.folder is not None
    assert not cache.folder.exists()


def test_the_cache_is_in_the_users_folder() -> None:
    assert open_ratings_cache({"XDG_CACHE_HOME": "/cache"}).folder == Path("/cache/bourre/ratings-1")
    assert open_ratings_cache({}) == NOTHING_KEPT
    assert len({name_of_run(*names) for names in (("a", "b"), ("a", "c"), ("b", "b"))}) == 3
