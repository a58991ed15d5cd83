"""Finds in a bot's file the chance that no seed repeats: random sources without a seed, and choices by the clock."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

_UNSEEDED = frozenset({"random.SystemRandom", "os.urandom", "uuid.uuid4"})
_SEEDED_BY_ARGUMENT = frozenset({"random.Random", "numpy.random.RandomState", "numpy.random.default_rng"})
"""Random sources that repeat if they have a seed."""
_SEEDING = _SEEDED_BY_ARGUMENT | {"random.seed", "numpy.random.seed"}
_CLOCKS = frozenset({f"time.{name}{unit}" for name in ("time", "monotonic", "perf_counter") for unit in ("", "_ns")})


def unseeded_places(file: Path) -> Iterator[str]:
    """Yields line and name of each such call in this file, or nothing if Python cannot read the file."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the start of the file reports it
        return
    names = dict(_imported(tree))
    deciding = {id(call) for node in ast.walk(tree) for call in _choosing_calls(node, names)}
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda call: call.lineno):
        name = _full_name(call.func, names)
        if name in _CLOCKS and id(call) in deciding:
            yield f"{file.name}, line {call.lineno}: {name} decides"
        elif _is_unseeded(name, has_arguments=bool(call.args or call.keywords)):
            yield f"{file.name}, line {call.lineno}: {name} has no seed"


def unseeded_warning(place: str) -> str:
    """Says what follows from such a call, and the fix."""
    return f"{place}, so the bot plays differently each time: use view.rng, such as view.rng.choice(view.legal)"


def _choosing_calls(node: ast.AST, names: dict[str, str]) -> Iterator[ast.Call]:
    """Yields the calls inside an index, before a remainder or in a seed."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Subscript):
        parts = [node.slice]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        parts = [node.left]
    elif isinstance(node, ast.Call) and _full_name(node.func, names) in _SEEDING:
        parts = node.args
    yield from (inner for part in parts for inner in ast.walk(part) if isinstance(inner, ast.Call))


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yields each name that the file imports, with its full name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _full_name(node: ast.expr, names: dict[str, str]) -> str:
    """Returns the full name of the called function, or an empty text unless it was imported."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    owner = names.get(node.id, "") if isinstance(node, ast.Name) else ""
    return ".".join([owner, *attributes]) if owner else ""


def _is_unseeded(name: str, *, has_arguments: bool) -> bool:
    if name in _SEEDED_BY_ARGUMENT:
        return not has_arguments
    if name.startswith("numpy.random."):
        return name.rpartition(".")[2].islower() and name != "numpy.random.seed"
    return name in _UNSEEDED or name.startswith("secrets.")
