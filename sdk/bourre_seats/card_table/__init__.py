"""The card table of all pages: cards, places and motion, without requests or fonts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
STYLE: Final = HERE / "table.css"
MODULES: Final = tuple(
    HERE / name for name in ("elements.js", "cards.js", "pot.js", "places.js", "motion.js", "sprites.js", "table.js")
)
"""The modules of the script, each after its imports."""
_IMPORT: Final = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)


def join_modules(modules: Iterable[Path]) -> str:
    """Returns these modules as one script, because a page that is opened from a file may not load modules.

    Each module must come after its imports. No two modules may declare the same name.
    """
    joined = "\n".join(_EXPORT.sub("", _IMPORT.sub("", path.read_text(encoding="utf-8"))) for path in modules)
    return f'"use strict";\n(() => {{\n{joined}}})();\n'
