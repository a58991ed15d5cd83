"""The one error of records."""

from bourre.rules.errors import BourreError


class RecordError(BourreError, ValueError):
    """A record that cannot be read, or that the rules contradict: names the place and the first difference."""

    def __init__(self, text: str, deal: int | None = None) -> None:
        super().__init__(text)
        self.deal = deal
        """The deal in which the difference is; None: outside of any."""
