"""The card table of every page that shows one: our own cards, their places and their motion. No request, no font."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
STYLE: Final = HERE / "table.css"
MODULES: Final = tuple(
    HERE / name for name in ("elements.js", "cards.js", "places.js", "motion.js", "sprites.js", "table.js")
)
"""The modules of the script, each after those that it imports."""
_IMPORT: Final = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)


def join_modules(modules: Iterable[Path]) -> str:
    """Returns these modules as one script: a page that is opened from a file may not load modules.

    Each module comes after those that it imports; no two may declare the same name.
    """
    joined = "\n".join(_EXPORT.sub("", _IMPORT.sub("", path.read_text(encoding="utf-8"))) for path in modules)
    return f'"use strict";\n(() => {{\n{joined}}})();\n'
