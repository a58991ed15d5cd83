"""A view as a line of text: read by `view`, written by `view_text`; `bourre.testing` is where bot authors find them."""

from bourre.viewline.error import ViewTextError
from bourre.viewline.reading import view
from bourre.viewline.shortening import view_text

__all__ = ["ViewTextError", "view", "view_text"]
