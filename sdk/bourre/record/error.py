"""The one error of records."""

from bourre.rules.errors import BourreError


class RecordError(BourreError, ValueError):
    """A record that cannot be read, or that the rules contradict: names the place and the first difference."""
