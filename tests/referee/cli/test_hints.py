"""A hint names only options that the command has; a hint of a deeper module, options that some command has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

import bourre_referee
from bourre_referee.cli.app import app

PACKAGE = Path(bourre_referee.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OF_OTHER_PROGRAMS = {"--kernel-memory", "--help"}
"""Options in hints that are not ours."""


def commands(group: TyperGroup) -> Iterator[TyperCommand]:
    """Yields every command."""
    for command in group.commands.values():
        if isinstance(command, TyperGroup):
            yield from commands(command)
        elif isinstance(command, TyperCommand):
            yield command


def options_by_module() -> dict[str, set[str]]:
    """Returns the options of the commands that each module defines."""
    found: dict[str, set[str]] = {}
    for command in commands(typer.main.get_group(app)):
        module = getattr(command.callback, "__module__", "")
        found.setdefault(module, set()).update(name for param in command.params for name in param.opts)
    return found


OPTIONS = options_by_module()
ALL_OPTIONS = {option for options in OPTIONS.values() for option in options}


def hints(path: Path) -> Iterator[str]:
    """Yields the hints in the texts of a module, with braces for the values that they get."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        yield from (line for line in text.splitlines() if line.startswith("hint: "))


MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if any(OPTION.search(hint) for hint in hints(path))
}


@pytest.mark.parametrize("module", MODULES)
def test_a_hint_names_options_that_there_are(module: str) -> None:
    known = OPTIONS.get(module, ALL_OPTIONS) | OF_OTHER_PROGRAMS
    strange = {hint for hint in hints(MODULES[module]) if {*OPTION.findall(hint)} - known}
    assert strange == set()


def test_hints_are_found() -> None:
    assert "bourre_referee.cli.stats" in MODULES
    assert {"--ratings", "--json"} <= OPTIONS["bourre_referee.cli.stats"]
