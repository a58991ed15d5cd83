"""What changed since a run began: every term is compared, and named as the contest file has it."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.runner.run_changes import WHERE, changes
from bourre_referee.runner.watched_files import WatchedFiles
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.manifest import Manifest, Seed, Terms
from bourre_referee.storage.run.versions import versions
from tests.referee import contests


def test_every_term_that_changed_is_named_where_it_is_written(tmp_path: Path) -> None:
    terms = terms_of(contests.small_contest(tmp_path))
    seed = Seed(note="practice seed, not secret", commitment="c0de" * 16, revealed=None)
    begun = Manifest(
        contest="small",
        versions=versions(),
        seed=seed,
        terms=terms,
        matches=1,
        finished=0,
        digest=None,
        chain="c0" * 32,
    )
    assert changes(begun, "small", terms) == []
    now = terms.model_copy(update={"format": "duplicate", "fresh": False, "stakes": (0, 1), "archive": True})
    assert changes(begun, "small", now) == [
        "[table] format was 'session', is 'duplicate'",
        "[table] fresh was true, is false",
        f"[table] stakes was {list(terms.stakes)}, is [0, 1]",
        "[contest] archive was not set, is true",
    ]
    assert WHERE.keys() == Terms.model_fields.keys() - {"bots", "baseline"}


def test_files_are_read_again_only_when_something_was_touched(tmp_path: Path) -> None:
    reads: list[str] = []
    found: list[str] = []

    def compare() -> list[str]:
        reads.append("read")
        return found

    for name in ("bot.py", "other.py"):
        (tmp_path / name).write_text("1")
    (tmp_path / "lib" / "__pycache__").mkdir(parents=True)
    watched = WatchedFiles(["bot.py", "lib"], tmp_path, compare)
    assert [watched.changes(), watched.changes(), len(reads)] == [(), (), 1]
    (tmp_path / "other.py").write_text("2")
    (tmp_path / "lib" / "__pycache__" / "a.pyc").write_text("2")
    assert [watched.changes(), len(reads)] == [(), 1], "nothing of the bot was touched"
    for path in (tmp_path / "lib" / "new.py", tmp_path / "bot.py"):
        path.write_text("22")
        found.append(f"{path.name} was changed")
        before = len(reads)
        assert [watched.changes(), watched.changes(), len(reads)] == [tuple(found), tuple(found), before + 2]
    found.clear()
    assert [watched.changes(), watched.changes(), len(reads)] == [(), (), 6]
    (tmp_path / "bot.py").unlink()
    assert [watched.changes(), len(reads)] == [(), 7]
