"""Prepares the standard streams for every text, on a terminal of any encoding and for a closed or full stream."""

from __future__ import annotations

import codecs
import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_ERRORS = "bourre.plain"
_SIGNS = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "·": "-",
    "±": "+-",
    "…": "...",
    "“": "'",
    "”": "'",
    "♣": "C",
    "♦": "D",
    "♥": "H",
    "♠": "S",
}
"""The signs of our texts in ASCII. Quotation marks become single ones, so that JSON stays JSON."""


def prepare_streams() -> None:
    """Makes stdout and stderr fall back to ASCII, and opens the null device for a closed stream.

    If stderr cannot be written, its text is dropped, so that a closed terminal or a full disk does not change the exit
    status of a program.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It takes the closed stream's descriptor, which a database or a child would get otherwise.
            descriptor = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8"))
    codecs.register_error(_ERRORS, _degrade)
    if sys.stderr is sys.__stderr__ and isinstance(sys.stderr, TextIOWrapper):
        sys.stderr = TextIOWrapper(BufferedWriter(_Talk(sys.stderr.fileno(), "w", closefd=False)), sys.stderr.encoding)
        sys.stderr.reconfigure(line_buffering=True)
    for printed in (sys.stdout, sys.stderr):
        if isinstance(printed, TextIOWrapper):  # a notebook has other streams, which take every text
            printed.reconfigure(errors=_ERRORS)


class _Talk(FileIO):
    """A file that drops text that it cannot write."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(memoryview(data).cast("B"))


def _degrade(error: UnicodeError) -> tuple[str, int]:
    """Returns the characters that could not be encoded in ASCII, and the place to continue."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(character: str) -> str:
    """Returns the character in ASCII: a similar sign, the letter without its accent, or its JSON escape."""
    from json import dumps
    from unicodedata import normalize  # rarely needed

    letter = normalize("NFD", character)[0]
    return _SIGNS.get(character) or (letter if letter.isascii() and letter.isalpha() else dumps(character)[1:-1])
