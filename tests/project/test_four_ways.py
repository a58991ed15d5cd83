"""research/design/four-ways.md follows real calls: each function that it names calls the next."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import dev

DOCUMENT = dev.ROOT / "research/design/four-ways.md"
STEP = re.compile(r"^(\d+)\. `([\w/.]+)` `([\w.]+)`: ")


class Step(NamedTuple):
    """A line of a list."""

    number: int
    path: Path
    name: str


def steps() -> list[Step]:
    """All lines of all lists, in their order."""
    found = filter(None, map(STEP.match, DOCUMENT.read_text("utf-8").splitlines()))
    return [Step(int(step[1]), dev.ROOT / step[2], step[3]) for step in found]


@cache
def functions(path: Path) -> dict[str, set[str]]:
    """The functions of a file by their qualified names, each with all the names in it."""
    return dict(_functions_in(ast.parse(path.read_text("utf-8")), ""))


def _functions_in(parent: ast.AST, prefix: str) -> Iterator[tuple[str, set[str]]]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.ClassDef):
            yield from _functions_in(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{node.name}", set(_names_in(node))


def _names_in(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def called_as(name: str) -> str:
    """The name by which a function is called: for `__init__`, that of its class."""
    owner, _, last = name.rpartition(".")
    return owner if last == "__init__" else last


def test_every_function_is_there() -> None:
    assert [step for step in steps() if step.name not in functions(step.path)] == []


def test_each_function_calls_the_next() -> None:
    pairs = [(one, following) for one, following in pairwise(steps()) if following.number > 1]
    assert [following for one, following in pairs if following.number != one.number + 1] == []
    assert [
        (one.name, following.name)
        for one, following in pairs
        if called_as(following.name) not in functions(one.path).get(one.name, ())
    ] == []


def test_there_are_four_ways() -> None:
    ways = DOCUMENT.read_text("utf-8").split("\n## ")[1:]
    assert [way.split(",")[0] for way in ways] == ["One decision", "One chip", "One seed", "One fault"]
    assert all(STEP.match(line) for way in ways for line in way.splitlines() if line[:1].isdigit())
