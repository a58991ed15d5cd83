"""A program that plays a contest in a database, and waits in one of its rooms until it is told to go on."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from bourre.rules.errors import BourreError
from bourre_referee.contest.contest_file import load
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.run.run_location import place_in_database
from tests.referee.rooms import play_when_told
from tests.referee.scripted_rooms import ScriptedRooms


def start(folder: Path, url: str, room: str) -> subprocess.Popen[str]:
    """Starts it: it plays `folder/contest/contest.toml`, and waits in this room for the pipe `folder/pipe`."""
    command = [sys.executable, "-m", "tests.referee.leading_program", str(folder), url, room]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def read_until(program: subprocess.Popen[str], words: str) -> str:
    """Reads what it prints up to a line with these words, and returns that line."""
    assert program.stdout is not None
    lines = []
    for line in program.stdout:
        lines.append(line)
        if words in line:
            return line
    raise AssertionError(f"{words!r} never came: {''.join(lines)}")


def main(folder: Path, url: str, room: str) -> None:
    """Prints how many matches are finished, what it waits for, and how it ended."""
    contest = load(folder / "contest" / "contest.toml")
    place = place_in_database(url, contest.name, folder / f"logs of {os.getpid()}")

    def watch(progress: Progress) -> None:
        print(f"done {progress.done}", flush=True)

    def tell(text: str) -> None:
        print(f"told: {text}", flush=True)

    try:
        with Stop() as stop:
            play_room = partial(play_when_told, folder / "pipe", room)
            run(contest, place, watch=watch, tell=tell, executor=ScriptedRooms(play_room).make, stop=stop)
            print("ended", flush=True)
    except BourreError as error:
        print(f"{type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
