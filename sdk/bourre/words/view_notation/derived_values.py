"""Fills in the cards and chips that the text of a view omits, so that the view is possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bourre.rules.actions import Decision
from bourre.rules.cards import SUIT_CARDS, Card, Suit, card_set, cards_in, lowest
from bourre.rules.house import HouseRules
from bourre.rules.tricks import Trick, legal_plays
from bourre.rules.view import View
from bourre.words.view_notation.notation_values import read_cards, read_int, read_ints, read_tricks
from bourre.words.view_notation.notation_words import ViewTextError, Words
from bourre.words.view_notation.table_seats import TableSeats, seats_after

ALL = sum(SUIT_CARDS)


def make_up_tricks(
    winners: Iterable[int], order: Sequence[int], trump: Suit, known: int, hand: int
) -> tuple[Trick, ...]:
    """Makes up completed tricks with these winners, without trumps and `known` cards.

    The cards come from the suits of which the `hand` has least. Raises ViewTextError if there are too few.
    """
    left = ALL & ~SUIT_CARDS[trump] & ~known
    tricks, leader = [], order[0]
    for winner in winners:
        cards = _pick_cards(left, hand, leader, winner, order)
        tricks.append(Trick(leader, cards, winner))
        left &= ~sum(1 << card for card in cards)
        leader = winner
    return tuple(tricks)


def winners_of(tricks: int, own: int, seat: int, leader: int, order: Sequence[int]) -> Iterator[int]:
    """Yields the winners of this many tricks: `own` by this seat, the last by `leader`, the rest by others."""
    others = [other for other in order if other != seat]
    last = [leader] * min(tricks, 1)
    before = [seat] * (own - last.count(seat))
    yield from before
    yield from (others[turn % len(others)] for turn in range(tricks - len(before) - len(last)))
    yield from last


def _pick_cards(left: int, hand: int, leader: int, winner: int, order: Sequence[int]) -> tuple[Card, ...]:
    """Picks the cards of one trick, in the order of play.

    They rise, and no card left beats the winner's card, so no seat seems to have held back a better one (R5.3).
    """
    by_need = sorted(Suit, key=lambda suit: ((hand & SUIT_CARDS[suit]).bit_count(), suit))
    full = [suit for suit in by_need if (left & SUIT_CARDS[suit]).bit_count() >= len(order)]
    fullest = sorted(by_need, key=lambda suit: -(left & SUIT_CARDS[suit]).bit_count())
    led = (full or fullest)[0]
    suit = cards_in(left & SUIT_CARDS[led])
    low = [*suit[:-1], *cards_in(left & ~SUIT_CARDS[led])][: len(order) - 1]
    if len(suit) < 2 or len(low) < len(order) - 1:
        raise ViewTextError("Too few cards are left to make up the completed tricks.\nhint: add them as `tricks`")
    first = order.index(leader)
    clockwise = [*order[first:], *order[:first]]
    return tuple(suit[-1] if seat == winner else low.pop(0) for seat in clockwise)


USUAL_DRAW = 2
"""The default number of cards that every other seat drew."""


def legal_cards(view: View) -> tuple[Card, ...]:
    """Returns the cards that may be played or discarded now."""
    if view.decision == Decision.PLAY:
        return cards_in(legal_plays(view.position))
    return view.hand if view.decision in (Decision.DECLARE, Decision.DRAW) else ()


def guess_turned(words: Words, house: HouseRules, table: TableSeats, trump: Suit | None) -> Card | None:
    """Guesses the turned card: the lowest trump not shown, or for a dealer its own lowest trump, if any."""
    if trump is None or house.dealer_names_trump:
        return None
    hand = card_set(words.get("hand", read_cards, ()))
    discarded = card_set(words.get("discarded", read_cards, ()))
    own = (hand | discarded) & SUIT_CARDS[trump]
    if house.dealer_holds_turned and table.seat == table.dealer and own:
        return lowest(own)
    shown = card_set(words.get("trick", read_cards, ()))
    left = SUIT_CARDS[trump] & ~(hand | discarded | shown)
    return lowest(left) if left else None


def dead_card(house: HouseRules, turned: Card | None) -> Card | None:
    """Returns the turned card if it belongs to no seat."""
    return turned if house.keeps_turned_apart else None


def guess_drawn(words: Words, house: HouseRules, table: TableSeats) -> tuple[int | None, ...]:
    """Assumes that each seat that is in and had its turn drew two cards, or as many as the rules allow."""
    usual = min(USUAL_DRAW, house.most_discards(table.seats))
    if words.decision in (Decision.STAY, Decision.PLAY):
        own = len(words.get("discarded", read_cards, ()))
        drawn = [own if seat == table.seat else usual for seat in range(table.seats)]
        return tuple(cards if plays else None for cards, plays in zip(drawn, table.plays, strict=True))
    if not house.declares_in_turn and words.decision != Decision.DRAW:
        return (None,) * table.seats
    order = seats_after(table.dealer, table.seats)
    earlier = order[: order.index(table.seat)]
    return tuple(usual if plays and seat in earlier else None for seat, plays in enumerate(table.plays))


def completed_tricks(
    words: Words, house: HouseRules, table: TableSeats, trump: Suit | None, cards: int
) -> tuple[Trick, ...]:
    """Returns the completed tricks of the text, or makes up one for each card that the hand lacks."""
    if words.decision != Decision.PLAY or trump is None:
        return ()
    if "tricks" in words:
        return words.get("tricks", lambda text: read_tricks(text, table.order, trump), ())
    done, seat, leader = house.cards - cards, table.seat, table.leader
    own = words.get("tricks_won", read_int, min(done, 1) if seat == leader else 0)
    leads = seat == leader
    if leader is None or not (leads and done > 0) <= own <= done - (not leads and done > 0):
        who = "this seat leads, so it took the last one" if leads else f"seat {leader} leads, so it took the last one"
        raise ViewTextError(f"tricks_won={own}: with {cards} cards in hand, {done} tricks are complete, and {who}")
    known = [words.get(word, read_cards, ()) for word in ("hand", "trick", "discarded")]
    winners = winners_of(done, own, seat, leader, table.order)
    hand, seen = card_set(known[0]), card_set(card for cards in known for card in cards)
    return make_up_tricks(winners, table.order, trump, seen, hand)


def pot_and_balances(words: Words, house: HouseRules, table: TableSeats) -> tuple[int, tuple[int, ...]]:
    """Returns pot and balances: the antes of a first deal, or equal shares of a pot of another size."""
    seats = table.seats
    antes = tuple(-house.ante - house.second_ante * bool(plays) for plays in table.plays)
    pot = words.get("pot", read_int, None)
    if pot is not None and "balances" not in words:
        antes = tuple(-((pot + seats - 1 - seat) // seats) for seat in range(seats))
    balances = words.get("balances", read_ints, antes)
    return (max(0, -sum(balances)) if pot is None else pot), balances
