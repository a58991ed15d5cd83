"""Tricks: legal cards (R5), the cinch (R6), winners and completed tricks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bourre.rules.cards import HIGHER, SUIT_CARDS, Card, Suit, card_set, cards_in, highest
from bourre.rules.house import HouseRules

CINCH_TRICKS: Final = 3  # R6.3: with four cards too
_HONOUR_RANKS: Final = (12, 13, 14)
HONOURS: Final = sum(1 << card for suit in SUIT_CARDS for card in cards_in(suit) if card.rank in _HONOUR_RANKS)
BEATING: Final = tuple(
    tuple(higher | (0 if number % len(SUIT_CARDS) == trump else trumps) for number, higher in enumerate(HIGHER))
    for trump, trumps in enumerate(SUIT_CARDS)
)
"""For each trump suit and each card, the set of the cards that beat it (R5.1)."""


class Position(NamedTuple):
    """The facts that decide which cards a seat may play: its hand and the public cards."""

    hand: int
    """The seat's cards, as a set."""
    trick: tuple[Card, ...]
    """The cards of the trick in progress, in order; empty when the seat leads."""
    trump: Suit
    playing: int
    """Seats that play in this deal."""
    tricks_won: int
    """Tricks won by this seat."""
    seen: int
    """The cards of completed tricks, as a set."""
    dead: int
    """A turned card that belongs to no seat, as a set."""
    house: HouseRules


def best_card(trick: Sequence[Card], trump: Suit) -> Card:
    """Returns the card that wins this nonempty trick: the highest trump, else the highest of the suit led (R5.1)."""
    best = trick[0]
    for card in trick:
        if beats(card, best, trump):
            best = card
    return best


def beats(card: int, best: int, trump: int) -> bool:
    """Returns whether this card beats the best card of the trick so far (R5.1)."""
    if (card ^ best) & 3:  # another suit; comparing a Card or a Suit is slower
        return not (card ^ trump) & 3
    return card - best > 0


def legal_plays(position: Position) -> int:
    """Returns the set of cards that R5 and R6 allow. It is nonempty for a nonempty hand."""
    return restrict_to_cinch(_r5_options(position), position)


def restrict_to_cinch(allowed: int, position: Position) -> int:
    """Returns the cards among `allowed` (by R5) that R6 allows too; nonempty if `allowed` is."""
    demanded = _cinch_trumps(position, allowed)
    return allowed & demanded if demanded else allowed


def broken_rule(card: Card, position: Position) -> str:
    """Returns the id of the first rule that this illegal card breaks (R8): R5.2, R5.3, R5.4, R5.6 or R6.2."""
    within_r5 = _r5_options(position) >> card & 1
    if not position.trick:
        return "R6.2" if within_r5 else "R5.6"
    led = position.trick[0].suit
    if position.hand & SUIT_CARDS[led]:
        if card.suit != led:
            return "R5.2"
        return "R6.2" if within_r5 else "R5.3"
    return "R6.2" if within_r5 else "R5.4"


def is_cinch(position: Position) -> bool:
    """Returns whether the seat is sure of three tricks, however the cards fall (R6.1)."""
    return position.house.cinch and _is_cinch(position, _r5_options(position))


def _r5_options(position: Position) -> int:
    hand, trick, trump, house = position.hand, position.trick, position.trump, position.house
    if not trick:
        return lead_options(hand, trump, house, first=not position.seen)
    return follow_options(hand, trick[0], best_card(trick, trump), trump, house)


def follow_options(hand: int, led: int, best: int, trump: int, house: HouseRules) -> int:
    """Returns the cards that R5.2 to R5.4 allow after the card `led`, while `best` wins the trick."""
    following = hand & SUIT_CARDS[led & 3]
    if following:
        beating = following & BEATING[trump][best]
        return beating if beating and house.must_beat else following
    trumps = hand & SUIT_CARDS[trump]
    if not trumps or house.must_trump == "never":
        return hand
    winning = trumps & BEATING[trump][best]
    if winning:
        return winning if house.must_beat and house.must_overtrump else trumps
    return trumps if house.must_trump == "always" else hand


def lead_options(hand: int, trump: int, house: HouseRules, *, first: bool) -> int:
    """Returns the cards of a hand that may be led (R5.6). `first` means the first trick of the deal."""
    honours = hand & SUIT_CARDS[trump] & HONOURS
    if not honours or house.lead_honour == "none" or (house.lead_honour_when == "first" and not first):
        return hand
    return honours if house.lead_honour == "any" else 1 << highest(honours)


def _cinch_trumps(position: Position, allowed: int) -> int:
    """Returns the trumps of which R6.2 and R6.3 demand one; empty if they demand none."""
    trumps = position.hand & SUIT_CARDS[position.trump]
    last_to_trick = bool(position.trick) and len(position.trick) == position.playing - 1
    if last_to_trick or not allowed & trumps or not position.house.cinch or not _is_cinch(position, allowed):
        return 0
    return _as_good_as_highest(trumps, position)


def _is_cinch(position: Position, allowed: int) -> bool:
    """Applies R6.1: w + S >= 3, where S counts the sure trump tricks, as a minimum over the allowed cards."""
    needed = CINCH_TRICKS - position.tricks_won
    if needed <= 0:
        return True
    all_trumps = SUIT_CARDS[position.trump]
    trumps = position.hand & all_trumps
    if trumps.bit_count() < needed:
        return False
    live = all_trumps & ~(position.hand | position.seen | position.dead | card_set(position.trick))
    if sure_tricks(trumps, live) < needed:
        return False
    if not position.trick:
        return True
    best = best_card(position.trick, position.trump)
    losing = [card for card in cards_in(allowed & trumps) if not beats(card, best, position.trump)]
    return all(sure_tricks(trumps & ~(1 << card), live) >= needed for card in losing)


def sure_tricks(trumps: int, live: int) -> int:
    """Returns S = |T| - M(T, U): the trumps of T that are left if as many as possible fall to different cards of U."""
    met, left = 0, trumps
    while left:
        card = left.bit_length() - 1  # the highest first: it has the fewest cards above it, so greedy is exact
        left ^= 1 << card
        if (HIGHER[card] & live).bit_count() > met:
            met += 1
    return trumps.bit_count() - met


def _as_good_as_highest(trumps: int, position: Position) -> int:
    """Returns the highest trump, and lower ones with only own or played ranks in between (R6.3)."""
    top = highest(trumps)
    found = 1 << top
    if not position.house.cinch_adjacent:
        return found
    played = position.seen | position.dead | card_set(position.trick)
    below = reversed(cards_in(SUIT_CARDS[position.trump] & ((1 << top) - 1)))
    for card in below:
        if trumps >> card & 1:
            found |= 1 << card
        elif not played >> card & 1:
            break
    return found


class Trick(NamedTuple):
    """A completed trick."""

    leader: int
    cards: tuple[Card, ...]
    """The cards in the order of play, from the leader."""
    winner: int


def trick_of(leader: int, cards: tuple[Card, ...], order: Sequence[int], trump: Suit) -> Trick:
    """Builds the trick of these cards, one from each seat in `order`, and finds its winner (R5.1)."""
    best = cards.index(best_card(cards, trump))
    return Trick(leader, cards, order[(order.index(leader) + best) % len(order)])
