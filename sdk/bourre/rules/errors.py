"""Every error that the rules raise.

BourreError
├── InvalidCard      text that names no card, suit or hand
├── InvalidAction    an action, or the text of one, that is not allowed now
└── InvalidHouse     house rules that cannot be played
"""


class BourreError(Exception):
    """The base of every error that this package raises on purpose."""


class InvalidCard(BourreError, ValueError):
    """Text that names no card, suit or hand."""


class InvalidAction(BourreError, ValueError):
    """An action that the caller may not make now: a wrong seat, a wrong kind or unreadable text."""


class InvalidHouse(BourreError, ValueError):
    """House rules that cannot be played. The message has the key, the value and the fix."""
