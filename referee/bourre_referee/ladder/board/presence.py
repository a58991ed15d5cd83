"""Where an entrant is now, and when it was last seen; the times are the host's word."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.ladder.log.events import BotArrived, BotJoined, BotLeft, Event


class Presence(StrEnum):
    """Where an entrant is."""

    PLAYING = "playing"
    WAITING = "waiting"
    PAUSED = "paused"
    BENCHED = "benched"
    AWAY = "away"
    RETIRED = "retired"


def presence_of(entrant: Entrant) -> Presence:
    """Returns where an entrant is; of several reasons why it does not wait, the one that lasts longest."""
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
    """When each bot was last there."""

    def __init__(self) -> None:
        self._times: dict[str, datetime] = {}

    def note(self, event: Event, at: datetime) -> None:
        """Takes in an event of the log and its time."""
        if isinstance(event, BotJoined | BotArrived | BotLeft):
            self._times[event.bot] = at

    def of(self, entrant: Entrant, now: datetime) -> datetime:
        """Returns when the bot of this entrant was last there: now, if it still is. Raises KeyError if unknown."""
        return now if entrant.present else self._times[entrant.bot]
