"""docs/architecture.md: its prose is written by hand, and its picture is drawn from the imports."""

from __future__ import annotations

from pathlib import Path

from docs.architecture_page.imports import box_imports
from docs.architecture_page.picture import draw_picture
from docs.made import regenerate

PAGE = Path(__file__).parents[1] / "architecture.md"


def refresh(text: str) -> str:
    """Returns the page with a new picture; raises WrongMarks and CircularImport."""
    return regenerate(text, PAGE.name, {"picture": lambda: draw_picture(box_imports())})
