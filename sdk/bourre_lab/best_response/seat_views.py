"""Turns the state of one deal, as in `batch_deals`, into the view of the seat to act."""

from __future__ import annotations

from typing import Final

from bourre.rules.actions import Decision
from bourre.rules.cards import DECK, Card, Suit, cards_in
from bourre.rules.tricks import Trick, trick_of
from bourre.rules.view import View
from bourre_lab.batch_deals import Asked, LockstepDeals
from bourre_lab.batch_deals.card_sets import FIRST_CARD
from bourre_lab.batch_deals.state import State

_DECISIONS: Final = {
    **{asked: Decision[asked.name] for asked in Asked if asked.name in Decision.__members__},
    Asked.ENTER: Decision.DECLARE,
}
_PLAYS: Final = {-1: None, 0: False, 1: True}


def seat_view(deals: LockstepDeals, row: int, legal: int, seed: int) -> View:
    """Returns the view of the seat to act in this deal, the only one of its match, with its set of `legal` cards.

    The dealer has the last seat. `seed` is that of the bot's own chance.
    """
    state, house, seats = deals.state, deals.house, deals.seats
    decision = _DECISIONS[Asked(int(state.asked[row]))]
    seat = int(state.to_act[row])
    hand = cards_in(int(state.hands[row, seat]))
    plays = decision == Decision.PLAY
    leader, trick, tricks = _tricks(state, row) if plays else (None, (), ())
    discards = decision in (Decision.DECLARE, Decision.DRAW)
    trump, turned, dead = int(state.trump[row]), int(state.turned[row]), cards_in(int(state.dead[row]))
    return View(
        decision=decision,
        seat=seat,
        house=house,
        deal=1,
        deals=1,
        dealer=seats - 1,
        hand=hand,
        named=None if trump < 0 else Suit(trump),
        turned=_card(turned) if turned else None,
        dead=dead[0] if dead else None,
        pot=int(state.pot[row]),
        balances=tuple([-house.ante - paid for paid in state.paid[row].tolist()]),
        plays=tuple([_PLAYS[place] for place in state.plays[row].tolist()]),
        drawn=tuple([None if number < 0 else number for number in state.drawn[row].tolist()]),
        discarded=cards_in(int(state.discarded[row, seat])),
        leader=leader,
        trick=trick,
        tricks=tricks,
        barred=(),
        recalled=(),
        owed_turns=(0,) * seats,
        legal=cards_in(legal) if plays else hand if discards else (),
        max_discards=deals.max_discards,
        correcting=None,
        seed=seed,
    )


def _tricks(state: State, row: int) -> tuple[int, tuple[Card, ...], tuple[Trick, ...]]:
    """Returns the leader and the cards of the trick in progress, and the complete tricks."""
    playing = [seat for seat, plays in enumerate(state.plays[row].tolist()) if plays == 1]
    complete = int(state.tricks[row]) * len(playing)
    cards = [_card(card) for card in state.sequence[row, : complete + int(state.in_trick[row])].tolist()]
    trump, leader, tricks = Suit(int(state.trump[row])), playing[0], []
    for begin in range(0, complete, len(playing)):
        tricks.append(trick_of(leader, tuple(cards[begin : begin + len(playing)]), playing, trump))
        leader = tricks[-1].winner
    return leader, tuple(cards[complete:]), tuple(tricks)


def _card(number: int) -> Card:
    return DECK[number - FIRST_CARD]
