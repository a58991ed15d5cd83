"""The pictures of the suits, for every page with cards."""

from functools import cache
from pathlib import Path


@cache
def suit_symbols() -> str:
    """Returns SVG symbols with the ids `suit-C`, `suit-D`, `suit-H` and `suit-S`, in the current colour."""
    return Path(__file__).with_name("suits.svg").read_text(encoding="utf-8")
