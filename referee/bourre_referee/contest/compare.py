"""How two bots are compared: a duplicate contest among them and a field, which ends when there is a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bourre.rules.house import HouseRules
from bourre_referee.comparison import Comparison, Judging
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.folder import RunFolder
from bourre_referee.contest.pairing import Pairing, matches_in
from bourre_referee.contest.progress import Progress
from bourre_referee.contest.run import Watch, run
from bourre_referee.contest.stages import match_id
from bourre_referee.errors import Interrupted
from bourre_referee.executors.reports import PlayRoom, play_room
from bourre_referee.spec import Clock
from bourre_referee.stop import Stop

BATCH = 50
"""About how many deals a match has: one looks after each, and starts the bots anew for each of its seatings."""

TABLES = 32


def contest_of(
    bots: Mapping[str, Path], seed: int, deals: int, house: HouseRules, folder: Path, name: str = "compare"
) -> Contest:
    """The contest of these bot files by name, all at one table, with at least so many deals.

    Every bot sits equally often everywhere, in each match (its seatings) and over the matches (their line-ups).
    """
    seats = len(bots)
    rounds = max(1, deals // (BATCH * seats))
    return Contest(
        name=name,
        seed=seed,
        seats=seats,
        deals=-(-deals // (rounds * seats)),
        format="duplicate",
        tables=TABLES,
        stakes=(0,),
        house=house,
        schedule=Pairing(rounds=rounds),
        clock=Clock(),
        max_faults=10,
        entrants=tuple(Entrant(bot, ("python", str(file)), (str(file),)) for bot, file in bots.items()),
        folder=folder,
    )


def schedule_of(contest: Contest) -> list[str]:
    """The ids of its matches, in their order."""
    numbers = range(1, 1 + matches_in(contest.schedule, len(contest.names), contest.seats))
    return [match_id(number) for number in numbers]


def compare(
    contest: Contest,
    folder: Path,
    first: str,
    second: str,
    *,
    jobs: int | None = None,
    watch: Watch = lambda progress: None,
    play_room: PlayRoom = play_room,
    stop: Stop,
) -> Comparison:
    """Plays as much of the contest as it takes, or goes on with it, in its run folder.

    Raises what `contest.run.run` raises; Interrupted only if there was no verdict.
    """
    judge = _Judge(folder, Judging(first, second, schedule_of(contest)), watch, stop)
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
