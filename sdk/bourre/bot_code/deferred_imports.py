"""Loads a module that a bot's start imports but does not use when something first needs it, as PEP 810 will.

gRPC, Protocol Buffers and asyncio import such modules, which takes a sixth of a bot's start. While this module is on
`sys.meta_path`, it finds them.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a bot's start pays for what this module imports
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
else:
    Loader = object

_PARTS = {"asyncio.sslproto", "google.protobuf.internal.python_message", "google.protobuf.text_encoding"}
_WHOLE = {"calendar", "inspect", "locale", "pkgutil", "ssl", "textwrap", "tokenize", "typing_extensions"}
NAMES = frozenset(_PARTS | _WHOLE)
"""The modules that wait. Loading them changes nothing outside themselves."""


def find_spec(name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None) -> ModuleSpec | None:
    """Finds a module that waits; None for any other name, and for a file beside the bot's."""
    if name not in NAMES:
        return None
    from importlib.machinery import PathFinder

    found = PathFinder.find_spec(name, path)
    if found is None or found.loader is None:
        return None
    if os.path.dirname(found.origin or "") == sys.path[0]:
        return None
    found.loader = _DeferredLoader(found.loader)
    return found


class _Deferred(ModuleType):
    """A module that is not loaded yet."""

    def __getattr__(self, name: str) -> object:
        loader = self.__loader__
        if name != "__path__" and isinstance(loader, _DeferredLoader):  # Python asks for the path of a package
            loader.load(self)
        return ModuleType.__getattribute__(self, name)


class _DeferredLoader(Loader):
    """Loads a module at its first use."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._lock = RLock()
        self._begun = False

    def create_module(self, _spec: ModuleSpec) -> None:
        """Lets Python create an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Leaves the module empty, but for the one name that gRPC takes."""
        if module.__name__ == "typing_extensions":
            import typing

            vars(module)["Self"] = typing.Self
        module.__class__ = _Deferred

    def load(self, module: ModuleType) -> None:
        """Loads the module, once. Other threads wait until it is loaded, and the module may use itself meanwhile."""
        with self._lock:
            if self._begun:
                return
            self._begun = True
            assert module.__spec__ is not None
            self._loader.exec_module(module)
            module.__class__ = ModuleType
            module.__loader__ = module.__spec__.loader = self._loader
