"""Standard streams that take every text: on a terminal of any encoding, and where one of them is closed or full."""

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
"""Signs of our texts, in ASCII; quotation marks become single ones, so that JSON stays JSON."""


def prepare_streams() -> None:
    """Makes stdout and stderr show what they cannot encode in ASCII, and opens the null device for a closed stream.

    Text for stderr that cannot be written is dropped, so that neither a closed terminal nor a full disk under a log
    changes how a program ends.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It gets the lowest free descriptor: the closed stream's, which a database or a child would get otherwise.
            descriptor = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8"))
    codecs.register_error(_ERRORS, _degrade)
    if sys.stderr is sys.__stderr__ and isinstance(sys.stderr, TextIOWrapper):
        sys.stderr = TextIOWrapper(BufferedWriter(_Talk(sys.stderr.fileno(), "w", closefd=False)), sys.stderr.encoding)
        sys.stderr.reconfigure(line_buffering=True)
    for printed in (sys.stdout, sys.stderr):
        if isinstance(printed, TextIOWrapper):  # a notebook has others, which take every text
            printed.reconfigure(errors=_ERRORS)


class _Talk(FileIO):
    """A file that drops what it cannot take."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(memoryview(data).cast("B"))


def _degrade(error: UnicodeError) -> tuple[str, int]:
    """Returns the characters that could not be encoded in ASCII, and where to go on."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(character: str) -> str:
    """Returns the character in ASCII: a sign that looks alike, the letter without its accent, or its JSON escape."""
    from json import dumps
    from unicodedata import normalize  # few texts need either

    letter = normalize("NFD", character)[0]
    return _SIGNS.get(character) or (letter if letter.isascii() and letter.isalpha() else dumps(character)[1:-1])
