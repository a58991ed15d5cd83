"""What mypyc must know about a class that it compiles; it does nothing in plain Python.

The package mypy-extensions has the same decorator, but a bot should not have to install it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    C = TypeVar("C", bound=type)

    def mypyc_attr(**_: object) -> Callable[[C], C]:
        """Leaves the class as it is; `allow_interpreted_subclasses` also lets instances be copied and pickled."""
        return lambda cls: cls
