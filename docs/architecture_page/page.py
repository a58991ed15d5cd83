"""docs/architecture.md: its prose is written by hand, and its picture is drawn from the imports."""

from __future__ import annotations

from pathlib import Path

from docs.architecture_page.imports import between_boxes
from docs.architecture_page.picture import drawn
from docs.made import remade

PAGE = Path(__file__).parents[1] / "architecture.md"


def refreshed(text: str) -> str:
    """The page with its picture drawn anew; raises WrongMarks, Homeless and Circle."""
    return remade(text, PAGE.name, {"picture": lambda: drawn(between_boxes())})
