"""What travels between a bot and the referee, as game types; the codec turns it into the wire's and back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from bourre.rules.actions import Choice, Missing, Recall
from bourre.rules.events import Event
from bourre.rules.house import HouseRules
from bourre.rules.visibility import View

PROTOCOL = 1
"""The version of the wire that this package speaks."""


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the bot is and what it speaks."""

    token: str
    protocol: int = PROTOCOL
    client: str = ""
    forced_plays: bool = True
    events: bool = False


@dataclass(frozen=True, slots=True)
class Welcome:
    """The bot is in the room; its clock in milliseconds."""

    bot: str
    room: str
    decision_ms: int
    bank_ms: int
    match_ms: int = 0
    reconnect_ms: int = 0


@dataclass(frozen=True, slots=True)
class Seating:
    """A match begins for this bot."""

    table: int
    match: str
    seat: int
    seats: int
    deals: int
    house: HouseRules


class Ask(NamedTuple):
    """A decision is wanted; so many milliseconds are left of the bank, and of all the time for the match."""

    table: int
    id: int
    view: View
    bank_ms: int
    events: tuple[Event, ...] = ()
    match_ms: int = 0


class Answer(NamedTuple):
    """A decision; or a card taken back unasked; or Missing with its fault, which `error` may describe.

    `spent_us`: the microseconds that the bot thought, as it says.
    """

    table: int
    id: int
    action: Choice | Recall | Missing
    error: str = ""
    spent_us: int = 0


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """A match is over; chips by seat."""

    table: int
    balances: tuple[int, ...]
    events: tuple[Event, ...] = ()


@dataclass(slots=True)
class Bundle:
    """What goes to a bot in one message."""

    welcome: Welcome | None = None
    refusal: str = ""
    seatings: list[Seating] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    match_ends: list[MatchEnd] = field(default_factory=list)
    goodbye: str = ""

    def __bool__(self) -> bool:
        return bool(self.welcome or self.refusal or self.seatings or self.asks or self.match_ends or self.goodbye)
