"""The progress of a contest, reported after every match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bourre_referee.contest.schedule import Schedule
from bourre_referee.model.results import MatchResult, SeatResult
from bourre_referee.model.spec import Isolation
from bourre_referee.runner.invitations import Invitation
from bourre_referee.runner.room_reports import RemotePresence
from bourre_referee.storage.run.manifest import Seed


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is announced before the first card."""

    seed: Seed
    """The seed's note and commitment."""
    terms: str | None = None
    """The commitment to the terms, in words; None in a run begun by an older version."""
    isolation: Isolation | None = None
    """How the bots are isolated from now on; None if nothing is left to play."""
    schedule: Schedule | None = None
    """The schedule of the current bots."""
    permissions: tuple[str, ...] = ()
    """Sentences about what some bots may do and others not."""
    closed: int = 0
    """How often bots joined or left."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a contest stands. The first report comes before the first card, and only it has an `announcement`."""

    done: int
    """The number of matches done."""
    total: int
    resumed: int
    """How many of the matches done an earlier run had finished."""
    deals: int
    """The deals of the matches done."""
    latest: MatchResult | None
    """The match that has just finished."""
    notices: tuple[str, ...]
    """What went wrong for the first time, one sentence each: faults and reneges of a bot, rooms that failed."""
    announcement: Announcement | None = None
    room_failed: bool = False
    """Whether the notices are about a room that the host failed, not about a bot."""
    attendance: RemotePresence | None = None
    """Which of the bots are here that their authors start; None if there are none."""
    invitations: tuple[Invitation, ...] = ()
    """What authors need to start their bots; reported once, because nothing else holds the tokens."""
    leaders: tuple[str, ...] = ()
    """The best bots so far, rated in the order in which matches ended; the standings ignore that order."""


@dataclass(slots=True)
class FirstNotices:
    """Finds what a bot does wrong for the first time; the standings count the rest."""

    _known: set[tuple[str, str]] = field(default_factory=set)

    def filter_new(self, notices: Iterable[str]) -> tuple[str, ...]:
        """Returns the notices that are new."""
        new = [notice for notice in dict.fromkeys(notices) if ("", notice) not in self._known]
        self._known.update(("", notice) for notice in new)
        return tuple(new)

    def find(self, result: MatchResult) -> tuple[str, ...]:
        """Returns a sentence for each thing that happens for the first time in this match."""
        return tuple(sentence for seat in result.seats for sentence in self._find_in_seat(result.match, seat))

    def _find_in_seat(self, match: str, seat: SeatResult) -> list[str]:
        counts = {"reneged": seat.reneges, "was at fault": seat.faults, "was played by the house": seat.house_deals}
        new = [what for what, count in counts.items() if count and (seat.bot, what) not in self._known]
        self._known.update((seat.bot, what) for what in new)
        return [f"{seat.bot} {what} for the first time in {match}" for what in new]
