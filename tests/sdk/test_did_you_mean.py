"""A misspelt field, name of a module or class for `run` is told what was meant, on every Python."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

import bourre
from bourre.bot import Bot
from bourre.bot_code.bot_file import BotFileError, load
from bourre.bot_code.did_you_mean import did_you_mean_for
from bourre.connection.client import play, run
from bourre.rules.view import View


def error_of(step: Callable[[], object]) -> Exception:
    with pytest.raises((AttributeError, ImportError, NameError)) as caught:
        step()
    return caught.value


def import_bott() -> None:
    exec("from bourre import Bott")


def test_a_field_of_a_view_and_a_name_of_the_package_are_found() -> None:
    view = object.__new__(View)
    assert did_you_mean_for(error_of(lambda: getattr(view, "leagl"))) == "Did you mean 'legal'?"  # noqa: B009
    assert did_you_mean_for(error_of(lambda: getattr(bourre, "Bott"))) == "Did you mean 'Bot'?"  # noqa: B009
    assert did_you_mean_for(error_of(import_bott)) == "Did you mean 'Bot'?"


@pytest.mark.parametrize("error", [AttributeError("no"), ImportError("no"), KeyError("a")])
def test_nothing_is_meant_where_nothing_is_near(error: Exception) -> None:
    assert not did_you_mean_for(error)
    assert not did_you_mean_for(error_of(lambda: getattr(bourre, "zzz")))  # noqa: B009


def test_an_error_in_what_a_name_loads_is_not_taken_for_a_missing_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(vars(bourre), "winner", raising=False)
    monkeypatch.setattr("bourre._load", lambda home: getattr(asyncio, home))
    with pytest.raises(ImportError, match=r"module 'asyncio' has no attribute 'bourre.sampling.view_reading'"):
        getattr(bourre, "winner")  # noqa: B009


def test_loading_a_file_asks_what_was_meant(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("from bourre import Bott, run\n")
    with pytest.raises(BotFileError, match=r"line 1: ImportError: cannot import name 'Bott'.*\. Did you mean 'Bot'\?"):
        load(str(file))


class Mine(Bot):
    pass


REFUSALS = [
    (Mine(), r"run takes the class, not an instance of it: use run\(Mine\), not run\(Mine\(\)\)"),
    (dict, r"run takes a class that derives from bourre.Bot: use class dict\(Bot\)"),
    ("Mine", "run takes a class that derives from bourre.Bot, but got a value of type str"),
]


@pytest.mark.parametrize(("bot", "words"), REFUSALS)
def test_run_and_play_refuse_what_is_no_class_of_bots(bot: type[Bot], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        run(bot)
    with pytest.raises(TypeError, match=words):
        asyncio.run(play(bot, "unix:nowhere", ""))
