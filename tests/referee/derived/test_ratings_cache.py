"""What is kept of a large run: used only while it agrees with the facts, and never trusted to be sound."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pytest

from bourre_referee.derived import ratings_cache
from bourre_referee.derived.ratings_cache import KIND, RatedRun, load_rated, rated_run, store_rated
from bourre_referee.derived.result_cache import ResultCache
from bourre_referee.derived.run_standings import rank, standings_of
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.storage.run.run import Run
from tests.referee.derived.kept_files import kept_file, rewrite
from tests.referee.in_process import finished_run
from tests.referee.web.runs import duplicate_run
from tests.referee.web.serving import void_match

BOTH = pytest.mark.parametrize("finished", [finished_run, duplicate_run], indirect=True)


def change_document(cache: ResultCache, change: Callable[[dict[str, object]], object]) -> None:
    """Changes the values that the only file holds."""

    def changed(content: bytes) -> bytes:
        document = json.loads(content)
        change(document)
        return json.dumps(document).encode()

    rewrite(cache, KIND, changed)


def edit(run: Run, statement: str) -> None:
    with closing(sqlite3.connect(run.path / "run.db")) as database, database:
        database.execute(statement)


@BOTH
def test_what_was_kept_gives_the_same_standings(run: Run, cache: ResultCache) -> None:
    made = rated_run(run, cache)
    kept = load_rated(cache, run)
    assert kept == made
    assert load_rated(cache, run, whole=True) == replace(made, facts={})
    assert kept.tally == tally_of(run.results())
    assert rank(run, kept.tally, kept.ratings) == standings_of(run)


@BOTH
def test_what_was_kept_is_used(run: Run, cache: ResultCache, monkeypatch: pytest.MonkeyPatch) -> None:
    made = rated_run(run, cache)
    monkeypatch.delattr(Run, "new_matches")
    assert rated_run(run, cache) == replace(made, facts={})
    monkeypatch.setattr(ratings_cache, "database_hash", lambda _: "")  # as if the database were in use
    assert rated_run(run, cache) == made


def test_a_database_in_use_has_no_hash(run: Run, cache: ResultCache, monkeypatch: pytest.MonkeyPatch) -> None:
    made = rated_run(run, cache)
    (run.path / "run.db-wal").touch()
    assert rated_run(run, cache) == made
    (run.path / "run.db-wal").unlink()
    hashes = iter(["before", "after"])  # it changes while it is read
    monkeypatch.setattr(ratings_cache, "database_hash", lambda _: next(hashes))
    kept_file(cache, KIND).unlink()
    rated_run(run, cache)
    assert '"database":""' in kept_file(cache, KIND).read_text()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seat SET wins = wins + 1 WHERE number = 2 AND seat = 0",
        "UPDATE match SET sha256 = zeroblob(32) WHERE number = 2",
        "UPDATE match SET attempt = 2 WHERE number = 2",
        "INSERT OR REPLACE INTO renege VALUES (1, 1, 0, 'R5.2', 99)",
        "UPDATE seat SET house_deals = house_deals + 1 WHERE number = 2 AND seat = 0",
        "UPDATE match SET blocks = zeroblob(1) WHERE number = 2",
    ],
)
def test_a_changed_fact_makes_it_void(run: Run, cache: ResultCache, statement: str) -> None:
    rated_run(run, cache)
    edit(run, statement)
    assert load_rated(cache, run) is None
    assert load_rated(cache, run, whole=True) is None


def test_another_anchor_makes_it_void(run: Run, cache: ResultCache) -> None:
    made, terms = rated_run(run, cache), run.manifest.terms
    first, *others = terms.bots
    anchored = terms.model_copy(update={"bots": (first.model_copy(update={"rating": (25.0, 1.0)}), *others)})
    other = replace(run, manifest=run.manifest.model_copy(update={"terms": anchored}))
    assert [load_rated(cache, other, whole=whole) for whole in (False, True)] == [None, None]
    assert load_rated(cache, run) == made


def test_what_no_standing_depends_on_may_change(run: Run, cache: ResultCache) -> None:
    made = rated_run(run, cache)
    edit(run, "UPDATE seat SET total_ms = total_ms + 1")
    assert load_rated(cache, run, whole=True) == made


def test_a_voided_match_makes_it_void(run: Run, cache: ResultCache) -> None:
    rated_run(run, cache)
    void_match(run.path, "m0002")
    assert load_rated(cache, run) is None
    assert len(rated_run(run, cache).facts) == len(run.results())


@BOTH
def test_newer_matches_may_be_missing(run: Run, cache: ResultCache) -> None:
    made = rated_run(run, cache)
    matches = run.new_matches(()) or []
    last = matches[-1].stored.number
    older = RatedRun(
        {number: found for number, found in made.facts.items() if number != last},
        tally_of([match.result for match in matches[:-1]]),
        made.ratings,
        len(matches) - 1,
    )
    store_rated(cache, run, older)
    assert load_rated(cache, run) == older
    assert load_rated(cache, run, whole=True) is None
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
    run: Run, cache: ResultCache, change: Callable[[dict[str, object]], object]
) -> None:
    made = rated_run(run, cache)
    change_document(cache, lambda document: [document.update(database=""), change(document)])
    assert load_rated(cache, run) is None
    assert rated_run(run, cache) == made
