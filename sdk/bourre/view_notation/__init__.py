"""A view as a line of text: read by `view`, written by `view_text`; `bourre.testing` is where bot authors find them."""

from bourre.view_notation.notation_reader import view
from bourre.view_notation.notation_words import ViewTextError
from bourre.view_notation.shortening import view_text

__all__ = ["ViewTextError", "view", "view_text"]
