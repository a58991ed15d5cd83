"""The rows of a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise

from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import BotArrived, BotJoined, BotLeft, Event
from bourre_referee.ratings import Rating
from bourre_referee.statistics.games_needed import RatedBot, games_needed, told_apart
from bourre_referee.statistics.stopping_boundary import LEVEL
from bourre_referee.statistics.tied_letters import assign_letters, tied_groups


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
    """A letter for each of its groups. Two entrants share a letter exactly if their ratings are tied."""
    games_to_part: int | None
    """The predicted games that both need to break the tie with the next entrant; 0 if there is no tie."""


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


_Comparison = tuple[RatedBot, RatedBot, float]


class BoardPlaces:
    """Ranks entrants by their scores. It recomputes only the changes since the last call."""

    def __init__(self) -> None:
        self._rated: dict[str, RatedBot] = {}
        self._places: dict[str, BoardPlace] = {}
        self._needed: dict[_Comparison, int | None] = {}

    def of(self, rated: Mapping[str, RatedBot]) -> Mapping[str, BoardPlace]:
        """Returns the places of these entrants, best first. Equal scores are ordered by name.

        If the ratings' model holds, at most 5 % of ladders ever separate any two entrants of equal skill, because the
        level is divided among all pairs.
        """
        if rated != self._rated:
            self._rated = dict(rated)
            self._places = self._rank(sorted(rated, key=lambda entrant: (-rated[entrant].rating.score, entrant)))
        return self._places

    def _rank(self, order: Sequence[str]) -> dict[str, BoardPlace]:
        bots = [self._rated[entrant] for entrant in order]
        level = LEVEL / max(1, len(order) * (len(order) - 1) // 2)
        apart = dict(zip(order, (dict(zip(order, row, strict=True)) for row in told_apart(bots, level)), strict=True))
        letters = assign_letters(order, tied_groups(order, lambda one, other: apart[one][other]))
        needed = [*self._games_needed(bots, level), None]
        return {
            entrant: BoardPlace(rank, tied, games)
            for rank, (entrant, tied, games) in enumerate(zip(order, letters, needed, strict=False), start=1)
        }

    def _games_needed(self, bots: Sequence[RatedBot], level: float) -> list[int | None]:
        """Returns for each bot except the last the games that it needs to break the tie with the next."""
        comparisons = [(one, other, level) for one, other in pairwise(bots)]
        known = self._needed
        self._needed = {each: known[each] if each in known else games_needed(*each) for each in comparisons}
        return [self._needed[each] for each in comparisons]
