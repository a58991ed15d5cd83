"""The rows of a board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bourre_referee.ladder.board.presence import Presence
from bourre_referee.ratings import Rating


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
