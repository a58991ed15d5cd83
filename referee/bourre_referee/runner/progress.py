"""The progress of a contest, reported after every match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bourre_referee.contest.schedule import Schedule
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import Isolation
from bourre_referee.runner.invitations import Invitation
from bourre_referee.runner.room_reports import RemotePresence
from bourre_referee.storage.run.manifest import Seed


@dataclass(frozen=True, slots=True)
class Announcement:
    """The announcement before the first card."""

    seed: Seed
    """The seed's note and commitment."""
    terms: str | None = None
    """The commitment to the terms, in words; None in a run of an older version."""
    isolation: Isolation | None = None
    """The bots' isolation; None if no matches are left."""
    schedule: Schedule | None = None
    """The schedule of the current bots."""
    permissions: tuple[str, ...] = ()
    """Sentences about bots with special permissions."""
    closed: int = 0
    """How often bots joined or left."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a contest. Only the first report, before the first card, has an `announcement`."""

    done: int
    """The number of finished matches."""
    total: int
    resumed: int
    """How many of them an earlier run finished."""
    deals: int
    """The number of deals in them."""
    latest: MatchResult | None
    """The match that just finished."""
    notices: tuple[str, ...]
    """A sentence for each first fault and renege of a bot, and for each room that failed."""
    announcement: Announcement | None = None
    room_failed: bool = False
    """Whether the notices are about a failure of the host, not of a bot."""
    presence: RemotePresence | None = None
    """Which remote bots are connected; None in a contest without remote bots."""
    invitations: tuple[Invitation, ...] = ()
    """Settings for authors, reported once, because only they contain the tokens."""
    leaders: Callable[[], tuple[str, ...]] = tuple
    """Rates the best bots so far, if some seconds have passed since it last did."""


Watch = Callable[[Progress], None]
