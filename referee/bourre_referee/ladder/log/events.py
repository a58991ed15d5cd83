"""Everything that happens to a ladder: small facts with names in the past tense, and nothing about time."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.errors import BourreError


class LadderError(BourreError):
    """A ladder's log says something that cannot have happened; names the place and the fix."""


@dataclass(frozen=True, slots=True)
class LadderOpened:
    """The ladder began, on these terms; the first event of every log."""

    seats: int
    """The seats of a rated table, 2 to 8."""
    owners_apart: bool
    """Whether no table holds two bots of one owner."""


@dataclass(frozen=True, slots=True)
class EpochOpened:
    """A new secret seed holds from here on."""

    epoch: int
    """The epoch's number, starting at 1."""
    commitment: str
    """The SHA-256 of its seed, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class BotJoined:
    """A bot, or a new version of one, was added. An earlier version retires; its games stay."""

    bot: str
    version: str
    owner: str
    clock_class: str
    """Only bots of one clock class meet."""
    staff: bool = False
    """Whether it is the host's own: an opponent in probation rooms, and bound by no owner's limit."""


@dataclass(frozen=True, slots=True)
class BotArrived:
    """A bot is present: it connected, or its host can start it."""

    bot: str


@dataclass(frozen=True, slots=True)
class BotLeft:
    """A bot is no longer present; a room that it sits in goes on."""

    bot: str


@dataclass(frozen=True, slots=True)
class BotPaused:
    """Its owner wants a bot to rest."""

    bot: str


@dataclass(frozen=True, slots=True)
class BotResumed:
    """Its owner ended a bot's pause."""

    bot: str


@dataclass(frozen=True, slots=True)
class BotBenched:
    """The host stopped a bot until it is reinstated or a new version joins."""

    bot: str
    reason: str


@dataclass(frozen=True, slots=True)
class BotReinstated:
    """The host let a benched bot play again."""

    bot: str


@dataclass(frozen=True, slots=True)
class BotRetired:
    """A bot left the ladder for good; its games stay."""

    bot: str


@dataclass(frozen=True, slots=True)
class BoardUpdated:
    """The board of a clock class was computed anew."""

    clock_class: str
    undecided: tuple[tuple[str, str], ...]
    """Neighbours on the board that its ratings do not tell apart."""


@dataclass(frozen=True, slots=True)
class RoomPaired:
    """Bots were called to a room."""

    room: int
    """The room's number, starting at 1."""
    line_up: tuple[str, ...]
    """The bots by seat."""
    rated: bool
    """False for a probation room."""


@dataclass(frozen=True, slots=True)
class RoomFinished:
    """A room was played to its end."""

    room: int
    games: int
    """How many games each of its bots played."""


@dataclass(frozen=True, slots=True)
class RoomVoided:
    """The host failed a room: it counts for nobody."""

    room: int
    reason: str


BotEvent = BotArrived | BotLeft | BotPaused | BotResumed | BotBenched | BotReinstated | BotRetired
"""What happens to a single bot that has joined."""

Event = LadderOpened | EpochOpened | BotJoined | BotEvent | BoardUpdated | RoomPaired | RoomFinished | RoomVoided
