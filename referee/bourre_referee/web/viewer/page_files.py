"""The viewer's style sheet and script: several files of ours, and the card table's, that pages load as one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bourre_seats.card_table import MODULES, join_modules
from bourre_seats.card_table import STYLE as TABLE_STYLE

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file that pages load, and the files that it is joined from."""

    name: str
    sources: tuple[Path, ...]

    def read(self) -> str:
        """Join the sources."""
        if self.name.endswith(".js"):
            return join_modules(self.sources)
        return "".join(path.read_text(encoding="utf-8") for path in self.sources)


STYLE: Final = PageFile("viewer.css", (TABLE_STYLE, HERE / "viewer.css"))
SCRIPT: Final = PageFile(
    "viewer.js", (*MODULES, *(HERE / name for name in ("replay_deal.js", "autoplay.js", "viewer.js")))
)
