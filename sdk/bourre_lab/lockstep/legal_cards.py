"""Which cards are legal (R5, R6), for many positions at once; `bourre.rules.tricks` is the same for one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bourre.rules.house import HouseRules
from bourre.rules.tricks import CINCH_TRICKS
from bourre_lab.lockstep.card_sets import (
    BEATING_SETS,
    HIGHER_SETS,
    HONOUR_SET,
    NONE,
    ONE,
    SUIT_SETS,
    Flags,
    Ints,
    Sets,
    count,
    has,
    highest,
    sets_of,
)

_MOST_CARDS = 5


@dataclass(frozen=True, slots=True)
class Positions:
    """What decides which cards are legal, for each of some seats; all arrays have one entry per position."""

    hand: Sets
    trump: Ints
    led: Ints
    """The card that was led; any where the seat leads."""
    best: Ints
    """The card that wins the trick so far; any where the seat leads."""
    laid: Sets
    """The cards of the trick in progress."""
    leads: Flags
    last: Flags
    """Whether the seat is the last to the trick, and does not lead."""
    won: Ints
    seen: Sets
    """The cards of completed tricks."""
    dead: Sets

    def at(self, rows: Ints) -> Positions:
        """Returns some of the positions."""
        return Positions(**{name: getattr(self, name)[rows] for name in self.__slots__})


def legal_cards(at: Positions, house: HouseRules) -> Sets:
    """Returns the sets of cards that R5 and R6 allow; nonempty for a nonempty hand."""
    allowed = np.where(at.leads, _lead_options(at, house), _follow_options(at, house))
    if not house.cinch:
        return allowed
    trumps = at.hand & SUIT_SETS[at.trump]
    may_cinch = (count(trumps) >= CINCH_TRICKS - at.won) & (allowed & trumps != NONE) & ~at.last
    rows = np.flatnonzero(may_cinch & (at.hand & (at.hand - ONE) != NONE))
    if rows.size:
        allowed[rows] = _restrict_to_cinch(allowed[rows], at.at(rows), house)
    return allowed


def _lead_options(at: Positions, house: HouseRules) -> Sets:
    if house.lead_honour == "none":
        return at.hand
    honours = at.hand & SUIT_SETS[at.trump] & HONOUR_SET
    free = honours == NONE
    if house.lead_honour_when == "first":
        free |= at.seen != NONE
    demanded = honours if house.lead_honour == "any" else sets_of(np.maximum(highest(honours), 0))
    return np.where(free, at.hand, demanded)


def _follow_options(at: Positions, house: HouseRules) -> Sets:
    beating = BEATING_SETS[at.trump, at.best]
    following = at.hand & SUIT_SETS[at.led & 3]
    trumps = at.hand & SUIT_SETS[at.trump]
    above = following & beating
    follow = np.where(above != NONE, above, following) if house.must_beat else following
    if house.must_trump == "never":
        other = at.hand
    else:
        winning = trumps & beating
        ruff = winning if house.must_beat and house.must_overtrump else trumps
        none_wins = trumps if house.must_trump == "always" else at.hand
        other = np.where(trumps == NONE, at.hand, np.where(winning != NONE, ruff, none_wins))
    return np.where(following != NONE, follow, other)


def _restrict_to_cinch(allowed: Sets, at: Positions, house: HouseRules) -> Sets:
    trumps = at.hand & SUIT_SETS[at.trump]
    played = at.seen | at.dead | at.laid
    live = SUIT_SETS[at.trump] & ~(at.hand | played)
    needed = CINCH_TRICKS - at.won
    sure = sure_tricks(trumps, live) >= needed
    losing = np.where(at.leads, NONE, allowed & trumps & ~BEATING_SETS[at.trump, at.best])
    while losing.any():
        card = losing & (~losing + ONE)
        sure &= (card == NONE) | (sure_tricks(trumps & ~card, live) >= needed)
        losing ^= card
    sure |= needed <= 0
    top = highest(trumps)
    demanded = sets_of(top)
    if house.cinch_adjacent:
        between = SUIT_SETS[at.trump] & ~(trumps | played) & (demanded - ONE)
        demanded = trumps & ~(sets_of(np.maximum(highest(between), 0)) - ONE)
    demanded &= allowed
    return np.where(sure & (demanded != NONE), demanded, allowed)


def sure_tricks(trumps: Sets, live: Sets) -> Ints:
    """Returns S = |T| - M(T, U) of R6.1, by the greedy matching from the highest trump down."""
    met = np.zeros(len(trumps), dtype=np.int64)
    left = trumps.copy()
    for _ in range(_MOST_CARDS):
        card = np.maximum(highest(left), 0)
        met += has(left, card) & (count(HIGHER_SETS[card] & live) > met)
        left &= ~sets_of(card)
    return count(trumps) - met
