"""Reads views from the wire, and converts house rules both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import NamedTuple, NoReturn

from bourre.codec.wire_words import DECISIONS_BY_NUMBER, NOT_DRAWN, PLAYS_BY_STANDING
from bourre.messages import Seating
from bourre.rules.actions import Decision
from bourre.rules.card import BY_TEXT, Card, Suit
from bourre.rules.house import MAY_BE_NONE, ORDERS, HouseRules
from bourre.rules.tricks import Trick, trick_of
from bourre.rules.view import Renege, View
from bourre.v1 import game_pb2 as wire

_FIELDS = tuple(field.name for field in fields(View))
_HOUSE_KEYS = tuple(field.name for field in fields(HouseRules))


def view_from_wire(view: wire.View, decision: wire.Decision, renege: wire.Renege | None, seating: Seating) -> View:
    """Returns the view of an ask at the table of this seating. Each field is decoded at its first use.

    Reading an unknown decision raises AttributeError.
    """
    try:
        known = DECISIONS_BY_NUMBER[decision]
    except KeyError:  # of a later protocol (docs/protocol.md)
        known = None
    return _WireView.over(_Source(view, seating), known, _renege(renege) if renege else None)


class _Source(NamedTuple):
    """The messages of a view."""

    view: wire.View
    seating: Seating


class _WireView(View):
    """An immutable view over a wire message. It decodes only the fields that a bot reads."""

    __slots__ = ("_source",)
    _source: _Source

    @classmethod
    def over(cls, source: _Source, decision: Decision | None, correcting: Renege | None) -> _WireView:
        """Makes a view over this message. Sets the fields that every bot reads, because decoding later costs more."""
        view = object.__new__(cls)
        object.__setattr__(view, "_source", source)
        if decision is not None:
            object.__setattr__(view, "decision", decision)
        object.__setattr__(view, "house", source.seating.house)
        object.__setattr__(view, "correcting", correcting)
        return view

    def __getattr__(self, name: str) -> object:  # called for a field without a value
        if name not in _DECODERS:
            raise AttributeError(f"a view has no {name!r}", name=name, obj=self)
        value = _DECODERS[name](self._source)
        object.__setattr__(self, name, value)
        return value

    def rng_seed(self) -> str:  # as for a plain View, but it decodes no tricks
        source: _Source | None = getattr(self, "_source", None)  # a copy made by `replace` has none
        if source is None:
            return super().rng_seed()
        return f"{source.view.seed} {self.decision} {len(source.view.tricks)} {self.correcting}"

    def for_draw(self) -> View:
        source: _Source | None = getattr(self, "_source", None)
        return super().for_draw() if source is None else _WireView.over(source, Decision.DRAW, self.correcting)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _FIELDS)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in _FIELDS))  # as for an equal plain View


def _unknown_decision(_: _Source) -> NoReturn:
    raise AttributeError(
        "The referee asks for a decision that this version of bourre does not know.\nhint: install a newer version"
    )


_DECODERS: dict[str, Callable[[_Source], object]] = {
    "decision": _unknown_decision,
    "seat": lambda source: source.view.seat,
    "deal": lambda source: source.view.deal,
    "deals": lambda source: source.seating.deals,
    "dealer": lambda source: source.view.dealer,
    "hand": lambda source: _cards(source.view.hand),
    "named": lambda source: Suit.parse(source.view.trump) if source.view.trump else None,
    "turned": lambda source: _card(source.view.turned),
    "dead": lambda source: _card(source.view.dead),
    "pot": lambda source: source.view.pot,
    "balances": lambda source: tuple(source.view.balances),
    "plays": lambda source: tuple(PLAYS_BY_STANDING[standing] for standing in source.view.standings),
    "drawn": lambda source: tuple(None if drawn == NOT_DRAWN else drawn for drawn in source.view.drawn),
    "discarded": lambda source: _cards(source.view.discarded),
    "leader": lambda source: source.view.leaders[-1] if len(source.view.leaders) > len(source.view.tricks) else None,
    "trick": lambda source: _cards(source.view.trick),
    "tricks": lambda source: _tricks(source.view) if source.view.tricks else (),
    "barred": lambda source: tuple(source.view.barred),
    "recalled": lambda source: tuple(zip(source.view.recalled_by, _cards(source.view.recalled), strict=True)),
    "owed_turns": lambda source: tuple(source.view.owed_turns),
    "legal": lambda source: _cards(source.view.legal),
    "max_discards": lambda source: source.view.max_discards,
    "seed": lambda source: source.view.seed,
}
"""The decoder of each field of a view."""


def _renege(renege: wire.Renege) -> Renege:
    return Renege(Card(renege.card), renege.rule, renege.match)


def _tricks(view: wire.View) -> tuple[Trick, ...]:
    trump, clockwise = Suit.parse(view.trump), ORDERS[len(view.standings)][view.dealer]
    order = [seat for seat in clockwise if view.standings[seat] == wire.STANDING_IN]
    led = zip(view.leaders, view.tricks, strict=False)
    return tuple(trick_of(leader, _cards(cards), order, trump) for leader, cards in led)


def _card(text: str) -> Card | None:
    return Card(text) if text else None


def _cards(text: str) -> tuple[Card, ...]:
    words = text.split()
    try:
        return tuple([BY_TEXT[word] for word in words])
    except KeyError:
        return tuple(map(Card, words))  # raises the error of the wrong word


def house_to_wire(house: HouseRules) -> wire.HouseRules:
    """Writes house rules, key by key."""
    keys = {key: getattr(house, key) for key in _HOUSE_KEYS}
    keys["first_dealer"] = str(house.first_dealer)
    return wire.HouseRules(**{key: value for key, value in keys.items() if value is not None})


def house_from_wire(house: wire.HouseRules) -> HouseRules:
    """Reads house rules, key by key; raises InvalidHouse for unknown rules."""
    keys = {key: getattr(house, key) for key in _HOUSE_KEYS}
    for key in MAY_BE_NONE:
        if not house.HasField(key):
            keys[key] = None
    if house.first_dealer.isdigit():
        keys["first_dealer"] = int(house.first_dealer)
    return HouseRules(**keys)
