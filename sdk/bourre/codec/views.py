"""Views and the rules of the house, to the wire and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import NamedTuple

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
    Decision.NAME_TRUMP: wire.DECISION_NAME_TRUMP,
    Decision.STAY: wire.DECISION_STAY,
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


class ViewWriter:
    """Writes the views of one seat, without what its seating has told already (house rules, deals) and its decision.

    What is the same as in the view before, as most of it is while cards are played, is copied, not written anew.
    """

    __slots__ = ("_lasting", "_written")

    def __init__(self) -> None:
        self._lasting: tuple[object, ...] = ()
        self._written = b""

    def write(self, view: View, message: wire.View) -> None:
        """Writes this view into an empty message, which is part of a larger one: nothing is copied afterwards."""
        lasting = _lasting(view)
        if lasting != self._lasting:
            self._lasting, self._written = lasting, _lasting_to_wire(view).SerializeToString()
        message.MergeFromString(self._written)
        message.hand = show(view.hand)
        message.legal = show(view.legal)
        if view.leader is not None:
            message.trick = show(view.trick)
            message.tricks.extend([show(trick.cards) for trick in view.tricks])
            message.leaders.extend([*[trick.leader for trick in view.tricks], view.leader])


def _lasting(view: View) -> tuple[object, ...]:
    """What decides the lasting part; seat, dealer, turned card and seed are the same in all the deal."""
    return (
        *(view.deal, view.named, view.dead, view.pot, view.balances, view.plays, view.drawn, view.discarded),
        *(view.barred, view.recalled, view.owed_turns, view.max_discards),
    )


def _lasting_to_wire(view: View) -> wire.View:
    return wire.View(
        seat=view.seat,
        deal=view.deal,
        dealer=view.dealer,
        trump="" if view.named is None else str(view.named),
        turned=_text(view.turned),
        dead=_text(view.dead),
        pot=in_64_bits(view.pot),
        balances=[in_64_bits(chips) for chips in view.balances],
        standings=[_STANDINGS[plays] for plays in view.plays],
        drawn=[_NOT_DRAWN if drawn is None else drawn for drawn in view.drawn],
        discarded=show(view.discarded),
        barred=view.barred,
        recalled=show([card for _, card in view.recalled]),
        recalled_by=[seat for seat, _ in view.recalled],
        owed_turns=view.owed_turns,
        max_discards=view.max_discards,
        seed=view.seed,
    )


def view_from_wire(view: wire.View, decision: wire.Decision, renege: wire.Renege | None, seating: Seating) -> View:
    """The view of an ask at the table of this seating; a field is decoded when it is first looked at."""
    return _WireView.over(_Source(view, decision, renege, seating))


class _Source(NamedTuple):
    """What a view is decoded from."""

    view: wire.View
    decision: wire.Decision
    renege: wire.Renege | None
    seating: Seating


class _WireView(View):
    """A view over a wire message: immutable like any view, and decoded no further than a bot looks."""

    __slots__ = ("_source",)
    _source: _Source

    @classmethod
    def over(cls, source: _Source) -> _WireView:
        """The view over this message."""
        view = object.__new__(cls)
        object.__setattr__(view, "_source", source)
        return view

    def __getattr__(self, name: str) -> object:  # called for a field that has no value yet
        if name not in _DECODERS:
            raise AttributeError(f"a view has no {name!r}", name=name, obj=self)
        value = _DECODERS[name](self._source)
        object.__setattr__(self, name, value)
        return value

    def for_draw(self) -> View:
        source: _Source | None = getattr(self, "_source", None)  # a copy made by `replace` has none
        return super().for_draw() if source is None else _WireView.over(source._replace(decision=wire.DECISION_DRAW))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _DECODERS)

    def __hash__(self) -> int:
        return hash((self.seat, self.deal, self.hand, self.trick))


_DECODERS: dict[str, Callable[[_Source], object]] = {
    "decision": lambda source: _DECISIONS_BACK[source.decision],
    "seat": lambda source: source.view.seat,
    "house": lambda source: source.seating.house,
    "deal": lambda source: source.view.deal,
    "deals": lambda source: source.seating.deals,
    "dealer": lambda source: source.view.dealer,
    "hand": lambda source: _cards(source.view.hand),
    "named": lambda source: Suit.parse(source.view.trump) if source.view.trump else None,
    "turned": lambda source: _card(source.view.turned),
    "dead": lambda source: _card(source.view.dead),
    "pot": lambda source: source.view.pot,
    "balances": lambda source: tuple(source.view.balances),
    "plays": lambda source: tuple(_STANDINGS_BACK[standing] for standing in source.view.standings),
    "drawn": lambda source: tuple(None if drawn == _NOT_DRAWN else drawn for drawn in source.view.drawn),
    "discarded": lambda source: _cards(source.view.discarded),
    "leader": lambda source: source.view.leaders[-1] if len(source.view.leaders) > len(source.view.tricks) else None,
    "trick": lambda source: _cards(source.view.trick),
    "tricks": lambda source: _tricks(source.view) if source.view.tricks else (),
    "barred": lambda source: tuple(source.view.barred),
    "recalled": lambda source: tuple(zip(source.view.recalled_by, _cards(source.view.recalled), strict=True)),
    "owed_turns": lambda source: tuple(source.view.owed_turns),
    "legal": lambda source: _cards(source.view.legal),
    "max_discards": lambda source: source.view.max_discards,
    "correcting": lambda source: _renege(source.renege),
    "seed": lambda source: source.view.seed,
}
"""How each field of a view is read from the wire."""


def _renege(renege: wire.Renege | None) -> Renege | None:
    return Renege(Card(renege.card), renege.rule, renege.match) if renege else None


def _tricks(view: wire.View) -> tuple[Trick, ...]:
    trump, seats = Suit.parse(view.trump), len(view.standings)
    clockwise = [(view.dealer + turn) % seats for turn in range(1, seats + 1)]
    order = [seat for seat in clockwise if view.standings[seat] == wire.STANDING_IN]
    led = zip(view.leaders, view.tricks, strict=False)
    return tuple(_trick(leader, _cards(cards), order, trump) for leader, cards in led)


def _trick(leader: int, cards: tuple[Card, ...], order: list[int], trump: Suit) -> Trick:
    best = cards.index(best_card(cards, trump))
    return Trick(leader, cards, order[(order.index(leader) + best) % len(order)])


def _text(card: Card | None) -> str:
    return "" if card is None else str(card)


def _card(text: str) -> Card | None:
    return Card(text) if text else None


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
