"""Reports the progress of a contest to whoever watches it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bourre_referee.model.results import MatchResult, SeatResult, Turnout
from bourre_referee.runner.invitations import Invitation
from bourre_referee.runner.live_leaders import LiveLeaders
from bourre_referee.runner.progress import Announcement, Progress, Watch
from bourre_referee.runner.room_reports import RemotePresence
from bourre_referee.runner.start import RunStart
from bourre_referee.storage.run.permission_lines import permission_lines
from bourre_referee.storage.run.run import terms_in_words
from bourre_referee.storage.run.run_writer import RunWriter

LEADERS = 3
"""The number of leaders in a progress report."""


class ProgressReporter:
    """Counts matches as they finish, and reports each event once."""

    def __init__(self, watch: Watch, start: RunStart, run: RunWriter, stored: Iterable[MatchResult]) -> None:
        self._watch = watch
        self._start = start
        self._run = run
        self._first_notices = FirstNotices()
        self._live = LiveLeaders(start.manifest.bots, start.manifest.anchors, start.manifest.rating_version)
        self._turnout = Turnout()
        self._presence: RemotePresence | None = None
        self._done = 0
        for result in stored:
            self._count(result)
        self._resumed = self._done

    def announce(self) -> None:
        """Reports the contest before the first card."""
        manifest = self._run.manifest
        self._report(
            announcement=Announcement(
                manifest.seed,
                terms_in_words(manifest),
                self._start.isolation,
                self._start.schedule,
                tuple(permission_lines(manifest)),
                closed=len(manifest.closed),
            )
        )

    def invite(self, presence: RemotePresence, notices: tuple[str, ...], invitations: tuple[Invitation, ...]) -> None:
        """Reports that remote bots can connect."""
        self._presence = presence
        self._report(notices=notices, invitations=invitations)

    def note_presence(self, presence: RemotePresence) -> None:
        """Reports that a remote bot came or went."""
        self._presence = presence
        self._report()
        self._presence = replace(presence, change="")

    def tell(self, *notices: str, room_failed: bool = False) -> None:
        """Reports these sentences, which are about a failure of the host if a room failed."""
        self._report(notices=notices, room_failed=room_failed)

    def tell_new(self, notices: Iterable[str]) -> None:
        """Reports those of these sentences that were not reported before."""
        if new := self._first_notices.filter_new(notices):
            self.tell(*new)

    def show(self, result: MatchResult) -> None:
        """Reports a finished match that was counted before, whose luck is known now."""
        self._report(result)

    def finish(self, result: MatchResult) -> None:
        """Counts and reports a match that just finished."""
        self._count(result)
        self._report(result, self._first_notices.find(result))

    def _count(self, result: MatchResult) -> None:
        self._done += 1
        self._live.add(result)
        self._turnout.add(result)

    def _report(
        self,
        latest: MatchResult | None = None,
        notices: tuple[str, ...] = (),
        announcement: Announcement | None = None,
        room_failed: bool = False,
        invitations: tuple[Invitation, ...] = (),
    ) -> None:
        manifest = self._run.manifest
        self._watch(
            Progress(
                done=self._done,
                total=manifest.matches,
                resumed=self._resumed,
                deals=self._done * manifest.terms.deals,
                latest=latest,
                notices=notices,
                announcement=announcement,
                room_failed=room_failed,
                presence=self._presence,
                invitations=invitations,
                leaders=lambda: self._live.first(LEADERS, self._turnout.no_shows),
            )
        )


@dataclass(slots=True)
class FirstNotices:
    """Finds each bot's first faults and reneges. The standings count the rest."""

    _known: set[tuple[str, str]] = field(default_factory=set)

    def filter_new(self, notices: Iterable[str]) -> tuple[str, ...]:
        """Returns the notices that are new."""
        new = [notice for notice in dict.fromkeys(notices) if ("", notice) not in self._known]
        self._known.update(("", notice) for notice in new)
        return tuple(new)

    def find(self, result: MatchResult) -> tuple[str, ...]:
        """Returns a sentence for each first fault or renege in this match."""
        return tuple(sentence for seat in result.seats for sentence in self._find_in_seat(result.match, seat))

    def _find_in_seat(self, match: str, seat: SeatResult) -> list[str]:
        if not (seat.reneges or seat.faults or seat.house_deals):
            return []
        counts = {"reneged": seat.reneges, "was at fault": seat.faults, "was played by the stand-in": seat.house_deals}
        new = [what for what, count in counts.items() if count and (seat.bot, what) not in self._known]
        self._known.update((seat.bot, what) for what in new)
        return [f"{seat.bot} {what} for the first time in {match}" for what in new]
