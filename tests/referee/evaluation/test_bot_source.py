"""Bots as a command line names them: what is a command, what it is called, and how it is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.cli.bot_sources import files_of, find_bot, name_bots, sources_of
from bourre_referee.cli.exit_codes import BadUsage
from bourre_referee.evaluation.bot_source import (
    BotCommand,
    clock_of,
    entrants_of,
    is_command,
    isolation_for,
    split_bots,
)
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Clock, Level, OwnIsolation
from tests.referee.command import called


def found(text: str, *environment: str) -> BotCommand:
    bot = find_bot(text, (), environment)
    assert isinstance(bot, BotCommand)
    return bot


def test_several_words_are_a_command_unless_they_are_a_file(tmp_path: Path) -> None:
    assert is_command("python -m bourre_seats.models --model mini")
    assert not is_command("tight")
    (tmp_path / "my bot.py").touch()
    assert not is_command(str(tmp_path / "my bot.py"))
    assert not is_command(f"{tmp_path / 'my bot.py'}:Class")


def test_commas_in_quotes_do_not_end_a_bot() -> None:
    text = """tight, a=python -m b --extra-body '{"x": 1, "y": 2}',loose"""
    assert split_bots(text) == ["tight", """a=python -m b --extra-body '{"x": 1, "y": 2}'""", "loose"]
    assert split_bots("tight,,") == ["tight", "", ""]


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (
            "mini=python -m bourre_seats.models --model x",
            "mini",
            ("python", "-m", "bourre_seats.models", "--model", "x"),
        ),
        ("python -m bourre_seats.models --model x", "models", ("python", "-m", "bourre_seats.models", "--model", "x")),
        ("python 'my bot.py'", "my_bot", ("python", "my bot.py")),
        ("python --version", "python", ("python", "--version")),
    ],
)
def test_a_command_has_a_name(
    text: str, name: str, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my bot.py").touch()
    command = found(text)
    assert (command.name, command.words) == (name, words)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no-such-program --model x", "no program 'no-such-program'"),
        ("python nowhere.py --model x", "no file 'nowhere.py' here"),
        ("python -c 'print(1)", "Unclosed quote in "),
    ],
)
def test_what_cannot_be_started_is_refused(text: str, why: str) -> None:
    with pytest.raises(ContestError, match=why):
        find_bot(text, ())


def test_names_are_told_apart_and_commands_need_processes(tmp_path: Path) -> None:
    (tmp_path / "mini.py").touch()
    bots = name_bots([found("mini=python --version"), str(tmp_path / "mini.py")])
    assert list(bots) == ["mini", "mini-2"]
    assert sources_of(bots)["mini-2"] == tmp_path / "mini.py"
    with pytest.raises(BadUsage, match="'mini' is a command"):
        files_of(bots)


def test_only_a_command_gets_variables_and_runs_without_isolation(tmp_path: Path) -> None:
    command = found("mini=python --version", "KEY")
    entry = entrants_of({"mini": command}, tmp_path)[0].entry(tmp_path)
    assert entry.environment == ("KEY",)
    assert entrants_of({"a": tmp_path / "a.py"}, tmp_path)[0].entry(tmp_path).environment == ()
    assert entry.isolation == OwnIsolation(Level.NONE)
    assert entrants_of({"a": tmp_path / "a.py"}, tmp_path)[0].entry(tmp_path).isolation == OwnIsolation()
    assert isolation_for([tmp_path / "a.py", command]).level == "best", "a file may be a stranger's"
    assert isolation_for([command]).level == "none"


def test_the_clock_is_the_usual_one_unless_seconds_are_given() -> None:
    assert clock_of(None) == Clock()
    assert clock_of(60) == Clock(start_ms=60_000, decision_ms=60_000, bank_ms=300_000, match_ms=86_400_000)
    assert (clock_of(0).decision_ms, clock_of(30_000).bank_ms, clock_of(1e9).decision_ms) == (1, 86_400_000, 86_400_000)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("practice", "tight", "--decision-seconds", "5"), "hint: remove --decision-seconds"),
        (("practice", "tight", "--environment", "PATH"), "hint: remove --environment"),
        (("compare", "tight", "loose", "--environment", "PATH"), "hint: remove --environment"),
        (
            ("practice", "python --version", "--environment", "NO_SUCH_KEY"),
            "the variable 'NO_SUCH_KEY' is not set",
        ),
        (("compare", "python --version", "tight", "--in-process"), "'python' is a command"),
    ],
)
def test_options_that_nobody_would_use_are_refused(words: tuple[str, ...], says: str) -> None:
    done = called(*words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
