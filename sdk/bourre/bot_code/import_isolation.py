"""Keeps the modules of bots from several folders apart in one process."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType


@contextmanager
def isolate_imports(folder: Path, others: Collection[Path]) -> Iterator[None]:
    """Inside, imports find this folder's modules, even if a bot of another folder imported one of the same name.

    Afterwards, a name that both bots imported is blocked: importing it inside a function raises ModuleNotFoundError
    instead of finding the other bot's module.
    """
    theirs = {top for top in _names_in(folder) & {*map(_top, sys.modules)} if _is_theirs(top, others)}
    before = {name: sys.modules.pop(name) for name in _within(theirs)}
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        both = {_top(name) for name in _within(theirs)}
        sys.modules.update(before)
        for name in _within(both):
            sys.modules[name] = None  # type: ignore[assignment]  # None makes Python refuse the import


def _top(name: str) -> str:
    return name.partition(".")[0]


def _within(tops: Collection[str]) -> list[str]:
    """Returns all loaded modules with these top-level names, including submodules."""
    return [name for name in sys.modules if _top(name) in tops] if tops else []


def _names_in(folder: Path) -> set[str]:
    """Returns the names under which this folder's files and folders can be imported."""
    with os.scandir(folder) as entries:
        return {
            entry.name.removesuffix(".py")
            for entry in entries
            if (entry.is_file() if entry.name.endswith(".py") else entry.is_dir())
        }


def _is_theirs(top: str, others: Collection[Path]) -> bool:
    """Returns whether this module comes from one of these folders, or is already blocked."""
    modules: list[ModuleType | None] = [sys.modules[name] for name in _within({top})]
    return any(module is None or _is_of(other, top, module) for module in modules for other in others)


def _is_of(folder: Path, top: str, module: ModuleType) -> bool:
    file = Path(getattr(module, "__file__", None) or "")
    return file == folder / f"{top}.py" or file.is_relative_to(folder / top)
