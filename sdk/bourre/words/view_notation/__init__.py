"""Reads a view from a line of text (`view`) and writes it (`view_text`). Bot authors use `bourre.testing`."""

from bourre.words.view_notation.notation_reader import view
from bourre.words.view_notation.notation_words import ViewTextError
from bourre.words.view_notation.shortening import view_text

__all__ = ["ViewTextError", "view", "view_text"]
