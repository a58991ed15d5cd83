"""The modules beside a bot's file, where bots of several folders are loaded into one process."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType


@contextmanager
def isolated_imports(folder: Path, others: Collection[Path]) -> Iterator[None]:
    """Inside, what is imported is this folder's, even where a bot of the others has imported one of the same name.

    A name that both have imported stands for neither afterwards: who imports it only then, in a function, gets Python's
    ModuleNotFoundError instead of the other bot's module.
    """
    theirs = {top for top in set(map(_top, sys.modules)) if _holds(folder, top) and _is_theirs(top, others)}
    before = {name: sys.modules.pop(name) for name in _within(theirs)}
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        both = {_top(name) for name in _within(theirs)}
        sys.modules.update(before)
        for name in _within(both):
            sys.modules[name] = None  # type: ignore[assignment]  # Python's word for: not to be imported


def _top(name: str) -> str:
    return name.partition(".")[0]


def _within(tops: Collection[str]) -> list[str]:
    """All that is loaded under these names, what is in packages included."""
    return [name for name in sys.modules if _top(name) in tops]


def _holds(folder: Path, top: str) -> bool:
    return (folder / f"{top}.py").is_file() or (folder / top).is_dir()


def _is_theirs(top: str, others: Collection[Path]) -> bool:
    """Whether one of these folders brought it along, or two of them did."""
    modules: list[ModuleType | None] = [sys.modules[name] for name in _within({top})]
    return any(module is None or _is_of(other, top, module) for module in modules for other in others)


def _is_of(folder: Path, top: str, module: ModuleType) -> bool:
    file = Path(getattr(module, "__file__", None) or "")
    return file == folder / f"{top}.py" or file.is_relative_to(folder / top)
