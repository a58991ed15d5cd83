"""What the text of a view leaves out of cards and chips, so that the view is one that a seat could have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bourre.rules.actions import Decision
from bourre.rules.cards import SUIT_CARDS, Card, Suit, card_set, cards_in, lowest
from bourre.rules.house import HouseRules
from bourre.rules.trick_play import Trick
from bourre.rules.tricks import legal_plays
from bourre.rules.visibility import View
from bourre.view_notation.notation_values import read_cards, read_tricks, read_whole, read_wholes
from bourre.view_notation.notation_words import ViewTextError, Words
from bourre.view_notation.table_seats import TableSeats, after

ALL = sum(SUIT_CARDS)


def made_up(winners: Iterable[int], order: Sequence[int], trump: Suit, known: int, hand: int) -> tuple[Trick, ...]:
    """Completed tricks with these winners, of cards that are no trumps; `known` cards lie elsewhere.

    They come from the suits of which the `hand` has least. ViewTextError where the cards are not enough.
    """
    left = ALL & ~SUIT_CARDS[trump] & ~known
    tricks, leader = [], order[0]
    for winner in winners:
        cards = _cards(left, hand, leader, winner, order)
        tricks.append(Trick(leader, cards, winner))
        left &= ~sum(1 << card for card in cards)
        leader = winner
    return tuple(tricks)


def winners_of(tricks: int, own: int, seat: int, leader: int, order: Sequence[int]) -> Iterator[int]:
    """Who took each of so many tricks: this seat so many, the leader of the trick in progress the last; else others."""
    others = [other for other in order if other != seat]
    last = [leader] * min(tricks, 1)
    before = [seat] * (own - last.count(seat))
    yield from before
    yield from (others[turn % len(others)] for turn in range(tricks - len(before) - len(last)))
    yield from last


def _cards(left: int, hand: int, leader: int, winner: int, order: Sequence[int]) -> tuple[Card, ...]:
    """The cards of one trick, in order from its leader. They rise, and none that is left beats the winner's: so nobody
    is seen to have held back a better one (R5.3)."""
    by_need = sorted(Suit, key=lambda suit: ((hand & SUIT_CARDS[suit]).bit_count(), suit))
    full = [suit for suit in by_need if (left & SUIT_CARDS[suit]).bit_count() >= len(order)]
    fullest = sorted(by_need, key=lambda suit: -(left & SUIT_CARDS[suit]).bit_count())
    led = (full or fullest)[0]
    suit = cards_in(left & SUIT_CARDS[led])
    low = [*suit[:-1], *cards_in(left & ~SUIT_CARDS[led])][: len(order) - 1]
    if len(suit) < 2 or len(low) < len(order) - 1:
        raise ViewTextError("too few cards are left to make up the completed tricks: write them, as `tricks`")
    first = order.index(leader)
    clockwise = [*order[first:], *order[:first]]
    return tuple(suit[-1] if seat == winner else low.pop(0) for seat in clockwise)


USUAL_DRAW = 2
"""What every other seat drew, where nothing else is said."""


def legal_in(view: View) -> tuple[Card, ...]:
    """The cards that may be played now, or discarded."""
    if view.decision == Decision.PLAY:
        return cards_in(legal_plays(view.position))
    return view.hand if view.decision in (Decision.DECLARE, Decision.DRAW) else ()


def turned_up(words: Words, house: HouseRules, company: TableSeats, trump: Suit | None) -> Card | None:
    """The lowest trump that nobody has shown; the dealer's is in the hand or was, where it is the dealer's own."""
    if trump is None or house.trump_card == "dealer_chooses":
        return None
    hand = card_set(words.take("hand", read_cards, ()))
    discarded = card_set(words.take("discarded", read_cards, ()))
    own = (hand | discarded) & SUIT_CARDS[trump]
    if house.trump_card == "dealer_fifth" and company.seat == company.dealer and own:
        return lowest(own)
    shown = card_set(words.take("trick", read_cards, ()))
    left = SUIT_CARDS[trump] & ~(hand | discarded | shown)
    return lowest(left) if left else None


def dead_card(house: HouseRules, turned: Card | None) -> Card | None:
    """The turned card, where it is nobody's."""
    return turned if house.trump_card in ("separate_dead", "separate_dealer_option") else None


def drawn_so_far(words: Words, house: HouseRules, company: TableSeats) -> tuple[int | None, ...]:
    """Those that are in and have had their turn drew two cards each, as far as the rules let them."""
    usual = min(USUAL_DRAW, house.most_discards(company.seats))
    if words.decision in (Decision.STAY, Decision.PLAY):
        own = len(words.take("discarded", read_cards, ()))
        return tuple((own if seat == company.seat else usual) if plays else None for seat, plays in _in(company))
    if house.declare_mode != "turn" and words.decision != Decision.DRAW:
        return (None,) * company.seats
    order = after(company.dealer, company.seats)
    earlier = order[: order.index(company.seat)]
    return tuple(usual if plays and seat in earlier else None for seat, plays in _in(company))


def _in(company: TableSeats) -> enumerate[bool | None]:
    return enumerate(company.plays)


def completed(
    words: Words, house: HouseRules, company: TableSeats, trump: Suit | None, cards: int
) -> tuple[Trick, ...]:
    """The completed tricks as they are written, or made up: as many as the hand lacks cards."""
    if words.decision != Decision.PLAY or trump is None:
        return ()
    if "tricks" in words:
        return words.take("tricks", lambda text: read_tricks(text, company.order, trump), ())
    done, seat, leader = house.cards - cards, company.seat, company.leader
    own = words.take("tricks_won", read_whole, min(done, 1) if seat == leader else 0)
    leads = seat == leader
    if leader is None or not (leads and done > 0) <= own <= done - (not leads and done > 0):
        who = "it leads, so it took the last one" if leads else f"seat {leader} leads, so that one took the last"
        raise ViewTextError(f"tricks_won={own}: with {cards} cards in hand, {done} tricks are done, and {who}")
    known = [words.take(word, read_cards, ()) for word in ("hand", "trick", "discarded")]
    winners = winners_of(done, own, seat, leader, company.order)
    hand, seen = card_set(known[0]), card_set(card for cards in known for card in cards)
    return made_up(winners, company.order, trump, seen, hand)


def chips(words: Words, house: HouseRules, company: TableSeats) -> tuple[int, tuple[int, ...]]:
    """Pot and balances: the antes of a first deal; a pot of another size came from all alike."""
    seats = company.seats
    antes = tuple(-house.ante - house.second_ante * bool(plays) for plays in company.plays)
    pot = words.take("pot", read_whole, None)
    if pot is not None and "balances" not in words:
        antes = tuple(-((pot + seats - 1 - seat) // seats) for seat in range(seats))
    balances = words.take("balances", read_wholes, antes)
    return (max(0, -sum(balances)) if pot is None else pot), balances
