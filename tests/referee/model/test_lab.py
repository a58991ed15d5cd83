"""The referee finds the lab by its entry point, and tells what to install where there is none."""

from __future__ import annotations

import os
from importlib.metadata import EntryPoints
from typing import Any
from unittest.mock import Mock

import pytest

import bourre_lab.review
from bourre.extras import install_command
from bourre_referee.cli.exit_codes import end
from bourre_referee.model import lab


def test_the_lab_of_this_distribution_is_found() -> None:
    found: object = lab.open_lab()
    assert found is bourre_lab.review


@pytest.mark.parametrize(("before", "inside"), [(None, "1"), ("4", "4")])
def test_numpy_is_loaded_for_one_thread_unless_the_user_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, before: str | None, inside: str
) -> None:
    """Other programs that this one starts, such as bots, do not get the variable."""
    name = "OPENBLAS_NUM_THREADS"
    monkeypatch.setenv(name, before) if before else monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(lab, "entry_points", lambda **_: [Mock(load=lambda: os.environ[name])])
    lab.open_lab.cache_clear()
    found: object = lab.open_lab()
    lab.open_lab.cache_clear()
    assert (found, os.environ.get(name)) == (inside, before)


def test_where_there_is_no_lab_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none_found(**_group: Any) -> EntryPoints:
        return EntryPoints()

    monkeypatch.setattr(lab, "entry_points", none_found)
    lab.open_lab.cache_clear()
    with pytest.raises(ModuleNotFoundError, match=r"no package has the entry point bourre\.lab") as caught:
        lab.open_lab()
    with pytest.raises(SystemExit):
        end(caught.value)
    assert install_command("champion") in capsys.readouterr().err
