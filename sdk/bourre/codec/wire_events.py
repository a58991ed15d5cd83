"""Converts events to the wire and back. Each event has a wire message of the same name and fields."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any, cast, get_args

from google.protobuf.message import DecodeError

from bourre.codec.wire_words import clamp_to_64_bits
from bourre.rules import events
from bourre.rules.actions import Fault
from bourre.rules.cards import Card, Suit, show
from bourre.v1 import game_pb2 as wire

ONLOOKER = -1
"""The number of no seat."""
_CARD_FIELDS = ("card", "recalled")
_CARDS_FIELDS = ("cards", "discarded", "received", "legal")


@dataclass(frozen=True, slots=True)
class _Kind:
    """The conversion of one kind of event."""

    event: type[events.Event]
    message: type[Any]
    branch: str
    fields: tuple[str, ...]
    hidden: bool
    """Whether the cards of this event may be hidden. Hidden cards are absent."""


def _make_kind(event: type[events.Event]) -> _Kind:
    branch = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event.__name__).lower()
    message = getattr(wire.Event, event.__name__)
    names = tuple(field.name for field in fields(event) if field.name in message.DESCRIPTOR.fields_by_name)
    return _Kind(event, message, branch, names, event in (events.Drew, events.Reneged))


_KINDS = {event: _make_kind(event) for event in get_args(events.Event)}
_BY_BRANCH = {kind.branch: kind for kind in _KINDS.values()}


def event_to_wire(event: events.Event) -> wire.Event:
    """Writes an event. Hidden cards become an empty text."""
    kind = _KINDS[type(event)]
    values = {name: _value_to_wire(name, getattr(event, name)) for name in kind.fields}
    return wire.Event(**{kind.branch: kind.message(**values)})


def event_from_wire(message: wire.Event, seat: int) -> events.Event | None:
    """Reads an event for the bot at this seat; None if its kind or a word in it is unknown."""
    branch = message.WhichOneof("what")
    if branch is None:
        return None
    kind = _BY_BRANCH[branch]
    body = getattr(message, branch)
    try:
        values = {name: _value_from_wire(name, getattr(body, name), kind) for name in kind.fields}
    except ValueError:
        return None
    if kind.event is events.TrumpTurned:
        values["trump"] = values["card"].suit
    if kind.hidden and body.seat != seat:
        values |= {name: None for name in kind.fields if name in _CARDS_FIELDS}
    return kind.event(**values)


def event_to_bytes(event: events.Event) -> bytes:
    """Writes an event as the bytes of its message."""
    return event_to_wire(event).SerializeToString()


def event_from_bytes(data: bytes) -> events.Event | None:
    """Reads an event for an onlooker; None if its kind or a word in it is unknown. Raises ValueError for no message."""
    try:
        message = wire.Event.FromString(data)
    except DecodeError as error:
        raise ValueError(f"no event: {error}") from error
    return event_from_wire(message, ONLOOKER)


def _value_to_wire(name: str, value: object) -> object:
    if isinstance(value, (Card, Suit, Fault)):
        return str(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return clamp_to_64_bits(value)
    if name == "balances":
        return map(clamp_to_64_bits, cast("tuple[int, ...]", value))
    if name in _CARDS_FIELDS:
        return "" if value is None else show(cast("tuple[Card, ...]", value))
    return value


def _value_from_wire(name: str, value: Any, kind: _Kind) -> Any:
    if name in _CARD_FIELDS:
        return Card(value)
    if name == "trump":
        return Suit.parse(value)
    if name in _CARDS_FIELDS and isinstance(value, str):
        return tuple(map(Card, value.split()))
    if name == "fault":
        return Fault(value)
    return tuple(value) if name in ("balances", "tied") else value
