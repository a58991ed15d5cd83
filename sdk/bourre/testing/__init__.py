"""Test a bot: make views from a line of text, and run ready-made checks of legality, speed and repeatability.

from bourre.testing import assert_legal, view

def test_it_follows_suit() -> None:
    assert MyBot().play(view("play hand='AS KH 2C' trick=QH trump=S")) == Card("KH")
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bourre.testing.assertions import assert_fast, assert_legal, assert_repeats
    from bourre.words.view_notation import ViewTextError, view, view_text

__all__ = ["ViewTextError", "assert_fast", "assert_legal", "assert_repeats", "view", "view_text"]

_HOMES = {
    "ViewTextError": "bourre.words.view_notation",
    "assert_fast": "bourre.testing.assertions",
    "assert_legal": "bourre.testing.assertions",
    "assert_repeats": "bourre.testing.assertions",
    "view": "bourre.words.view_notation",
    "view_text": "bourre.words.view_notation",
}


if not TYPE_CHECKING:  # lets type checkers find misspelt names

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
