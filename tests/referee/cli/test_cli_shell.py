"""What a user who started `bourre` by its path is told, so that the next commands work as printed."""

import os
import sys
from pathlib import Path

import pytest

from bourre_referee.cli.exit_codes import activation_lines
from tests.referee.command import called


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of an environment that seems to be the running one, below an empty current folder."""
    monkeypatch.chdir(tmp_path)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("activate", "bourre", "python"):
        (programs / name).write_text("")
        (programs / name).chmod(0o755)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.setenv("PATH", "/usr/bin")
    return programs


def test_who_does_not_find_them_is_told_how(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert activation_lines() == [". .venv/bin/activate"]
    (environment.parents[1] / "elsewhere").mkdir()
    monkeypatch.chdir(environment.parents[1] / "elsewhere")
    assert activation_lines() == [f". {environment}/activate"]


def test_only_who_finds_both_there_or_has_no_such_script_is_told_nothing(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = environment.parents[1] / "other"
    other.mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join([str(environment), str(other), "/usr/bin"]))
    assert activation_lines() == []
    (environment / "python").rename(other / "python")
    assert activation_lines() == [". .venv/bin/activate"]
    (environment / "activate").unlink()
    assert activation_lines() == []


def test_new_tells_it_before_it_goes_elsewhere(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin")
    told = called("new", "mybot").err.splitlines()
    assert told[1:3] == ["bourre:   . .venv/bin/activate", "bourre:   cd mybot"]
