"""Two bots compared by processes, in a run folder: what is played ends when there is a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bourre_referee.contest.contest import Contest
from bourre_referee.evaluation.compare.comparison import Comparison, Judging
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
    """Plays as much of the contest as it takes, or goes on with it, in its run folder.

    Raises what `running.run.run` raises; Interrupted only if there was no verdict.
    """
    judge = _Judge(folder, Judging(first, second, schedule_of(contest), margin), watch, stop)
    try:
        run(contest, folder, jobs=jobs, watch=judge, play_room=play_room, stop=stop)
    except _DecidedBefore:
        pass
    except Interrupted:
        if not judge.judging.decided:
            raise
    return judge.judging.comparison


class _DecidedBefore(Exception):
    """What an earlier run had finished is enough: nothing is started."""


@dataclass(frozen=True, slots=True)
class _Judge:
    """Watches the contest, and calls it off when there is a verdict."""

    folder: Path
    judging: Judging
    watch: Watch
    stop: Stop

    def __call__(self, progress: Progress) -> None:
        """Shows it, and judges what is new; what an earlier run had finished comes with the first of all calls."""
        self.watch(progress)
        if progress.latest:
            self.judging.hear(progress.latest)
            if self.judging.decided and progress.done < progress.total:
                self.stop.call_off()
        elif progress.done == progress.resumed > self.judging.heard:
            for result in RunFolder.open(self.folder).results():
                self.judging.hear(result)
            if self.judging.decided:
                raise _DecidedBefore
