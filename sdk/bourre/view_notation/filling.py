"""What the text of a view leaves out of cards and chips, so that the view is one that a seat could have."""

from __future__ import annotations

from bourre.rules.actions import Decision
from bourre.rules.cards import SUIT_CARDS, Card, Suit, card_set, cards_in, lowest
from bourre.rules.house import HouseRules
from bourre.rules.trick_play import Trick
from bourre.rules.tricks import legal_plays
from bourre.rules.visibility import View
from bourre.view_notation.notation_error import ViewTextError
from bourre.view_notation.notation_values import read_cards, read_tricks, read_whole, read_wholes
from bourre.view_notation.notation_words import Words
from bourre.view_notation.past import made_up, winners_of
from bourre.view_notation.table_seats import Company, after

USUAL_DRAW = 2
"""What every other seat drew, where nothing else is said."""


def legal_in(view: View) -> tuple[Card, ...]:
    """The cards that may be played now, or discarded."""
    if view.decision == Decision.PLAY:
        return cards_in(legal_plays(view.position))
    return view.hand if view.decision in (Decision.DECLARE, Decision.DRAW) else ()


def turned_up(words: Words, house: HouseRules, company: Company, trump: Suit | None) -> Card | None:
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


def drawn_so_far(words: Words, house: HouseRules, company: Company) -> tuple[int | None, ...]:
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


def _in(company: Company) -> enumerate[bool | None]:
    return enumerate(company.plays)


def completed(words: Words, house: HouseRules, company: Company, trump: Suit | None, cards: int) -> tuple[Trick, ...]:
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


def chips(words: Words, house: HouseRules, company: Company) -> tuple[int, tuple[int, ...]]:
    """Pot and balances: the antes of a first deal; a pot of another size came from all alike."""
    seats = company.seats
    antes = tuple(-house.ante - house.second_ante * bool(plays) for plays in company.plays)
    pot = words.take("pot", read_whole, None)
    if pot is not None and "balances" not in words:
        antes = tuple(-((pot + seats - 1 - seat) // seats) for seat in range(seats))
    balances = words.take("balances", read_wholes, antes)
    return (max(0, -sum(balances)) if pot is None else pot), balances
