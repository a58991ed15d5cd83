"""A program that plays a contest with one worker, and stays in one of its rooms until it is stopped."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from bourre.rules.deck import master_seed
from bourre.rules.errors import BourreError
from bourre_referee.contest.contest_file import load
from bourre_referee.contest.contest_plan import plan
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.room_reports import RoomLost, RoomPlayed
from tests.referee.local_play import play
from tests.referee.rooms import play_or_wait

ROOM = "m0005"


def start(what: str, folder: Path) -> subprocess.Popen[str]:
    """Starts it in a process group of its own; it stays in that room until the pipe `folder/pipe` is read."""
    command = [sys.executable, "-m", "tests.referee.contest_program", what, str(folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, process_group=0
    )


def main(what: str, folder: Path) -> None:
    """Plays `folder/contest/contest.toml`: its `rooms` alone, or a whole `run` in `folder/run`."""
    contest = load(folder / "contest" / "contest.toml")
    play_room = partial(play_or_wait, folder / "pipe", ROOM)
    try:
        if what == "rooms":
            for report in play(plan(contest, master_seed(7)), 1, play_room):
                assert isinstance(report, RoomPlayed | RoomLost)
                print(report.room.room, flush=True)
        else:
            with Stop() as stop:
                run(contest, folder / "run", jobs=1, play_room=play_room, stop=stop)
    except (BourreError, KeyboardInterrupt) as error:
        print(f"{type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
