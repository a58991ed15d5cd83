"""A decorator with options for mypyc, which does nothing in plain Python.

The package mypy-extensions has the same decorator, but bots should not need that package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    C = TypeVar("C", bound=type)

    def mypyc_attr(**_: object) -> Callable[[C], C]:
        """Returns the class unchanged. `allow_interpreted_subclasses` also allows copies and pickles of instances."""
        return lambda cls: cls
