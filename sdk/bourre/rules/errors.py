"""Every error that the rules raise.

BourreError
├── InvalidCard      a text that names no card, suit or hand
├── InvalidAction    a text or an action that no seat can make here
└── InvalidHouse     house rules that cannot be played
"""


class BourreError(Exception):
    """The root of every error that this package raises on purpose."""


class InvalidCard(BourreError, ValueError):
    """A text that names no card, suit or hand."""


class InvalidAction(BourreError, ValueError):
    """An action that the caller may not make now: wrong seat, wrong kind, or unreadable text."""


class InvalidHouse(BourreError, ValueError):
    """House rules that cannot be played: names the key, the value and how to fix it."""
