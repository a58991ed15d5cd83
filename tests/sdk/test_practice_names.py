"""Bots given to practice by name, as on the command line; the examples as modules."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from bourre import Bot
from bourre.bot_code.bot_file import BotFileError
from bourre.practice import practice, practice_duplicate


class Agent(Bot):
    """Plays as any bot does by default."""


def names_in(bots: list[type[Bot] | str]) -> list[str]:
    return [row.bot for row in practice(bots, deals=2, seed=1).bots]


def test_an_example_is_known_by_its_name_and_a_file_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("from bourre import Bot\nclass Mine(Bot): ...\n")
    assert names_in([Agent, "tight", "random", "tight"]) == ["Agent", "tight", "random", "tight 2"]
    assert names_in([Agent, "mine", "./mine.py", "mine.py:Mine"]) == ["Agent", "mine", "mine 2", "Mine"]


def test_so_it_is_where_they_are_named_by_the_caller_and_in_duplicate() -> None:
    bots: dict[str, type[Bot] | str] = {"me": Agent, "other": "tight"}
    assert [row.bot for row in practice(bots, deals=2).bots] == ["me", "other"]
    assert '"bots":["me","other"]' in practice_duplicate(bots, 1, lambda seats, deal: [(0, 1)]).replace(" ", "")


def test_a_name_that_there_is_not_is_told_with_those_that_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BotFileError, match=r"Unknown bot 'tigth'\. Did you mean 'tight'"):
        practice([Agent, "tigth"], deals=2)


def test_what_is_no_list_of_bots_is_told_what_to_write() -> None:
    with pytest.raises(TypeError, match=r"practice needs several bots: pass a list, such as \[MyBot, 'tight'\]"):
        practice("tight", deals=2)
    with pytest.raises(TypeError, match="pass the class Agent, not an instance of it"):
        practice([Agent(), Agent], deals=2)  # type: ignore[list-item]


@pytest.mark.parametrize(("module", "bot"), [("tight", "Tight"), ("random_bot", "RandomBot")])
def test_the_examples_are_imported_as_from_a_wheel(module: str, bot: str) -> None:
    assert issubclass(getattr(import_module(f"bourre_referee.examples.{module}"), bot), Bot)
