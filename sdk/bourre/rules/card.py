"""A card and its suit.

A card is the number `4 * rank + suit` (rank 2 to 14, suit 0 to 3), so cards sort by rank and then C D H S.
"""

from __future__ import annotations

from enum import ReprEnum
from typing import TYPE_CHECKING, Final

from bourre.rules.errors import InvalidCard

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"
FIRST_RANK: Final = 2


class Ordinal(int):
    """A number that beginners mistake for a string, so comparing it with a string raises TypeError.

    It cannot equal both its number and its text, because equal values must have equal hashes.
    """

    __slots__ = ()

    def comparison_hint(self, text: str) -> str:
        """Returns the value to compare with instead of this string."""
        return "a number"

    if not TYPE_CHECKING:  # type checkers report these comparisons

        def __eq__(self, other):
            # Bots compare suits and ranks constantly, and `int.__eq__` takes twice as long.
            return not self - other if isinstance(other, int) else self._refuse_text(other)

        def __ne__(self, other):
            return bool(self - other) if isinstance(other, int) else self._refuse_text(other)

        __hash__ = int.__hash__

    def _refuse_text(self, other: object) -> object:
        if not isinstance(other, str):
            return NotImplemented
        kind, hint = type(self).__name__.lower(), self.comparison_hint(other)
        raise TypeError(f"a {kind} is never equal to a string: compare it with {hint}, not {other!r}")


class Suit(Ordinal, ReprEnum):
    """One of the four suits, with its letter as text. Comparing it with a string raises TypeError."""

    C = 0
    D = 1
    H = 2
    S = 3

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __repr__(self) -> str:
        return f"Suit.{self.name}"

    @classmethod
    def parse(cls, text: str) -> Suit:
        """Parses a letter C, D, H or S; raises InvalidCard for anything else."""
        try:
            return cls[text]
        except KeyError:
            raise InvalidCard(f"{text!r} is not a suit: use one of C D H S") from None

    def comparison_hint(self, text: str) -> str:
        """Returns what to compare with instead of this string."""
        letter = text[:1].upper()
        return f"Suit.{letter}" if letter and letter in SUITS else "a Suit, such as Suit.S"


class Rank(Ordinal):
    """The rank of a card, a number from 2 to 14. Comparing it with a string raises TypeError."""

    __slots__ = ()

    def comparison_hint(self, text: str) -> str:
        """Returns what to compare with instead of this string."""
        rank = _RANKS_BY_TEXT.get(text.upper())
        return f"the number {rank}" if rank else "a number: 11 is the jack, 12 the queen, 13 the king, 14 the ace"


class Card(Ordinal):
    """One of the 52 cards: `Card("QS")` is the queen of spades. Ordered by rank, then C D H S.

    Comparing it with a string raises TypeError.
    """

    rank: Rank
    """2 to 14; 11 is the jack, 14 the ace."""
    suit: Suit
    """The card's suit."""

    def __new__(cls, text: str) -> Card:
        try:
            return BY_TEXT[text]
        except (KeyError, TypeError):
            raise InvalidCard(f"{text!r} is not a card: use rank then suit, as in AS, TH, 2C") from None

    def comparison_hint(self, text: str) -> str:
        """Returns what to compare with instead of this string."""
        return f"Card({text.upper()!r})" if text.upper() in BY_TEXT else 'a card, such as Card("QS")'

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} never changes: {name} cannot be set")

    def __str__(self) -> str:
        return TEXTS[self]

    def __format__(self, spec: str) -> str:
        return format(TEXTS[self], spec)

    def __repr__(self) -> str:
        return f"Card({TEXTS[self]!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (TEXTS[self],)


_SUITS: Final = tuple(Suit)
_RANKS: Final = tuple(map(Rank, range(FIRST_RANK + len(RANKS))))
"""Every rank, indexed by its number."""
_RANKS_BY_TEXT: Final = {text: _RANKS[FIRST_RANK + place] for place, text in enumerate(RANKS)} | {
    str(int(rank)): rank for rank in _RANKS[FIRST_RANK:]
}
"""Each rank by its letter or digits."""


def _make_card(rank: Rank, suit: Suit) -> Card:
    """Makes the only object for this card. It stores rank and suit because bots read them constantly."""
    card = int.__new__(Card, 4 * rank + suit)
    vars(card).update(rank=rank, suit=suit)
    return card


DECK: Final[tuple[Card, ...]] = tuple(_make_card(rank, suit) for rank in _RANKS[FIRST_RANK:] for suit in _SUITS)
"""All 52 cards, in order."""
TEXTS: Final = {card: RANKS[card.rank - FIRST_RANK] + SUITS[card.suit] for card in DECK}
"""The text of each card."""
BY_TEXT: Final = {text: card for card, text in TEXTS.items()}
"""Each card by its text."""
