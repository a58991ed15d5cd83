"""How the installed code was built. Both builds write the same records."""

from __future__ import annotations

from typing import Literal

from bourre.rules import match

Build = Literal["compiled", "plain Python"]


def is_compiled() -> bool:
    """Returns whether the rules run as compiled code."""
    return not str(match.__file__).endswith(".py")


def name_build() -> Build:
    """Returns the name of this build."""
    return "compiled" if is_compiled() else "plain Python"
