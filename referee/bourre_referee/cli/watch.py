"""Messages while a contest plays: the seed before the first card, progress, the first problem of each kind."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import TextIO

from rich.console import Console

from bourre_referee.cli.progress_meter import Stopwatch, meter
from bourre_referee.cli.standings_tables import isolation_in_words
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.schedule.round_robin import balance_lines
from bourre_referee.runner.invitations import Invitation
from bourre_referee.runner.progress import Announcement, Progress
from bourre_referee.storage.run.run import seed_in_words
from bourre_referee.storage.run.run_location import RunLocation


class Watch:
    """Shows the progress of one contest inside a `with` block."""

    def __init__(
        self,
        contest: Contest,
        run_folder: Path | RunLocation | None,
        console: Console,
        stopwatch: Stopwatch,
        publish: TextIO | None = None,
        progress: bool = True,
        verbose: bool = False,
    ) -> None:
        """Takes the run folder, None if it is temporary, and the stream that publishes the commitment to a secret seed.

        Without `publish` the commitment goes to stderr. Without `progress` only messages are printed. `verbose` adds
        the hash of the terms, and how balanced the schedule is.
        """
        self._contest = contest
        self._publish = publish
        self._verbose = verbose
        self.played = 0
        """How many matches this run has played."""
        self._run_folder = run_folder
        self._meter = meter(console, stopwatch, progress=progress)

    def __enter__(self) -> Watch:
        self._meter.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._meter.__exit__(kind, error, at)

    def say(self, text: str) -> None:
        """Shows a message beside the progress."""
        self._meter.say(text)

    def __call__(self, progress: Progress) -> None:
        """Shows how far the contest is."""
        self.played = progress.done - progress.resumed
        if progress.announcement:
            self._announce(progress, progress.announcement)
        for invitation in progress.invitations:
            self._meter.say(_invitation_in_words(invitation))
        for notice in progress.notices:
            self._meter.say(f"{notice}{self._where(progress)}")
        self._meter.show(progress)

    def _was_published(self, committed: str) -> bool:
        """Publishes a hash, if there is a stream for it; a run goes on although nobody reads that one any more."""
        if self._publish is None:
            return False
        try:
            print(committed, file=self._publish, flush=True)
        except OSError:
            return False
        return True

    def _where(self, progress: Progress) -> str:
        """Returns the command that shows the match; empty if the run folder is temporary."""
        if self._run_folder is None or progress.latest is None:
            return ""
        return f" (bourre replay {quote(str(self._run_folder))} {progress.latest.match})"

    def _announce(self, progress: Progress, announcement: Announcement) -> None:
        contest = self._contest
        size = (
            f"{len(contest.names)} bots, {progress.total} matches of {contest.deals} deals at tables of {contest.seats}"
        )
        where = f". Results: {self._run_folder}" if self._run_folder else ". Nothing is kept."
        self._meter.say(f"{contest.name}: {size}{where}")
        # With a practice seed everyone knows the cards, so the hash of the terms proves nothing to anyone.
        committed = announcement.terms if contest.seed is None or self._verbose else None
        for line in filter(None, (seed_in_words(contest.seed, announcement.seed), committed)):
            if contest.seed is not None or not self._was_published(line):
                self._meter.say(line)
        if self._verbose and announcement.schedule:
            for line in balance_lines(announcement.schedule):
                self._meter.say(line)
        if announcement.closed:
            self._meter.say(f"stage {announcement.closed + 1}: bots joined or left. Earlier matches are kept.")
        if announcement.isolation:
            self._meter.say(isolation_in_words(announcement.isolation))
        for line in announcement.permissions:
            self._meter.say(line)
        if progress.done == progress.total:
            self._meter.say("All matches were played before.\nhint: to play them again, set another folder with --out")
        elif progress.resumed:
            self._meter.say(f"resumed: {progress.resumed} of {progress.total} matches were finished before")


def _invitation_in_words(invitation: Invitation) -> str:
    """Returns what the author of a remote bot needs, or who has it already."""
    if invitation.token:
        return f"waiting for {invitation.bot}: start it with {invitation.environment}"
    address = invitation.settings["BOURRE_ADDRESS"]
    return f"waiting for {invitation.bot} at {address}: its token was shown when it was invited"
