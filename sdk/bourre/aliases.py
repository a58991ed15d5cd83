"""Keeps the former names of moved modules working, in imports and in `python -m bourre.models`.

This module is a finder on `sys.meta_path`: Python loads a moved module once, under both names.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:  # a bot's start pays for what this module imports
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec, SourceFileLoader
    from types import CodeType, ModuleType
else:
    Loader = object

_NAMES = {
    "bourre_seats": "card_pictures card_table mcp models seat",
    "bourre_lab": "champion envs review",
    "bourre.bot_code": """bot_file decisions did_you_mean example_folders function_bot import_isolation
        lookalike_methods printed_error random_seed source_place start_diagnosis start_mends""",
    "bourre.connection": """answer_tasks bot_tables channel client error_report local_server log_line
        standard_streams""",
    "bourre.record": "counters",
    "bourre.sampling": "view_reading",
    "bourre.words": "house_words table_words view_notation",
}
MOVED = {f"bourre.{name}": f"{room}.{name}" for room, names in _NAMES.items() for name in names.split()} | {
    "bourre.desk": "bourre_seats.question_queue",
    "bourre.lockstep": "bourre_lab.batch_deals",
    "bourre.pauses": "bourre.connection.backoff",
    "bourre.remarks": "bourre.notes",
}
"""The present name of each moved module, by its former name."""


class _Alias(Loader):
    """Loads a moved module under its former name."""

    def __init__(self, spec: ModuleSpec) -> None:
        self._spec = spec

    def create_module(self, _alias: ModuleSpec) -> None:
        """Lets Python create an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Replaces the empty module with the moved one."""
        from importlib import import_module

        sys.modules[module.__name__] = import_module(self._spec.name)

    def get_code(self, _name: str) -> CodeType | None:
        """Returns the code that `python -m` runs."""
        return cast("SourceFileLoader", self._spec.loader).get_code(self._spec.name)


def find_spec(name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None) -> ModuleSpec | None:
    """Finds a moved module, or a module in a moved package, by its former name; None for any other name."""
    parts = name.split(".", 2)
    moved = MOVED.get(".".join(parts[:2]))
    if moved is None:
        return None
    from importlib.machinery import ModuleSpec
    from importlib.util import find_spec

    found = find_spec(".".join([moved, *parts[2:]]))
    return found and ModuleSpec(name, _Alias(found), is_package=found.submodule_search_locations is not None)
