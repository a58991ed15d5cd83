"""Every error that the rules raise.

BourreError
├── InvalidCard      text that names no card, suit or hand
├── InvalidAction    an action, or the text of one, that is not allowed now
└── InvalidHouse     house rules that cannot be played
"""

from __future__ import annotations

from collections.abc import Iterable


class BourreError(Exception):
    """The base of every error that this package raises on purpose."""


class InvalidCard(BourreError, ValueError):
    """Text that names no card, suit or hand."""


class InvalidAction(BourreError, ValueError):
    """An action that the caller may not make now: a wrong seat, a wrong kind or unreadable text."""


class InvalidHouse(BourreError, ValueError):
    """House rules that cannot be played. The message has the key, the value and the fix."""


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """Returns the message about an unknown word, with the closest known word or all of them, if there are any."""
    from difflib import get_close_matches

    known = list(known)
    if close := get_close_matches(word, known, n=1):
        return f"Unknown {kind} {word!r}. Did you mean {close[0]!r}?"
    if not known:
        return f"Unknown {kind} {word!r}. There are no {kind}s."
    return f"Unknown {kind} {word!r}. {kind.capitalize()}s: {', '.join(known)}.\nhint: use one of them"
