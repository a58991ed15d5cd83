"""The messages between bots and the referee as game types, which `codec` converts to the wire and back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from bourre.notes import Usage
from bourre.rules.actions import Choice, Fault, Missing, Recall
from bourre.rules.house import HouseRules
from bourre.rules.view import View

if TYPE_CHECKING:
    from bourre.rules.events import Event

PROTOCOL = 1
"""The version of the wire protocol that this package speaks."""

_FAULTS_OF_MODELS = {"Refused": Fault.REFUSED, "Unavailable": Fault.PROVIDER, "Unparsable": Fault.UNDECODABLE}


def reported_fault(error: str) -> Fault:
    """Returns the kind of fault that a bot reports with this error, which begins with the name of an exception."""
    return _FAULTS_OF_MODELS.get(error.partition(":")[0], Fault.ERROR)


class Hello(NamedTuple):
    """Introduces a bot by its token, its protocol version and its wishes."""

    token: str
    protocol: int = PROTOCOL
    client: str = ""
    forced_plays: bool = True
    events: bool = False


class Welcome(NamedTuple):
    """Admits a bot to the room and states its clock in milliseconds."""

    bot: str
    room: str
    decision_ms: int
    bank_ms: int
    match_ms: int = 0
    reconnect_ms: int = 0
    stays: bool = False


class Seating(NamedTuple):
    """Begins a match for this bot."""

    table: int
    match: str
    seat: int
    seats: int
    deals: int
    house: HouseRules


class Ask(NamedTuple):
    """Asks for a decision, with the milliseconds of reserve time (`bank_ms`) and of the whole match that are left."""

    table: int
    id: int
    view: View
    bank_ms: int
    events: tuple[Event, ...] = ()
    match_ms: int = 0

    def allowed_ms(self, decision_ms: int) -> int:
        """Returns the time for this answer: decision and reserve time, at most the match time if there is one."""
        allowed = decision_ms + self.bank_ms
        return min(allowed, self.match_ms) if self.match_ms else allowed


class Answer(NamedTuple):
    """A decision, a recall, or Missing with its fault, which `error` may describe.

    The bot reports `note`, `usage` and `spent_us`, its thinking time in microseconds.
    """

    table: int
    id: int
    action: Choice | Recall | Missing
    error: str = ""
    spent_us: int = 0
    note: str = ""
    usage: Usage | None = None


class MatchEnd(NamedTuple):
    """Ends a match; balances are in chips, by seat."""

    table: int
    balances: tuple[int, ...]
    events: tuple[Event, ...] = ()


@dataclass(slots=True)
class Bundle:
    """One message to a bot."""

    welcome: Welcome | None = None
    refusal: str = ""
    seatings: list[Seating] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    match_ends: list[MatchEnd] = field(default_factory=list)
    goodbye: str = ""
    notice: str = ""
    """A text for the bot's author."""

    def __bool__(self) -> bool:
        said = self.refusal or self.goodbye or self.notice
        return bool(self.welcome or said or self.seatings or self.asks or self.match_ends)
