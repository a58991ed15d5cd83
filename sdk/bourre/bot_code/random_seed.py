"""Seeds Python's module `random`, so that a bot that uses it gives the same answers in a repeated match."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bourre.rules.view import View


def seed_start(seed: str) -> None:
    """Seeds `random` while a bot's file is loaded and its first instance is made."""
    import random

    _seed(random, seed)


def seed_decision(view: View) -> None:
    """Seeds `random` for one decision, if anything has imported it."""
    if loaded := sys.modules.get("random"):
        _seed(loaded, decision_seed(view))


def decision_seed(view: View) -> str:
    """Returns the seed of `random` for one decision. Its numbers differ from those of `view.rng`."""
    return f"random {view.seed} {view.decision} {len(view.tricks)} {view.correcting}"


def _seed(random: ModuleType, text: str) -> None:
    seed = getattr(random, "seed", None)  # None if a file of the author hides Python's module
    if seed is not None:
        seed(text)
