"""Reads a view from a line of text, for tests of bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from bourre.rules.actions import Decision
from bourre.rules.cards import Card, Suit, card_set, cards_in, show
from bourre.rules.errors import BourreError
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.words.view_notation.derived_values import (
    completed_tricks,
    dead_card,
    guess_drawn,
    guess_turned,
    legal_cards,
    pot_and_balances,
)
from bourre.words.view_notation.notation_values import (
    DEFAULT_PRESET,
    read_card,
    read_cards,
    read_correcting,
    read_drawn,
    read_house,
    read_int,
    read_ints,
    read_recalled,
    read_suit,
)
from bourre.words.view_notation.notation_words import HOUSE_KEYS, ViewTextError, Words, split
from bourre.words.view_notation.notation_writer import write_word
from bourre.words.view_notation.table_seats import TableSeats, infer_seats

T = TypeVar("T")
DEALS = 50
"""The default number of deals of a match."""


def view(text: str, **changes: object) -> View:
    """Reads a view from a line such as `play hand='AS KH 2C' trick=QH trump=S playing=4 tricks_won=1`.

    The line begins with the decision and needs `hand` and `trump`. All other words get values that fit. `changes`
    override the text, as texts or as values of a View. `house` replaces all house rules in the text. Legal cards
    follow from the rules. Raises ViewTextError with the word and the fix.
    """
    decision, values = split(text)
    if "house" in changes:
        values = {word: value for word, value in values.items() if word not in ("preset", *HOUSE_KEYS)}
    for word, value in changes.items():
        values |= {word: value} if isinstance(value, str) else write_word(word, value)
    return read_words(Words(decision, values))


def read_words(words: Words) -> View:
    """Reads a view from these words; raises ViewTextError."""
    try:
        house = read_house(words.get("preset", str, DEFAULT_PRESET), words.house())
    except BourreError as error:
        raise ViewTextError(str(error)) from None
    bare = _read_without_legal(words, house, infer_seats(words, house))
    return replace(bare, legal=words.get("legal", read_cards, legal_cards(bare)))


def _read_without_legal(words: Words, house: HouseRules, table: TableSeats) -> View:
    """Reads the view without its legal cards."""
    hand, trump = _hand(words, house), _trump(words)
    turned = words.get("turned", read_card, guess_turned(words, house, table, trump))
    pot, balances = pot_and_balances(words, house, table)
    deal = words.get("deal", read_int, 1)
    bare = View(
        decision=words.decision,
        seat=table.seat,
        house=house,
        deal=deal,
        deals=words.get("deals", read_int, max(DEALS, deal)),
        dealer=table.dealer,
        hand=hand,
        named=trump,
        turned=turned,
        dead=words.get("dead", read_card, dead_card(house, turned)),
        pot=pot,
        balances=balances,
        plays=table.plays,
        drawn=_by_seat("drawn", words.get("drawn", read_drawn, guess_drawn(words, house, table)), table),
        discarded=cards_in(card_set(words.get("discarded", read_cards, ()))),
        leader=table.leader,
        trick=words.get("trick", read_cards, ()),
        tricks=completed_tricks(words, house, table, trump, len(hand)),
        barred=words.get("barred", read_ints, ()),
        recalled=words.get("recalled", read_recalled, ()),
        owed_turns=_by_seat("owed_turns", words.get("owed_turns", read_ints, (0,) * table.seats), table),
        legal=(),
        max_discards=house.most_discards(table.seats),
        correcting=words.get("correcting", read_correcting, None),
        seed=words.get("seed", read_int, 0),
    )
    _check(bare, table)
    return bare


def _hand(words: Words, house: HouseRules) -> tuple[Card, ...]:
    """Reads the hand, lowest card first."""
    hand = cards_in(card_set(words.require("hand", read_cards, "'AS KH 2C'")))
    playing = words.decision == Decision.PLAY
    if not hand or len(hand) > house.cards or (len(hand) < house.cards and not playing):
        many = f"1 to {house.cards}" if playing else f"{house.cards}"
        raise ViewTextError(f"hand={show(hand)!r}: to {words.decision}, a seat must hold {many} cards, not {len(hand)}")
    return hand


def _trump(words: Words) -> Suit | None:
    return None if words.decision == Decision.NAME_TRUMP else words.require("trump", read_suit, "S")


def _by_seat(word: str, values: Sequence[T], table: TableSeats) -> tuple[T, ...]:
    if len(values) != table.seats:
        raise ViewTextError(f"{word} has {len(values)} values.\nhint: use one for each of {table.seats} seats")
    return tuple(values)


def _check(view: View, table: TableSeats) -> None:
    """Raises ViewTextError if a card is in two places, or another seat must have led."""
    places = [*view.hand, *view.trick, *(card for trick in view.tricks for card in trick.cards)]
    if twice := sorted({card for card in places if places.count(card) > 1}):
        raise ViewTextError(f"{show(twice)} is given twice in hand, trick and tricks.\nhint: remove one of them")
    if view.decision != Decision.PLAY:
        return
    done = len(view.tricks)
    if len(view.hand) + done != view.house.cards:
        counts = f"the hand has {len(view.hand)} and the complete tricks are {done}"
        raise ViewTextError(f"{counts}, but together they must make {view.house.cards}.")
    first = table.order[0] if not done else view.tricks[-1].winner
    if view.leader != first:
        why = ", on the dealer's left, leads to the first trick" if not done else " took the last trick, so it leads"
        raise ViewTextError(
            f"seat {first}{why}, not seat {view.leader}.\nhint: set another `seat`, `dealer` or `trick`"
        )
