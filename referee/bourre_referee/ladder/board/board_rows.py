"""The rows of a board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import BotArrived, BotJoined, BotLeft, Event
from bourre_referee.ratings import Rating
from bourre_referee.statistics.tied_letters import bracket_columns


class Presence(StrEnum):
    """The presence of an entrant."""

    PLAYING = "playing"
    WAITING = "waiting"
    PAUSED = "paused"
    BENCHED = "benched"
    AWAY = "away"
    RETIRED = "retired"


def presence_of(entrant: LadderEntrant) -> Presence:
    """Returns the presence of an entrant. Of several reasons why it does not wait, the longest-lasting counts."""
    if entrant.retired:
        return Presence.RETIRED
    if entrant.benched is not None:
        return Presence.BENCHED
    if entrant.paused:
        return Presence.PAUSED
    if entrant.room is not None:
        return Presence.PLAYING
    return Presence.WAITING if entrant.present else Presence.AWAY


class LastSeen:
    """The time at which each bot was last present."""

    def __init__(self) -> None:
        self._times: dict[str, datetime] = {}

    def note(self, event: Event, at: datetime) -> None:
        """Applies an event of the log and its time."""
        if isinstance(event, BotJoined | BotArrived | BotLeft):
            self._times[event.bot] = at

    def of(self, entrant: LadderEntrant, now: datetime) -> datetime:
        """Returns when this entrant's bot was last present, which is now if it still is. Raises KeyError if unknown."""
        return now if entrant.present else self._times[entrant.bot]


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """The place of a ranked entrant."""

    rank: int
    """1 is best."""
    tied: str
    """A letter for each of its brackets, as in `BoardRows.ties`."""
    games_to_part: int | None
    """The predicted games that both need to break the tie with the next entrant. 0: no tie. None: unknown."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """The row of one entrant."""

    entrant: str
    bot: str
    version: str
    """The version that its owner declared."""
    owner: str
    is_staff: bool
    place: BoardPlace | None
    """None if it is not ranked."""
    rating: Rating
    change: float | None
    """The change of its score since the epoch began; None if it had no score then."""
    games: int
    chips_per_deal: float
    fault_share: float
    """The share of its games with a fault, from 0 to 1."""
    presence: Presence
    room: int | None
    """The room in which it plays."""
    last_seen: datetime | None
    """None for an old version."""


@dataclass(frozen=True, slots=True)
class BoardRows:
    """The rows of all bots of a clock class that have not retired."""

    ranked: tuple[BoardRow, ...]
    """Best first, by mu - 3 sigma."""
    new: tuple[BoardRow, ...]
    """Bots without a rated game, by name."""
    unseen: tuple[BoardRow, ...]
    """Bots that were absent for too long, best first."""
    ties: tuple[tuple[str, ...], ...] | None = None
    """Brackets of ranked neighbours that are not told apart, by entrant. None on boards of older versions."""
    too_few: tuple[str, ...] = ()
    """The ranked entrants with too few games to tell them apart. They are in no bracket."""

    def bracket_columns(self) -> list[tuple[str, ...]]:
        """Returns the part of each bracket in each ranked row."""
        return bracket_columns([row.entrant for row in self.ranked], self.ties or ())
