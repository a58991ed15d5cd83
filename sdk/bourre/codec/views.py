"""Views and the rules of the house, to the wire and back."""

from __future__ import annotations

from dataclasses import fields

from bourre.codec.chips import in_64_bits
from bourre.messages import Seating
from bourre.rules.actions import Decision
from bourre.rules.cards import Card, Suit, show
from bourre.rules.house import HouseRules
from bourre.rules.play import Trick
from bourre.rules.tricks import best_card
from bourre.rules.view import Renege, View
from bourre.v1 import game_pb2 as wire

_DECISIONS = {
    Decision.DECLARE: wire.DECISION_DECLARE,
    Decision.DRAW: wire.DECISION_DRAW,
    Decision.PLAY: wire.DECISION_PLAY,
}
_DECISIONS_BACK = {number: decision for decision, number in _DECISIONS.items()}
_STANDINGS = {None: wire.STANDING_UNDECLARED, False: wire.STANDING_PASSED, True: wire.STANDING_IN}
_STANDINGS_BACK = {number: plays for plays, number in _STANDINGS.items()}
_NOT_DRAWN = -1
_HOUSE_KEYS = tuple(field.name for field in fields(HouseRules))
_OPTIONAL_HOUSE_KEYS = ("seven_player_limit", "pot_limit")


def decision_to_wire(decision: Decision) -> wire.Decision:
    """The wire's word for a decision."""
    return _DECISIONS[decision]


def view_to_wire(view: View) -> wire.View:
    """A view without what its seating has told already (house rules, deals) and without its decision."""
    leaders = [trick.leader for trick in view.tricks]
    if view.leader is not None:
        leaders.append(view.leader)
    return wire.View(
        seat=view.seat,
        deal=view.deal,
        dealer=view.dealer,
        hand=show(view.hand),
        trump=str(view.trump),
        turned=str(view.turned),
        pot=in_64_bits(view.pot),
        balances=map(in_64_bits, view.balances),
        standings=[_STANDINGS[plays] for plays in view.plays],
        drawn=[_NOT_DRAWN if drawn is None else drawn for drawn in view.drawn],
        discarded=show(view.discarded),
        tricks=[show(trick.cards) for trick in view.tricks],
        leaders=leaders,
        trick=show(view.trick),
        barred=view.barred,
        recalled=show(card for _, card in view.recalled),
        recalled_by=[seat for seat, _ in view.recalled],
        owed_turns=view.owed_turns,
        legal=show(view.legal),
        max_discards=view.max_discards,
        seed=view.seed,
    )


def view_from_wire(view: wire.View, decision: wire.Decision, renege: wire.Renege | None, seating: Seating) -> View:
    """The view of an ask at the table of this seating."""
    trump = Suit.parse(view.trump)
    plays = tuple(_STANDINGS_BACK[standing] for standing in view.standings)
    tricks = _tricks(view, plays, trump)
    return View(
        decision=_DECISIONS_BACK[decision],
        seat=view.seat,
        house=seating.house,
        deal=view.deal,
        deals=seating.deals,
        dealer=view.dealer,
        hand=_cards(view.hand),
        trump=trump,
        turned=Card(view.turned),
        pot=view.pot,
        balances=tuple(view.balances),
        plays=plays,
        drawn=tuple(None if drawn == _NOT_DRAWN else drawn for drawn in view.drawn),
        discarded=_cards(view.discarded),
        leader=view.leaders[-1] if len(view.leaders) > len(tricks) else None,
        trick=_cards(view.trick),
        tricks=tricks,
        barred=tuple(view.barred),
        recalled=tuple(zip(view.recalled_by, _cards(view.recalled), strict=True)),
        owed_turns=tuple(view.owed_turns),
        legal=_cards(view.legal),
        max_discards=view.max_discards,
        correcting=Renege(Card(renege.card), renege.rule, renege.match) if renege else None,
        seed=view.seed,
    )


def _tricks(view: wire.View, plays: tuple[bool | None, ...], trump: Suit) -> tuple[Trick, ...]:
    if not view.tricks:
        return ()
    seats = len(plays)
    order = [seat for seat in ((view.dealer + turn) % seats for turn in range(1, seats + 1)) if plays[seat]]
    return tuple(
        _trick(leader, _cards(cards), order, trump) for leader, cards in zip(view.leaders, view.tricks, strict=False)
    )


def _trick(leader: int, cards: tuple[Card, ...], order: list[int], trump: Suit) -> Trick:
    best = cards.index(best_card(cards, trump))
    return Trick(leader, cards, order[(order.index(leader) + best) % len(order)])


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def house_to_wire(house: HouseRules) -> wire.HouseRules:
    """House rules, key by key."""
    keys = {key: getattr(house, key) for key in _HOUSE_KEYS}
    keys["first_dealer"] = str(house.first_dealer)
    return wire.HouseRules(**{key: value for key, value in keys.items() if value is not None})


def house_from_wire(house: wire.HouseRules) -> HouseRules:
    """House rules, key by key; raises InvalidHouse for rules that this package does not know."""
    keys = {key: getattr(house, key) for key in _HOUSE_KEYS}
    for key in _OPTIONAL_HOUSE_KEYS:
        if not house.HasField(key):
            keys[key] = None
    if house.first_dealer.isdigit():
        keys["first_dealer"] = int(house.first_dealer)
    return HouseRules(**keys)
