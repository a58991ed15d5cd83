"""The error that ends a verification at the first thing that is wrong."""

from __future__ import annotations

from bourre.rules.errors import BourreError

LONGEST, SHOWN = 2_000, 200
"""The most characters of what a difference says, and of a value in it."""


class Difference(BourreError):
    """The first thing that does not follow from seed, terms and records: where it is, what it is, what it should be."""

    def __init__(self, text: str, match: str | None = None, deal: int | None = None) -> None:
        text = _cut(text, LONGEST)  # what is stored may be of any length
        match = match and _cut(match, SHOWN)
        place = "".join((f"match {match}" if match else "", f", deal {deal}" if deal else ""))
        super().__init__(f"{place}: {text}" if place else text)
        self.match = match
        """None if it concerns the whole run."""
        self.deal = deal
        """The deal's number, starting at 1; None if it is outside any deal."""
        self.text = text

    def __reduce__(self) -> tuple[type[Difference], tuple[str, str | None, int | None]]:
        """Support pickling, because worker processes raise this error."""
        return Difference, (self.text, self.match, self.deal)


def check(what: str, found: object, true: object, match: str | None = None, deal: int | None = None) -> None:
    """Raise Difference unless the value found equals the true one."""
    if found != true:
        raise Difference(f"{what} is {_show(found)}, should be {_show(true)}", match, deal)


def _show(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return " ".join(map(_show, value)) or "nothing"
    text = str(value) if isinstance(value, int) else repr(value)
    return _cut(text, SHOWN)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."
