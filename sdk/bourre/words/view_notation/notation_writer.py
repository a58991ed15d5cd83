"""Writes a view as the words that `view` reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bourre.rules.cards import show
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.words.view_notation.notation_values import (
    show_correcting,
    show_drawn,
    show_house,
    show_ints,
    show_maybe,
    show_plain,
    show_plays,
    show_recalled,
    show_tricks,
)
from bourre.words.view_notation.notation_words import ViewTextError

WRITERS: dict[str, Callable[..., str]] = {
    **dict.fromkeys(("hand", "trick", "discarded", "legal"), show),
    **dict.fromkeys(("trump", "turned", "dead", "leader"), show_maybe),
    **dict.fromkeys(("balances", "barred", "owed_turns"), show_ints),
    "tricks": show_tricks,
    "plays": show_plays,
    "drawn": show_drawn,
    "recalled": show_recalled,
    "correcting": show_correcting,
}
"""The writers of values other than plain numbers and texts."""
ALIASES = {"named": "trump"}
"""The word for each field of a View with another name."""


def write_word(word: str, value: object) -> dict[str, str]:
    """Writes a value of a View or its house rules; raises ViewTextError if its type is wrong."""
    if word == "house" and isinstance(value, HouseRules):
        return show_house(value)
    word = ALIASES.get(word, word)
    try:
        return {word: WRITERS[word](value) if word in WRITERS else show_plain(value)}
    except (TypeError, KeyError, AttributeError):
        raise ViewTextError(f"{word}={value!r} has the wrong type.\nhint: use a text, or a value of a View") from None


def write_words(view: View) -> dict[str, str]:
    """Writes every word of a view, in order."""
    fields = {
        "hand": view.hand,
        "trump": view.named,
        "trick": view.trick,
        "tricks": view.tricks,
        "plays": view.plays,
        "drawn": view.drawn,
        "discarded": view.discarded,
        "seat": view.seat,
        "seats": view.seats,
        "dealer": view.dealer,
        "leader": view.leader,
        "turned": view.turned,
        "dead": view.dead,
        "pot": view.pot,
        "balances": view.balances,
        "deal": view.deal,
        "deals": view.deals,
        "barred": view.barred,
        "recalled": view.recalled,
        "owed_turns": view.owed_turns,
        "correcting": view.correcting,
        "legal": view.legal,
        "seed": view.seed,
    }
    lines: Iterable[dict[str, str]] = (write_word(word, value) for word, value in fields.items())
    return {word: text for line in lines for word, text in line.items()} | show_house(view.house)
