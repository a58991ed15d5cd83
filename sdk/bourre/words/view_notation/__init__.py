"""A view as a line of text: `view` reads it, `view_text` writes it. Bot authors import both from `bourre.testing`."""

from bourre.words.view_notation.notation_reader import view
from bourre.words.view_notation.notation_words import ViewTextError
from bourre.words.view_notation.shortening import view_text

__all__ = ["ViewTextError", "view", "view_text"]
