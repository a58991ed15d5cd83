"""The reader of a table: the names of the seats, and the notation of cards by name, with signs or as codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TextIO

from bourre.rules.card import FIRST_RANK
from bourre.rules.cards import RANKS, Card, Suit, show
from bourre.rules.markup import SYMBOLS
from bourre.rules.pot import UNIT

SUIT_NAMES = {Suit.C: "clubs", Suit.D: "diamonds", Suit.H: "hearts", Suit.S: "spades"}
RANK_NAMES = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
_CODES = str.maketrans({symbol: str(suit) for suit, symbol in SYMBOLS.items()})
_CODE = re.compile(rf"\b(?:([{RANKS}])|(?<=trump ))([{''.join(map(str, SYMBOLS))}])\b")
"""Matches the code of a card, and of the trump suit."""
CardWriter = Callable[[Iterable[Card]], str]
"""Writes cards in their order, as codes (`show`), with signs or by name."""
CodeWriter = Callable[[str], str]
"""Writes the codes in a text of the referee as they are, or with signs."""


def card_name(card: Card) -> str:
    """Returns the full name of a card: `ace of spades`."""
    return f"{RANK_NAMES[card.rank - FIRST_RANK]} of {SUIT_NAMES[card.suit]}"


def name_cards(cards: Iterable[Card]) -> str:
    """Writes the full names of cards: `the two of clubs, king of hearts`."""
    return f"the {', '.join(map(card_name, cards))}"


def glyph(card: Card) -> str:
    """Returns a card with the sign of its suit: `K♥`."""
    return f"{RANKS[card.rank - FIRST_RANK]}{SYMBOLS[card.suit]}"


def show_glyphs(cards: Iterable[Card]) -> str:
    """Writes cards with the signs of their suits: `2♣ K♥`."""
    return " ".join(map(glyph, cards))


def writer_for(stream: TextIO) -> CardWriter:
    """Returns the writer of cards for a stream: with signs on a terminal, as codes for files and pipes."""
    return show_glyphs if stream.isatty() else show


def as_codes(text: str) -> str:
    """Returns a person's text with cards as codes: `K♥` becomes `KH`."""
    return text.translate(_CODES)


def as_signs(text: str) -> str:
    """Returns a text of codes with the signs of suits: `trump H, trick KH` becomes `trump ♥, trick K♥`."""
    return _CODE.sub(lambda code: f"{code[1] or ''}{SYMBOLS[Suit.parse(code[2])]}", text)


def code_writer_for(stream: TextIO) -> CodeWriter:
    """Returns the writer of codes in texts for a stream, as `writer_for` does for cards."""
    return as_signs if stream.isatty() else str


def exact_chips(units: int) -> str:
    """Writes 1/840 chips exactly, with their sign, as chips and a fraction, such as `-3 1/4`."""
    whole, part = divmod(abs(units), UNIT)
    words = [str(whole)] if whole or not part else []
    words += [str(Fraction(part, UNIT))] if part else []
    return f"{'-' if units < 0 else '+'}{' '.join(words)}"


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader: the names of the seats, the reader's own seat, and the notation of cards."""

    names: Sequence[str] = ()
    """The names of the seats in order. A seat without a name is called by its number."""
    you: int | None = None
    cards: CardWriter = show

    def called(self, seat: int) -> str:
        """Returns the name of a seat, also of the reader's own."""
        return self.names[seat] if seat < len(self.names) else f"seat {seat}"

    def name(self, seat: int) -> str:
        """Returns the name of a seat in a sentence, which is `you` for the reader's own."""
        return "you" if seat == self.you else self.called(seat)

    def names_of(self, seats: Iterable[int]) -> str:
        """Returns the names of these seats, such as `you and ada`."""
        return " and ".join(map(self.name, seats))

    def verb(self, seat: int, plain: str) -> str:
        """Returns this seat's form of a plain verb, with its name: `you take`, `ada takes`."""
        if seat == self.you or plain in ("cannot", "may", "must"):
            return plain
        return "is" if plain == "are" else f"{plain}{'es' if plain.endswith('ss') else 's'}"

    def does(self, seat: int, plain: str, rest: str) -> str:
        """Returns a sentence about a seat. `plain` is the plain form of the verb."""
        return f"{self.name(seat)} {self.verb(seat, plain)} {rest}"

    def own(self, seat: int) -> str:
        """Returns the possessive for a seat that was named just before."""
        return "your" if seat == self.you else "its"
