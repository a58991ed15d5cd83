"""The one error of views as text."""

from bourre.rules.errors import BourreError


class ViewTextError(BourreError, ValueError):
    """A text that gives no view: names the word, and the mend."""
