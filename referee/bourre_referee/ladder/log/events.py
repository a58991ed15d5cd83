"""Everything that happens to a ladder: small facts with names in the past tense, and nothing about when.

A field that a later version added has a default and is written only if it differs, so that old lines stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bourre.rules.errors import BourreError
from bourre_referee.ladder.log.ladder_names import BotName, Declared

LATER = {"later": True}
"""Marks the fields that a later version added."""

By = Literal["", "host", "owner", "ladder"]
"""Who did something to a bot: the host, its owner, or the ladder of itself; empty in logs of older versions."""


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
class TermsSet:
    """The host set the terms that hold from now on; an epoch's tables keep those under which it was opened."""

    tables: str
    """The SHA-256 of the terms of a table, such as rules, deals and clock, which each epoch's manifest has in full."""
    others: tuple[tuple[str, str], ...]
    """All other terms, by key: when an epoch ends, how the board is kept, the ratings of anchors, quotas, `pairing`."""


@dataclass(frozen=True, slots=True)
class EpochOpened:
    """A new secret seed holds from here on."""

    epoch: int
    """The epoch's number, starting at 1."""
    commitment: str
    """The SHA-256 of the seed of its rated rooms, in hexadecimal; it also decides the pairing."""
    unrated_commitment: str
    """The SHA-256 of the seed of its unrated rooms."""


@dataclass(frozen=True, slots=True)
class EpochClosed:
    """All rooms of an epoch are over, and its seeds are revealed."""

    epoch: int
    digest: str
    """The digest of its rated matches, in hexadecimal."""
    unrated_digest: str
    """That of its unrated matches; empty if there were none."""


@dataclass(frozen=True, slots=True)
class EpochAbandoned:
    """The host restored a backup: no room is called in this epoch any more, whose seeds may be known by now."""

    epoch: int


@dataclass(frozen=True, slots=True)
class SeasonOpened:
    """The epochs opened from here on belong to a new season."""

    season: int
    """The season's number, starting at 1."""


@dataclass(frozen=True, slots=True)
class LastBoardKept:
    """The last board of a season that is over was written to a file; again if one of its games was taken back."""

    season: int
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class LadderFrozen:
    """The final rounds began: no skill is taken to change any more, so ratings only become more certain."""


@dataclass(frozen=True, slots=True)
class LadderThawed:
    """The final rounds are over."""


@dataclass(frozen=True, slots=True)
class BotJoined:
    """A bot, or a new version of one, was added. An earlier version retires; its games stay."""

    bot: BotName
    number: int
    """The version's number among those of the bot, starting at 1."""
    version: Declared
    """The version as its author declared it."""
    owner: Declared
    clock_class: str
    """Only bots of one clock class meet."""
    staff: bool = False
    """Whether it is the host's own: an opponent in probation rooms, and bound by no owner's limit."""
    command: tuple[str, ...] = ()
    """How the host starts it; empty for a remote bot, which its author starts."""
    files: tuple[tuple[str, str], ...] = ()
    """The path and the SHA-256 of each file of a hosted bot."""
    by: By = field(default="", metadata=LATER)

    @property
    def hosted(self) -> bool:
        """Whether the host starts it."""
        return bool(self.command)


@dataclass(frozen=True, slots=True)
class BotArrived:
    """A bot is present: it connected, or its host can start it."""

    bot: BotName


@dataclass(frozen=True, slots=True)
class BotLeft:
    """A bot is no longer present; a room that it sits in goes on."""

    bot: BotName


@dataclass(frozen=True, slots=True)
class BotPaused:
    """A bot is to rest; where nobody is named, its owner wants that."""

    bot: BotName
    by: By = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class BotResumed:
    """A bot's pause ended: its owner's or, if the host ends it, any."""

    bot: BotName
    by: By = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class BotBenched:
    """A bot was stopped until the host reinstates it or, unless the host did that, a version that differs joins."""

    bot: BotName
    reason: str
    by: By = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class BotReinstated:
    """The host let a benched bot play again."""

    bot: BotName
    by: By = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class BotRetired:
    """A bot left the ladder until the host takes it in again; its games stay."""

    bot: BotName
    by: By = field(default="", metadata=LATER)


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
    line_up: tuple[BotName, ...]
    """The bots by seat."""
    rated: bool
    """False for a probation room and for a challenge."""
    asked_by: Declared = ""
    """The owner who asked for this challenge; empty for a room that the ladder paired."""


@dataclass(frozen=True, slots=True)
class RoomFinished:
    """A room was played to its end."""

    room: int
    games: int
    """How many games each of its bots played."""
    took_ms: int = field(default=0, metadata=LATER)
    """How long it lasted by the host's clock; 0 if the host does not know."""
    thought_ms: tuple[int, ...] = field(default=(), metadata=LATER)
    """How long each of its bots took for its decisions, by seat, on the referee's clock; empty likewise."""


@dataclass(frozen=True, slots=True)
class RoomOverran:
    """A room has lasted so much longer than is usual that it holds up nobody any more."""

    room: int


@dataclass(frozen=True, slots=True)
class RoomVoided:
    """The host failed a room, or bots were away when it was to begin: it counts for nobody."""

    room: int
    reason: str
    left: tuple[str, ...] = field(default=(), metadata=LATER)
    """Its bots that had left before it began."""


@dataclass(frozen=True, slots=True)
class MatchVoided:
    """The host took back the match of a finished room: no rating counts it, but its bots keep their turns."""

    epoch: int
    """The epoch in which the room was paired."""
    room: int
    reason: str


@dataclass(frozen=True, slots=True)
class ChallengeAsked:
    """An owner asked for an unrated room, which begins once all agreed, its bots are free and it is its turn."""

    owner: Declared
    line_up: tuple[BotName, ...]
    """The bots by seat."""


@dataclass(frozen=True, slots=True)
class ChallengeAnswered:
    """An owner of bots that a challenge names agreed or declined, or its asker took it back."""

    challenge: int
    """The challenge's number, starting at 1."""
    owner: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class ChallengesWelcomed:
    """An owner agreed to all challenges of own bots beforehand, or wants to be asked again."""

    owner: str
    welcome: bool


LadderEvent = (
    LadderOpened
    | TermsSet
    | EpochOpened
    | EpochClosed
    | EpochAbandoned
    | SeasonOpened
    | LastBoardKept
    | LadderFrozen
    | LadderThawed
    | BoardUpdated
)
"""What happens to a ladder as a whole."""

RoomEvent = RoomPaired | RoomOverran | RoomFinished | RoomVoided | MatchVoided
"""What happens to a room."""

ChallengeEvent = ChallengeAsked | ChallengeAnswered | ChallengesWelcomed
"""What owners say of unrated rooms."""

BotEvent = BotArrived | BotLeft | BotPaused | BotResumed | BotBenched | BotReinstated | BotRetired
"""What happens to a single bot that has joined."""

Event = LadderEvent | BotJoined | BotEvent | RoomEvent | ChallengeEvent
