"""The tricks of many deals (R5, R6). `bourre.rules.tricks` and `trick_play` do the same for one deal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bourre.rules.house import HouseRules
from bourre.rules.tricks import CINCH_TRICKS
from bourre_lab.batch_deals.action_numbers import Asked
from bourre_lab.batch_deals.card_sets import (
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
from bourre_lab.batch_deals.state import MOST_CARDS, State


@dataclass(frozen=True, slots=True)
class Positions:
    """The facts that decide which cards are legal. All arrays have one entry per position."""

    hand: Sets
    trump: Ints
    led: Ints
    """The card that was led; any card if the seat leads."""
    best: Ints
    """The card that wins the trick so far; any card if the seat leads."""
    laid: Sets
    """The cards of the trick in progress."""
    leads: Flags
    last: Flags
    """Whether the seat is the last of the trick and does not lead."""
    won: Ints
    seen: Sets
    """The cards of completed tricks."""
    dead: Sets

    def at(self, rows: Ints) -> Positions:
        """Returns some of the positions."""
        return Positions(**{name: getattr(self, name)[rows] for name in self.__slots__})


def legal_cards(at: Positions, house: HouseRules) -> Sets:
    """Returns the sets of cards that R5 and R6 allow. They are nonempty for nonempty hands."""
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
    for _ in range(MOST_CARDS):
        card = np.maximum(highest(left), 0)
        met += has(left, card) & (count(HIGHER_SETS[card] & live) > met)
        left &= ~sets_of(card)
    return count(trumps) - met


def begin_play(state: State, rows: Ints, house: HouseRules) -> None:
    """Lets the first seat that is in lead, or settles the deals in which fewer than two play (R4.8, R5.1)."""
    plays = state.plays[rows] == 1
    state.playing[rows] = plays.sum(axis=1)
    first = plays.argmax(axis=1)
    contested = state.playing[rows] > 1
    state.leader[rows] = state.to_act[rows] = first
    state.asked[rows] = np.where(contested, Asked.PLAY, Asked.NOTHING)
    alone = state.playing[rows] == 1
    state.won[rows[alone], first[alone]] = house.cards


def positions(state: State, rows: Ints) -> Positions:
    """Returns the positions of the seats to act in these deals."""
    seats = state.to_act[rows]
    in_trick = state.in_trick[rows]
    return Positions(
        hand=state.hands[rows, seats],
        trump=state.trump[rows],
        led=state.led[rows],
        best=state.best[rows],
        laid=state.laid[rows],
        leads=in_trick == 0,
        last=in_trick == state.playing[rows] - 1,
        won=state.won[rows, seats],
        seen=state.seen[rows],
        dead=state.dead[rows],
    )


def lay_cards(state: State, rows: Ints, cards: Ints, house: HouseRules) -> None:
    """Lays a card in each of these deals."""
    seats = state.to_act[rows]
    single = sets_of(cards)
    leads = state.in_trick[rows] == 0
    _note_voids(state, rows, cards, house)
    beats = leads | has(BEATING_SETS[state.trump[rows], state.best[rows]], cards)
    state.hands[rows, seats] &= ~single
    state.played[rows, seats] |= single
    state.sequence[rows, state.tricks[rows] * state.playing[rows] + state.in_trick[rows]] = cards
    state.led[rows] = np.where(leads, cards, state.led[rows])
    state.best[rows] = np.where(beats, cards, state.best[rows])
    state.taker[rows] = np.where(beats, seats, state.taker[rows])
    state.laid[rows] |= single
    state.in_trick[rows] += 1
    full = state.in_trick[rows] == state.playing[rows]
    state.to_act[rows] = np.where(full, state.taker[rows], _next_in(state, rows, seats))
    if full.any():
        _complete_tricks(state, rows[full], house)


def _next_in(state: State, rows: Ints, seats: Ints) -> Ints:
    """Returns the next playing seat after each of these."""
    count = state.plays.shape[1]
    turn = (np.arange(1, count + 1) + seats[:, None]) % count
    step = (np.take_along_axis(state.plays[rows], turn, axis=1) == 1).argmax(axis=1)
    return np.take_along_axis(turn, step[:, None], axis=1)[:, 0]


def _complete_tricks(state: State, rows: Ints, house: HouseRules) -> None:
    taker = state.taker[rows]
    state.won[rows, taker] += 1
    state.seen[rows] |= state.laid[rows]
    state.laid[rows] = NONE
    state.in_trick[rows] = 0
    state.leader[rows] = taker
    state.tricks[rows] += 1
    state.asked[rows[state.tricks[rows] == house.cards]] = Asked.NOTHING


def _note_voids(state: State, rows: Ints, cards: Ints, house: HouseRules) -> None:
    """Notes the cards that a seat cannot hold beside its play."""
    follows = state.in_trick[rows] > 0
    rows, cards = rows[follows], cards[follows]
    ruled_out = ruled_out_cards(cards, state.led[rows], state.best[rows], state.trump[rows], house)
    state.barred_cards[rows, state.to_act[rows]] |= ruled_out


def ruled_out_cards(cards: Ints, led: Ints, best: Ints, trumps: Ints, house: HouseRules) -> Sets:
    """Returns the cards that a seat cannot hold if it may follow with this card (R5.2 to R5.4)."""
    all_trumps = SUIT_SETS[trumps]
    beating = BEATING_SETS[trumps, best]
    in_suit = cards & 3 == led & 3
    beats = has(beating, cards)
    is_trump = cards & 3 == trumps
    void = np.where(in_suit, NONE, SUIT_SETS[led & 3])
    if house.must_beat:
        void |= np.where(in_suit & ~beats, SUIT_SETS[led & 3] & beating, NONE)
    if house.must_trump != "never":
        not_ruffed = ~in_suit & ~is_trump
        void |= np.where(not_ruffed, all_trumps if house.must_trump == "always" else all_trumps & beating, NONE)
        if house.must_beat and house.must_overtrump:
            void |= np.where(~in_suit & is_trump & ~beats, all_trumps & beating, NONE)
    return void
