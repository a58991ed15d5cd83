"""Seeds Python's module `random`, so that a bot that uses it gives the same answers in a repeated match."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a bot's start pays for what this module imports
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from bourre.rules.view import View
else:
    Loader = object


def seed_start(seed: str) -> None:
    """Seeds `random` while a bot's file is loaded and its first instance is made."""
    if loaded := sys.modules.get("random"):
        _seed(loaded, seed)
    else:
        _seed_at_import(seed)


def seed_decision(view: View) -> None:
    """Seeds `random` for one decision."""
    if loaded := sys.modules.get("random"):
        _seed(loaded, decision_seed(view))
    else:
        _seed_at_import(view)


def decision_seed(view: View) -> str:
    """Returns the seed of `random` for one decision. Its numbers differ from those of `view.rng`."""
    return f"random {view.rng_seed()}"


def _seed(random: ModuleType, text: str) -> None:
    seed = getattr(random, "seed", None)  # None if a file of the author hides Python's module
    if seed is not None:
        seed(text)


def _seed_at_import(seed: str | View) -> None:
    """Seeds `random` when something imports it. Seeding takes half of a bot's time for an ask, and few bots use it."""
    for finder in sys.meta_path:
        if isinstance(finder, _SeedingImport):
            finder.seed = seed
            return
    sys.meta_path.insert(0, _SeedingImport(seed))


class _SeedingImport(Loader):
    """Finds `random` once, and seeds it after loading it."""

    def __init__(self, seed: str | View) -> None:
        self.seed = seed
        """The latest seed, or the view of the latest decision."""
        self._loader: Loader | None = None

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds `random` as Python would; None for any other name."""
        if name != "random":
            return None
        from importlib.util import find_spec

        sys.meta_path.remove(self)
        found = find_spec(name)
        if found is not None:
            self._loader, found.loader = found.loader, self
        return found

    def create_module(self, _random: ModuleSpec) -> None:
        """Lets Python create an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Loads the module, and seeds it."""
        assert self._loader is not None
        assert module.__spec__ is not None
        module.__loader__ = module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _seed(module, self.seed if isinstance(self.seed, str) else decision_seed(self.seed))
