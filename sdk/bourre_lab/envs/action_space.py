"""Actions as numbers from 0 to 119, for learners: what each means, and which are legal.

`PASS`; from `COME_IN`, coming in or drawing with each of 32 subsets of the hand as discards; from `CARD`, the 52 cards;
from `TRUMP`, the four suits; beyond `TAKE`, drawing with the turned card taken for one of the discards (R3.2).
Bit i of a subset stands for the card of the hand at place i, lowest first. Staying is `COME_IN`, leaving is `PASS`
(R4.9); a seat that has reneged silently lets its card stand with `PASS` (R8.4).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from bourre.rules.actions import PLAYS, Choice, Decision, Declare, Draw, NameTrump, Recall, Stay
from bourre.rules.cards import DECK, Card, Suit, card_set
from bourre.rules.errors import InvalidAction
from bourre.rules.view import View

PASS: Final = 0
COME_IN: Final = 1
CARD: Final = 33
TRUMP: Final = 85
TAKE: Final = 88
"""The number before the first action that takes the turned card. The empty subset never takes it."""
ACTIONS: Final = 120
FIRST_CARD: Final = 8
"""The number of the two of clubs. The action of a card is the card's number plus `CARD - FIRST_CARD`."""

_PLAY: Final = Decision.PLAY
_DECLARE: Final = Decision.DECLARE
_DRAW: Final = Decision.DRAW
_STAY: Final = Decision.STAY
_BITS: Final = 13
"""The number of cards that are converted to bytes at once."""
_QUARTER: Final = (1 << _BITS) - 1
_FLAGS: Final = tuple(bytes([bits >> place & 1 for place in range(_BITS)]) for bits in range(1 << _BITS))
"""A byte of 0 or 1 for each of 13 bits."""
_BEFORE_CARDS: Final = bytes(CARD)
_AFTER_CARDS: Final = bytes(ACTIONS - CARD - len(DECK))


def card_flags(cards: int) -> list[bytes]:
    """Returns 52 bytes in four parts, 1 for each card of this set and 0 for all others, in the order of `DECK`."""
    bits = cards >> FIRST_CARD
    return [
        _FLAGS[bits & _QUARTER],
        _FLAGS[bits >> 13 & _QUARTER],
        _FLAGS[bits >> 26 & _QUARTER],
        _FLAGS[bits >> 39],
    ]


def legal_flags(view: View, reneges: bool = False) -> bytes:
    """Returns a byte for each action: 1 if it is legal in this view, else 0.

    With `reneges`, every card of the hand may be played, at its cost by the rules (R8).
    """
    decision = view.decision
    if decision is _PLAY:
        cards = view.hand if reneges else view.legal
        return b"".join([_BEFORE_CARDS, *card_flags(card_set(cards)), _AFTER_CARDS])
    draws = decision is _DRAW or (decision is _DECLARE and view.house.declares_in_turn)
    return _flags_before_play(decision.value, len(view.hand), view.max_discards if draws else 0, view.may_take_turned)


def recall_flags(legal: tuple[Card, ...]) -> bytes:
    """Returns a byte for each action of a seat that may correct a silent renege by one of these cards (R8.4)."""
    return b"".join([b"\1", _BEFORE_CARDS[1:], *card_flags(card_set(legal)), _AFTER_CARDS])


@cache
def _flags_before_play(decision: str, held: int, most: int, takes: bool) -> bytes:
    """Returns the flags of decisions whose legal actions depend on the size of the hand, not on its cards."""
    flags = bytearray(ACTIONS)
    if decision == "name_trump":
        flags[TRUMP : TRUMP + len(Suit)] = b"\1" * len(Suit)
        return bytes(flags)
    if decision != "draw":
        flags[PASS] = 1
    for subset in range(1 << held):
        if subset.bit_count() <= most:
            flags[COME_IN + subset] = 1
            if takes and subset:
                flags[TAKE + subset] = 1
    return bytes(flags)


def choice_of(action: int, view: View) -> Choice:
    """Returns the choice of an action in this view; raises InvalidAction if it answers another question.

    `legal_flags` checks whether the house rules allow it.
    """
    decision = view.decision
    if decision is _PLAY:
        if CARD <= action < TRUMP:
            return PLAYS[DECK[action - CARD]]
    elif decision is _STAY:
        if action in (PASS, COME_IN):
            return Stay(action == COME_IN)
    elif decision is not _DECLARE and decision is not _DRAW:
        if TRUMP <= action < TRUMP + len(Suit):
            return NameTrump(Suit(action - TRUMP))
    elif action == PASS and decision is _DECLARE:
        return Declare(False)
    elif COME_IN <= action < CARD or TAKE < action < ACTIONS:
        takes = action > TAKE
        discards = _subset(view.hand, action - (TAKE if takes else COME_IN))
        return Declare(True, discards, takes) if decision is _DECLARE else Draw(discards, takes)
    raise InvalidAction(f"action {action} does not answer the question to {decision}: see bourre_lab.envs.action_space")


def recall_of(action: int) -> Recall | None:
    """Returns an action's correction of a silent renege; None lets the card stand (R8.4)."""
    return None if action == PASS else Recall(DECK[action - CARD])


def _subset(hand: tuple[Card, ...], subset: int) -> tuple[Card, ...]:
    if subset >> len(hand):
        raise InvalidAction(f"subset {subset} names a card beyond the {len(hand)} of this hand")
    return tuple([card for place, card in enumerate(hand) if subset >> place & 1])
