"""Describes a view for readers."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.practice.cost import price
from bourre.rules.cards import show
from bourre.rules.view import Renege, View
from bourre.words.table_words import cards_text, seats_text, trump_text


def describe_view(view: View) -> str:
    """Describes the relevant facts of a view, without the legal cards."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    dealer = "you deal" if view.seat == view.dealer else f"seat {view.dealer} deals"
    yield f"Deal {view.deal} of {view.deals}: you are seat {view.seat} of {view.seats}, and {dealer}."
    yield f"The pot holds {view.pot}; going bourré costs {view.match}."
    yield f"Trump: {trump_text(view)}"
    yield f"Your hand: {show(view.hand)}"
    yield "Seats:"
    yield seats_text(view)
    if cards := cards_text(view):
        yield cards
    if view.correcting:
        yield describe_correction(view, view.correcting)


def describe_correction(view: View, renege: Renege) -> str:
    """Describes a renege that may be corrected: the broken rule, and the cost of each answer (R8.4)."""
    return (
        f"Your {renege.card} broke {renege.sentence}. You may correct it once, with another card. "
        f"{_price_of_correction(view)} Another illegal card costs {price(view)}."
    )


def _price_of_correction(view: View) -> str:
    if view.house.asks_for_correction:
        return "Corrected, it still costs you this pot and your next turn to deal."
    if view.house.forgives_reneges:
        return "Corrected, it costs you nothing."
    return "Corrected, it still costs what a renege costs."
