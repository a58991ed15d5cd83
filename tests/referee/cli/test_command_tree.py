"""The names of commands and options, their pages of help, and the names of the last release."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from bourre_referee.cli.app import GROUPS, HOMES, bourre_commands
from bourre_referee.cli.command_examples import EXAMPLES
from bourre_referee.cli.command_group import (
    FORMER_COMMANDS,
    FORMER_LADDER_COMMANDS,
    LADDER_SECTIONS,
    SECTIONS,
)
from bourre_referee.cli.former_options import modern_words
from tests.referee.command import called, called_without_reader

APP = typer.main.get_group(bourre_commands())
WIDTH = 80


def commands(group: TyperGroup, path: str = "") -> Iterator[tuple[str, TyperCommand]]:
    """Yields every command that is not hidden, with its words."""
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, f"{path}{name} ")
        elif isinstance(command, TyperCommand) and not command.hidden:
            yield f"{path}{name}", command


COMMANDS = dict(commands(APP))


def test_the_first_screen_has_twelve_names() -> None:
    screen = called("--help").out
    shown = [line.split(maxsplit=1) for line in screen.splitlines() if line.startswith("  ")]
    helps = {name: (command.help or "").partition("\n")[0].removesuffix(".") for name, command in APP.commands.items()}
    assert len(shown) == 12
    assert shown == [[name, helps[name]] for name, _ in shown]
    assert screen.endswith("Start here:  bourre new mybot\n")
    assert called().err == screen
    assert called_without_reader("--help").code == 141


def test_the_first_screen_waits_for_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bourre_referee.cli.app", None)  # an import raises
    assert called("--help").code == 0


@pytest.mark.parametrize("word", [name for name in (*HOMES, *GROUPS) if name != "help_command"])
def test_a_command_alone_is_what_it_is_among_all(word: str) -> None:
    alone = typer.main.get_group(bourre_commands([word, "--help"]))
    assert list(alone.commands) == [word]
    pages = [group.commands[word].get_help(typer.Context(group.commands[word])) for group in (alone, APP)]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("words", [[], ["help"], ["--version"], ["bench"], ["rnu"], ["--help", "run"]])
def test_words_that_name_no_command_know_all(words: list[str]) -> None:
    assert {*typer.main.get_group(bourre_commands(words)).commands} == {*APP.commands}


def test_help_shows_every_command_in_a_section() -> None:
    ladder = {f"ladder {name}" for names in LADDER_SECTIONS.values() for name in names}
    assert {name for names in SECTIONS.values() for name in names} | ladder == {*COMMANDS, "rules"} - {"help"}
    page = called("help").out
    assert all(f"\n  {name} " in page for name in {*COMMANDS} - {"help"})


@pytest.mark.parametrize("path", ["", "help", *COMMANDS, "course", "rules", "ladder"])
def test_a_page_of_help_fits_the_screen_and_cuts_nothing(path: str) -> None:
    page = called(*path.split(), "--help").out
    assert max(map(len, page.splitlines())) <= WIDTH
    assert not any(cut in page for cut in ("…", "<s", "<p", "<i", "<n", "x>=", "list["))


@pytest.mark.parametrize("path", ["run", "ladder add", "rules", "ladder"])
def test_help_of_a_command_is_the_same_page(path: str) -> None:
    assert called("help", *path.split()).out == called(*path.split(), "--help").out


def test_help_of_an_unknown_command_is_an_error() -> None:
    assert called("help", "dance").err == "bourre: Unknown command 'dance'.\nhint: bourre help\n"


def test_every_command_has_examples_that_name_its_options() -> None:
    assert EXAMPLES.keys() == {*COMMANDS, "course", "rules", "ladder"}
    for example in (example for examples in EXAMPLES.values() for example in examples):
        words = shlex.split(example.partition(" <")[0].partition(" >")[0])
        group: object = APP
        context = typer.Context(APP, info_name="bourre")
        while isinstance(group, TyperGroup):
            name, command, words = group.resolve_command(context, words or ["--help"])
            assert command is not None
            group, context = command, typer.Context(command, context, name)
        context.command.make_parser(context).parse_args(words)


def test_former_commands_say_the_new_ones(tmp_path: Path) -> None:
    for former, new in FORMER_COMMANDS.items():
        assert called(former, "--help").err == f"bourre: `{former}` is now `{new}`\n"
        assert called(former, "--help").out == called(*new.split(), "--help").out
    for former, new in FORMER_LADDER_COMMANDS.items():
        assert called("ladder", former, "--help").err == f"bourre: `ladder {former}` is now `ladder {new}`\n"
    told = called("schedule", "--bots", 4, "--seats", 3)
    assert told.out == called("run", "--plan", "--bots", 4, "--seats", 3).out


@pytest.mark.parametrize(
    ("former", "new"),
    [
        ("bot.py --preset nba --deals 9", "bot.py --rules nba --deals 9"),
        ("--house=nba", "--rules nba"),
        ("--decision-ms 250", "--decision-seconds 0.25"),
        ("c.toml --executor dask", "--cluster local c.toml"),
        ("--executor local c.toml", "c.toml"),
        ("--scheduler tls://a:1 --executor dask c.toml", "--cluster local --cluster tls://a:1 c.toml"),
        ("--executor dask --scheduler tls://a:1", "--cluster local --cluster tls://a:1"),
        ("--cluster c.toml", "--cluster local c.toml"),
        ("--cluster a:8786 c.toml", "--cluster a:8786 c.toml"),
        ("c.toml --cluster", "c.toml --cluster local"),
    ],
)
def test_former_options_become_the_new_ones(former: str, new: str) -> None:
    told = list[str]()
    known = {"--rules", "--decision-seconds", "--cluster", "--deals"}
    assert modern_words(former.split(), known, told.append) == new.split()
    assert bool(told) == ("--cluster" not in former)


def test_an_option_that_a_command_still_has_keeps_its_name() -> None:
    assert modern_words(["--db", "x"], {"--db", "--to"}, pytest.fail) == ["--db", "x"]
    assert modern_words(["--preset", "x"], {"--seed"}, pytest.fail) == ["--preset", "x"]
    assert modern_words(["--db", "x"], {"--to"}, lambda _: None) == ["--to", "x"]
