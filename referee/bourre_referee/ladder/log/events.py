"""The events of a ladder: small facts with names in the past tense, without times.

A field of a later version has a default, and is written only if it differs, so that old lines stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bourre.rules.errors import BourreError
from bourre_referee.ladder.log.ladder_names import BotName, Declared

LATER = {"later": True}
"""Marks the fields that a later version added."""

By = Literal["", "host", "owner", "ladder"]
"""Who acted on a bot: the host, its owner, or the ladder itself; empty in logs of older versions."""


class LadderError(BourreError):
    """A ladder's log has an impossible event."""


@dataclass(frozen=True, slots=True)
class LadderOpened:
    """The ladder began with these terms. It is the first event of every log."""

    seats: int
    """The seats of a rated table, 2 to 8."""
    owners_apart: bool
    """Whether bots of one owner never share a table."""


@dataclass(frozen=True, slots=True)
class TermsSet:
    """The host set new terms. The tables of an open epoch keep the terms of its opening."""

    tables: str
    """The SHA-256 of a table's terms, such as rules, deals and clock. Each epoch's manifest has them in full."""
    others: tuple[tuple[str, str], ...]
    """All other terms, by key: the end of an epoch, the board, the ratings of anchors, quotas, `pairing`."""


@dataclass(frozen=True, slots=True)
class EpochOpened:
    """A new epoch began, with new secret seeds."""

    epoch: int
    """The epoch's number, starting at 1."""
    commitment: str
    """The SHA-256 of the seed of its rated rooms, in hexadecimal. This seed also decides the pairings."""
    unrated_commitment: str
    """The SHA-256 of the seed of its unrated rooms."""


@dataclass(frozen=True, slots=True)
class EpochClosed:
    """All rooms of an epoch ended, and its seeds were revealed."""

    epoch: int
    digest: str
    """The digest of its rated matches, in hexadecimal."""
    unrated_digest: str
    """The digest of its unrated matches; empty if there were none."""


@dataclass(frozen=True, slots=True)
class EpochAbandoned:
    """The host restored a backup. This epoch gets no more rooms, because its seeds may be known."""

    epoch: int


@dataclass(frozen=True, slots=True)
class SeasonOpened:
    """A new season began. Later epochs belong to it."""

    season: int
    """The season's number, starting at 1."""


@dataclass(frozen=True, slots=True)
class LastBoardKept:
    """The last board of a finished season was written to a file, perhaps again after a game was taken back."""

    season: int
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class LadderFrozen:
    """The final rounds began. Skills no longer drift, so ratings only become more certain."""


@dataclass(frozen=True, slots=True)
class LadderThawed:
    """The final rounds ended."""


@dataclass(frozen=True, slots=True)
class BotJoined:
    """A bot, or a new version of one, was added. An earlier version retires, but its games stay."""

    bot: BotName
    number: int
    """The number of the bot's version, starting at 1."""
    version: Declared
    """The version that its author declared."""
    owner: Declared
    clock_class: str
    """The clock class. Only bots of the same class meet."""
    staff: bool = False
    """Whether it is the host's: an opponent in probation rooms, without an owner's limits."""
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
    """A bot became present: it connected, or the host can start it."""

    bot: BotName


@dataclass(frozen=True, slots=True)
class BotLeft:
    """A bot is no longer present. Its room continues."""

    bot: BotName


@dataclass(frozen=True, slots=True)
class BotPaused:
    """A bot was paused. An empty `by` means its owner."""

    bot: BotName
    by: By = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class BotResumed:
    """A bot's pause ended. The host can end any pause."""

    bot: BotName
    by: By = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class BotBenched:
    """A bot was suspended until the host reinstates it. If the ladder suspended it, a new version also ends it."""

    bot: BotName
    reason: str
    by: By = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class BotReinstated:
    """The host let a suspended bot play again."""

    bot: BotName
    by: By = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class BotRetired:
    """A bot left the ladder until the host adds it again. Its games stay."""

    bot: BotName
    by: By = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class BoardUpdated:
    """The board of a clock class was recomputed."""

    clock_class: str
    undecided: tuple[tuple[str, str], ...]
    """Neighbours on the board that are tied."""


@dataclass(frozen=True, slots=True)
class RoomPaired:
    """Bots were paired in a room."""

    room: int
    """The room's number, starting at 1."""
    line_up: tuple[BotName, ...]
    """The bots by seat."""
    rated: bool
    """False for a probation room and for a challenge."""
    asked_by: Declared = ""
    """The owner who requested this challenge; empty for a room that the ladder paired."""


@dataclass(frozen=True, slots=True)
class RoomFinished:
    """A room was played to its end."""

    room: int
    games: int
    """The number of games that each of its bots played."""
    took_ms: int = field(default=0, metadata=LATER)
    """Its duration by the host's clock; 0 if unknown."""
    thought_ms: tuple[int, ...] = field(default=(), metadata=LATER)
    """Each bot's time for its decisions, by seat, on the referee's clock; empty if unknown."""


@dataclass(frozen=True, slots=True)
class RoomOverran:
    """A room lasted so much longer than usual that other bots no longer wait for it."""

    room: int


@dataclass(frozen=True, slots=True)
class RoomVoided:
    """The host failed a room, or bots were away at its start. It does not count."""

    room: int
    reason: str
    left: tuple[str, ...] = field(default=(), metadata=LATER)
    """Its bots that had left before it began."""


@dataclass(frozen=True, slots=True)
class MatchVoided:
    """The host took back the match of a finished room. No rating counts it, but its bots keep their turns."""

    epoch: int
    """The epoch in which the room was paired."""
    room: int
    reason: str


@dataclass(frozen=True, slots=True)
class ChallengeAsked:
    """An owner requested an unrated room. It begins once all owners agreed, its bots are free and it is its turn."""

    owner: Declared
    line_up: tuple[BotName, ...]
    """The bots by seat."""


@dataclass(frozen=True, slots=True)
class ChallengeAnswered:
    """An owner of a challenged bot accepted or declined, or the challenger withdrew."""

    challenge: int
    """The challenge's number, starting at 1."""
    owner: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class ChallengesWelcomed:
    """An owner accepted all future challenges of own bots, or wants to be asked again."""

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
"""The events of a ladder as a whole."""

RoomEvent = RoomPaired | RoomOverran | RoomFinished | RoomVoided | MatchVoided
"""The events of a room."""

ChallengeEvent = ChallengeAsked | ChallengeAnswered | ChallengesWelcomed
"""The events of challenges."""

BotEvent = BotArrived | BotLeft | BotPaused | BotResumed | BotBenched | BotReinstated | BotRetired
"""The events of a single bot that has joined."""

Event = LadderEvent | BotJoined | BotEvent | RoomEvent | ChallengeEvent
