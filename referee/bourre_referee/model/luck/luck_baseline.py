"""The fixed baseline: how tricks fall when everyone plays one simple policy with all cards known to the referee.

Any function of the cards would do, for the mean of its luck is 0 whatever it says; the closer to real play, the more
luck it finds. Changing it changes every adjusted figure: it is part of the format.
"""

from __future__ import annotations

from collections.abc import Sequence

from bourre.rules.cards import HIGHER, SUIT_CARDS, Suit, highest, lowest


def tricks_won(hands: Sequence[int], trump: Suit) -> list[int]:
    """The tricks of each hand, in the order of play from the first leader; the hands are sets of equal size.

    Everyone leads the highest card, follows suit, else trumps, takes a trick as cheaply as can be, else throws the
    lowest card (R5.2 to R5.4 as they stand in the base game).
    """
    left, won, leader = list(hands), [0] * len(hands), 0
    trumps = SUIT_CARDS[trump]
    turns = [[(first + turn) % len(hands) for turn in range(1, len(hands))] for first in range(len(hands))]
    for _ in range(left[0].bit_count()):
        best = highest(left[leader])
        left[leader] ^= 1 << best
        suit, winner = SUIT_CARDS[best.suit], leader
        for player in turns[leader]:
            hand = left[player]
            following = hand & suit or hand & trumps
            beating = following & (HIGHER[best] if following & HIGHER[best] or best.suit == trump else trumps & ~suit)
            card = lowest(beating or following or hand)
            left[player] = hand ^ 1 << card
            if beating:
                best, winner = card, player
        won[winner] += 1
        leader = winner
    return won
