"""Imports a module from another source than its file, without changing the file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType


class _Loader(SourceFileLoader):
    def __init__(self, module: str, path: Path, source: str) -> None:
        super().__init__(module, str(path))
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        """Compiles the source, bypassing the cache."""
        return compile(self._source, self.path, "exec")


class _Finder:
    def __init__(self, module: str, path: Path, source: str) -> None:
        self._module, self._path, self._source = module, path, source

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Finds only this module."""
        if name != self._module:
            return None
        inner = [str(self._path.parent)] if self._path.name == "__init__.py" else None
        loader = _Loader(name, self._path, self._source)
        return spec_from_file_location(name, self._path, loader=loader, submodule_search_locations=inner)


def replace_source(module: str, path: Path, source: str) -> None:
    """Imports the module from this source from now on, in this process; it must not be imported yet."""
    if module in sys.modules:
        raise ValueError(f"{module} was imported too early")
    sys.meta_path.insert(0, _Finder(module, path, source))
