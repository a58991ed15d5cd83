"""How a bot answered is kept under all that its answers depend on; a file that is of no use is as good as none."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.storage import kept_quizzes
from bourre_referee.storage.kept_quizzes import QuizCache, open_quiz_cache


def never() -> tuple[str, ...]:
    raise AssertionError("the records were kept")


def test_who_has_played_is_not_asked_again(tmp_path: Path) -> None:
    kept = open_quiz_cache({"XDG_CACHE_HOME": str(tmp_path)})
    assert kept("tight", lambda: ("one", "two")) == ("one", "two")
    assert kept("tight", never) == ("one", "two")
    assert kept("loose", lambda: ("three",)) == ("three",)


def test_who_did_not_play_to_the_end_is_asked_again(tmp_path: Path) -> None:
    kept = QuizCache(tmp_path)
    assert kept("tight", lambda: None) is None
    assert kept("tight", lambda: ("one",)) == ("one",)


def test_a_damaged_file_costs_another_play(tmp_path: Path) -> None:
    kept = QuizCache(tmp_path)
    kept("tight", lambda: ("one",))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-3])
    assert kept("tight", lambda: ("two",)) == ("two",)
    assert kept("tight", never) == ("two",)


def test_an_unusable_folder_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert QuizCache(tmp_path / "file")("tight", lambda: ("one",)) == ("one",)
    assert QuizCache(None)("tight", lambda: ("one",)) == ("one",)


def test_the_oldest_files_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_quizzes, "MOST_BYTES", 200)
    kept = QuizCache(tmp_path)
    kept("tight", lambda: ("x" * 100,))
    kept("loose", lambda: ("y" * 100,))
    assert kept("loose", never) == ("y" * 100,)
    assert kept("tight", lambda: ("again",)) == ("again",)
