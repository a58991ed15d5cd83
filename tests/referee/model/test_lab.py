"""The referee finds the lab by its entry point, and tells what to install where there is none."""

from __future__ import annotations

from importlib.metadata import EntryPoints
from typing import Any

import pytest

import bourre_lab.review
from bourre.extras import install_command
from bourre_referee.cli.exit_codes import end
from bourre_referee.model import lab


def test_the_lab_of_this_distribution_is_found() -> None:
    found: object = lab.open_lab()
    assert found is bourre_lab.review


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
