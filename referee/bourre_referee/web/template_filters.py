"""The filters of all templates: numbers, names, times and cards as pages write them."""

from __future__ import annotations

import re
from datetime import datetime

from jinja2 import Environment
from markupsafe import Markup, escape

from bourre.rules.card import FIRST_RANK, RANKS, Card, Suit
from bourre.rules.markup import SYMBOLS
from bourre.rules.sentences import sentence
from bourre.words.table_words import card_name, sort_hand
from bourre_referee.text import amounts
from bourre_referee.text.names import END_OF_ISOLATE, ISOLATE, shorten

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

RED_SIGNS = tuple(SYMBOLS[suit] for suit in (Suit.D, Suit.H))
GLYPH = re.compile(rf"([{RANKS}])([{''.join(SYMBOLS.values())}])")
"""A card in a sentence."""

HASH = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{56}\b")

LONGEST_NAME = 60
"""The most characters of a name. Longer ones are cut off."""


def signed(chips: float | None, decimals: int = 0) -> str:
    """Formats chips won or lost, or a dash if they are unknown."""
    if chips is None:
        return "\N{EN DASH}"
    text = amounts.signed(chips, decimals, ",")
    return (text if text.strip("+-0.") else text[1:]).replace("-", "\N{MINUS SIGN}")


def number(value: float | None, decimals: int = 2) -> str:
    """Formats a number other than chips, or a dash if it is unknown."""
    return "\N{EN DASH}" if value is None else f"{value:,.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def interval(ends: tuple[float, float] | None, decimals: int = 1) -> str:
    """Formats both ends of an interval, or a dash if there is none."""
    return f"{signed(ends[0], decimals)} to {signed(ends[1], decimals)}" if ends else "\N{EN DASH}"


def count(times: int, one: str, more: str = "") -> str:
    """Formats a count with its noun."""
    return f"{times:,} {one if times == 1 else more or one + 's'}"


def amount(chips: float) -> str:
    """Formats chips without a plus sign."""
    return signed(chips).removeprefix("+")


def in_words(times: int) -> str:
    """Writes a small number as a word."""
    return NUMBERS[times] if times < len(NUMBERS) else f"{times:,}"


def milliseconds(time: float) -> str:
    """Formats a duration."""
    return f"{time:,.0f} ms" if time >= 10 else f"{time:.2g} ms"


def fold_hashes(text: str) -> str:
    """Shortens each SHA-256 in a text to its first letters."""
    return HASH.sub("\\1\N{HORIZONTAL ELLIPSIS}", text)


def short(name: str) -> str:
    """Shortens a name, and makes it harmless to the text around it."""
    return shorten(name, LONGEST_NAME)


def percent(share: float) -> str:
    """Formats a share from 0 to 1."""
    return f"{100 * share:.0f} %"


def moment(time: datetime) -> str:
    """Formats a time."""
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"


def rank_text(card: Card) -> str:
    """Returns the rank of a card as people write it, with 10 for the ten."""
    return RANKS[card.rank - FIRST_RANK].replace("T", "10")


def suit_sign(suit: Suit) -> str:
    """Returns the sign of a suit, as text and never as a coloured picture."""
    return f"{SYMBOLS[suit]}\N{VARIATION SELECTOR-15}"


def is_red(suit: Suit) -> bool:
    """Returns whether a suit is hearts or diamonds."""
    return suit in (Suit.D, Suit.H)


def isolate(text: str) -> Markup:
    """Returns the text as HTML, with each isolated name in a `bdi` element, and cards in the notation of all pages."""
    html = str(escape(text)).replace(ISOLATE, "<bdi>").replace(END_OF_ISOLATE, "</bdi>")
    return Markup(GLYPH.sub(_draw_glyph, html))


def _draw_glyph(found: re.Match[str]) -> str:
    red = " red" * (found[2] in RED_SIGNS)
    return f'<i class="glyph{red}">{found[1].replace("T", "10")}{found[2]}</i>'


FILTERS = (
    *(signed, number, interval, count, amount, in_words, milliseconds, short, percent, moment, sentence),
    *(card_name, rank_text, suit_sign, is_red, sort_hand, isolate, fold_hashes),
)
"""The filters of the templates, which call them by their names."""


def add_filters(environment: Environment) -> None:
    """Lets the templates of an environment call all filters."""
    for function in FILTERS:
        environment.filters[function.__name__] = function
