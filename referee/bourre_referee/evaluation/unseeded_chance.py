"""Find in a bot's file where random numbers come from that no seed repeats."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

_UNSEEDED = frozenset({"random.SystemRandom", "os.urandom", "uuid.uuid4"})
_SEEDED_BY_ARGUMENT = frozenset({"random.Random", "numpy.random.RandomState", "numpy.random.default_rng"})
"""What repeats if it is given a seed."""


def unseeded_places(file: Path) -> Iterator[str]:
    """Yield line and name of each call of such a source in this file; nothing for a file that Python cannot read."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):  # it is told where the file is started
        return
    names = dict(_imported(tree))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda call: call.lineno):
        name = _full_name(call.func, names)
        if _is_unseeded(name, has_arguments=bool(call.args or call.keywords)):
            yield f"{file.name}, line {call.lineno}: {name}"


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each name that the file imports, with its full name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _full_name(node: ast.expr, names: dict[str, str]) -> str:
    """Return the full name of what is called; empty unless it was imported."""
    if isinstance(node, ast.Attribute):
        owner = _full_name(node.value, names)
        return f"{owner}.{node.attr}" if owner else ""
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""


def _is_unseeded(name: str, *, has_arguments: bool) -> bool:
    if name in _SEEDED_BY_ARGUMENT:
        return not has_arguments
    if name.startswith("numpy.random."):
        return name.rpartition(".")[2].islower() and name != "numpy.random.seed"
    return name in _UNSEEDED or name.startswith("secrets.")
