"""Compare two bots as processes, in a run folder, until there is a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bourre_referee.contest.contest import Contest
from bourre_referee.evaluation.compare.comparison import Comparison, RunningComparison
from bourre_referee.evaluation.compare.comparison_contest import schedule_of
from bourre_referee.model.errors import Interrupted
from bourre_referee.runner.contest_run import Watch, run
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.progress import Progress
from bourre_referee.runner.room_reports import PlayRoom, play_room
from bourre_referee.storage.run_folder import RunFolder


def compare(
    contest: Contest,
    folder: Path,
    first: str,
    second: str,
    *,
    margin: float | None = None,
    jobs: int | None = None,
    watch: Watch = lambda progress: None,
    play_room: PlayRoom = play_room,
    stop: Stop,
) -> Comparison:
    """Play or continue the contest in its run folder until there is a verdict.

    Raises what `runner.contest_run.run` raises; Interrupted only if there is no verdict.
    """
    judge = _StopAtVerdict(folder, RunningComparison(first, second, schedule_of(contest), margin), watch, stop)
    try:
        run(contest, folder, jobs=jobs, watch=judge, play_room=play_room, stop=stop)
    except _DecidedBefore:
        pass
    except Interrupted:
        if not judge.comparison_so_far.decided:
            raise
    return judge.comparison_so_far.comparison


class _DecidedBefore(Exception):
    """The matches of an earlier run are enough: nothing is started."""


@dataclass(frozen=True, slots=True)
class _StopAtVerdict:
    """Watches the contest, and stops it when there is a verdict."""

    folder: Path
    comparison_so_far: RunningComparison
    watch: Watch
    stop: Stop

    def __call__(self, progress: Progress) -> None:
        """Show the progress and judge the new match; the first call judges all matches of an earlier run."""
        self.watch(progress)
        if progress.latest:
            self.comparison_so_far.hear(progress.latest)
            if self.comparison_so_far.decided and progress.done < progress.total:
                self.stop.call_off()
        elif progress.done == progress.resumed > self.comparison_so_far.heard:
            for result in RunFolder.open(self.folder).results():
                self.comparison_so_far.hear(result)
            if self.comparison_so_far.decided:
                raise _DecidedBefore
