"""The tricks of imagined deals, played out by card styles: legal as in `TrickPlayout`, in three fifths of the time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bourre.rules.cards import SUIT_CARDS, Card, Suit, highest
from bourre.rules.house import HouseRules
from bourre.rules.tricks import BEATING, CINCH_TRICKS, Position, follow_options, lead_options, restrict_to_cinch
from bourre_referee.luck.card_style import CardStyle

_ALL_CARDS = sum(SUIT_CARDS)


def play_tricks(hands: Sequence[int], trump: Suit, styles: Sequence[CardStyle], house: HouseRules) -> list[int]:
    """Count the tricks of each hand, in the order of play from the first leader, if all play by these styles."""
    left, won, seen, leader = list(hands), [0] * len(hands), 0, 0
    for _ in range(left[0].bit_count()):
        leader, seen = _play_trick(left, won, seen, leader, trump, styles, house)
    return won


def _play_trick(
    left: list[int],
    won: list[int],
    seen: int,
    leader: int,
    trump: Suit,
    styles: Sequence[CardStyle],
    house: HouseRules,
) -> tuple[int, int]:
    """Play one trick; return who won it, and the cards seen after it."""
    trumps, beating, last = SUIT_CARDS[trump], BEATING[trump], len(left) - 1
    trick: list[Card] = []
    best, winner, known = None, leader, seen
    for turn, player in enumerate(_turns(len(left))[leader]):
        hand = left[player]
        if hand & (hand - 1):
            if best is None:
                legal = lead_options(hand, trump, house, first=not seen)
            else:
                legal = follow_options(hand, trick[0], best, trump, house)
            needed = CINCH_TRICKS - won[player]
            if turn < last and house.cinch and legal & trumps and (hand & trumps).bit_count() >= needed:
                position = Position(hand, tuple(trick), trump, last + 1, won[player], seen, 0, house)
                legal = restrict_to_cinch(legal, position)
            card = _choose(legal, _ALL_CARDS & ~(known | hand), trumps, best, beating, styles[player])
        else:
            card = highest(hand)
        left[player] = hand ^ 1 << card
        known |= 1 << card
        trick.append(card)
        if best is None or beating[best] >> card & 1:
            best, winner = card, player
    won[winner] += 1
    return winner, known


def _choose(legal: int, unseen: int, trumps: int, best: Card | None, beating: Sequence[int], style: CardStyle) -> Card:
    if not legal & (legal - 1):
        return highest(legal)
    if best is None:
        return style.lead(legal, unseen, trumps)
    return (style.win if beating[best] & legal else style.lose)(legal, unseen, trumps)


@cache
def _turns(players: int) -> tuple[tuple[int, ...], ...]:
    """Return the order of play by the first to play."""
    return tuple((*range(first, players), *range(first)) for first in range(players))
