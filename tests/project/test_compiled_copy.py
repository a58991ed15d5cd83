"""A compiled copy is always one of the present sources, and nothing compiled lies beside them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import compiled_copy
import setting_up


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The switch of each build that was started; each ends with code 0, unless the list begins with None."""
    started: list[str | None] = []

    def run(command: tuple[object, ...], env: dict[str, str], check: bool) -> subprocess.CompletedProcess[str]:
        failing = started[:1] == [None]
        started.append(env["BOURRE_COMPILE"])
        Path(str(command[-2])).mkdir(parents=True)
        return subprocess.CompletedProcess([], 1 if failing else 0)

    monkeypatch.setattr("compiled_copy.subprocess.run", run)
    return started


def test_a_copy_is_made_again_when_the_sources_have_changed_and_only_then(
    tmp_path: Path, pip: list[str | None]
) -> None:
    copy = tmp_path / "build" / "compiled"
    for sources, builds in (("one", 1), ("one", 1), ("two", 2), ("two", 2)):
        assert compiled_copy.renew(copy, sources) == 0
        assert pip == ["yes"] * builds
    (copy / "old").touch()
    compiled_copy.renew(copy, "three")
    assert not (copy / "old").exists()


def test_a_failed_build_is_tried_again(tmp_path: Path, pip: list[str | None]) -> None:
    pip.append(None)
    assert [compiled_copy.renew(tmp_path / "copy", "one") for _ in range(2)] == [1, 1]
    assert pip == [None, "yes", "yes"]


@pytest.mark.parametrize("place", ["sdk/bourre/rules/match.py", "proto/bourre/v1/game.proto", "compiling.py"])
def test_every_edit_is_another_source(place: str, tmp_path: Path) -> None:
    source = tmp_path / place
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("before")
    before = list(compiled_copy.source_parts(tmp_path))
    (source.parent / "__pycache__").mkdir()
    (source.parent / "__pycache__" / "match.pyc").touch()
    assert list(compiled_copy.source_parts(tmp_path)) == before == [place.encode(), b"before"]
    source.write_text("after")
    assert list(compiled_copy.source_parts(tmp_path)) == [place.encode(), b"after"]


@pytest.mark.parametrize("room", ["sdk/bourre/rules", "referee/bourre_referee/server"])
def test_modules_that_an_older_version_left_beside_the_sources_go(
    room: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setting_up, "ROOT", tmp_path)
    (tmp_path / room).mkdir(parents=True)
    module = tmp_path / room / "match.so"
    module.touch()
    setting_up.remove_old_modules()
    assert not module.exists()
    assert capsys.readouterr().err.startswith("Removed the compiled modules beside the sources")
    setting_up.remove_old_modules()
    assert capsys.readouterr().err == ""
