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
    """Where an entrant is."""

    PLAYING = "playing"
    WAITING = "waiting"
    PAUSED = "paused"
    BENCHED = "benched"
    AWAY = "away"
    RETIRED = "retired"


def presence_of(entrant: LadderEntrant) -> Presence:
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

    def of(self, entrant: LadderEntrant, now: datetime) -> datetime:
        """Returns when the bot of this entrant was last there: now, if it still is. Raises KeyError if unknown."""
        return now if entrant.present else self._times[entrant.bot]


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Where an entrant stands among those that are ranked."""

    rank: int
    """1 is best."""
    tied: str
    """A letter for each of its tied groups: two entrants share one exactly if their ratings do not tell them apart."""
    games_to_part: int | None
    """How many more games of both would tell it from the next entrant, as a prediction; 0 if they are told apart."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """The row of one entrant."""

    entrant: str
    bot: str
    version: str
    """As its owner declared it."""
    owner: str
    is_staff: bool
    place: BoardPlace | None
    """None if it is not ranked."""
    rating: Rating
    change: float | None
    """By how much its score has changed since the epoch began; None if it had none then."""
    games: int
    chips_per_deal: float
    fault_share: float
    """The share of its games in which it made a fault, from 0 to 1."""
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
    """Bots that were not seen for too long, best first."""


_Comparison = tuple[RatedBot, RatedBot, float]


class BoardPlaces:
    """Ranks entrants by their scores; computes anew only what has changed since it was last asked."""

    def __init__(self) -> None:
        self._rated: dict[str, RatedBot] = {}
        self._places: dict[str, BoardPlace] = {}
        self._needed: dict[_Comparison, int | None] = {}

    def of(self, rated: Mapping[str, RatedBot]) -> Mapping[str, BoardPlace]:
        """Returns the places of these entrants, best first; equal scores are ordered by name.

        At most 5 in 100 ladders ever tell any two entrants of equal skill apart, as far as the ratings' model holds:
        the level is divided among all pairs.
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
        """Returns for each bot but the last the games that would tell it from the next."""
        comparisons = [(one, other, level) for one, other in pairwise(bots)]
        known = self._needed
        self._needed = {each: known[each] if each in known else games_needed(*each) for each in comparisons}
        return [self._needed[each] for each in comparisons]
