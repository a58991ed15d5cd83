"""A hint names only options that the command has; a hint of a deeper module, options that some command has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import typer
from typer.core import TyperCommand, TyperGroup

import bourre_referee
from bourre_referee.cli.app import bourre_commands

PACKAGE = Path(bourre_referee.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OF_OTHER_PROGRAMS = {"--kernel-memory", "--help", "--package-lock-only"}
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
    for command in commands(typer.main.get_group(bourre_commands())):
        module = getattr(command.callback, "__module__", "")
        found.setdefault(module, set()).update(name for param in command.params for name in param.opts)
    return found


def hints(path: Path) -> Iterator[str]:
    """Yields the hints in the texts of a module that name an option, with braces for the values that they get."""
    if "hint: " not in (source := path.read_text("utf-8")):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        yield from (line for line in text.splitlines() if line.startswith("hint: ") and OPTION.search(line))


def test_a_hint_names_options_that_there_are() -> None:
    options = options_by_module()
    assert {"--ratings", "--json"} <= options["bourre_referee.cli.stats"]
    anywhere = {option for known in options.values() for option in known}
    found = [(path, hint) for path in sorted(PACKAGE.rglob("*.py")) for hint in hints(path)]
    assert PACKAGE / "cli/stats.py" in {path for path, _ in found}
    strange = [
        (module, hint)
        for path, hint in found
        for module in [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)]
        if {*OPTION.findall(hint)} - options.get(module, anywhere) - OF_OTHER_PROGRAMS
    ]
    assert strange == []
