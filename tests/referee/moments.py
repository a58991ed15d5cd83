"""`bourre` in a process of its own, with rooms that need no bots, which gets a signal at one moment of its run."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bourre_referee.cli import main, standings
from bourre_referee.run_folder.layout import Layout
from bourre_referee.running import begin, run
from bourre_referee.store.store import Store
from tests.referee.rooms import play_room

STEPS: dict[str, tuple[Any, str]] = {
    "seed": (begin, "_master"),
    "manifest": (Layout, "write_manifest"),
    "database": (run, "open_store"),
    "match": (Store, "add"),
    "standings": (run, "standings"),
    "seal": (Store, "seal"),
    "printing": (standings, "print_standings"),
}
"""What a run does, and the function that does it."""


def bourre(moment: str, number: signal.Signals, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs it to its end; a moment is `before STEP` or `after STEP`, and for the n-th time of that: `after STEP n`."""
    command = [sys.executable, "-m", "tests.referee.moments", moment, number.name, *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def signalling(step: Callable[..., object], when: str, nth: int, number: signal.Signals) -> Callable[..., object]:
    """This step, with the signal in front of it or behind it the nth time."""
    times = 0

    def signalled(*words: object, **named: object) -> object:
        nonlocal times
        times += 1
        if times == nth and when == "before":
            os.kill(os.getpid(), number)
        result = step(*words, **named)
        if times == nth and when == "after":
            os.kill(os.getpid(), number)
        return result

    return signalled


def prepare(moment: str, number: signal.Signals) -> None:
    """Makes the signal come at this moment."""
    when, name, *nth = moment.split()
    owner, step = STEPS[name]
    setattr(owner, step, signalling(getattr(owner, step), when, int(nth[0]) if nth else 1, number))
    run.run = partial(run.run, play_room=play_room)


if __name__ == "__main__":
    prepare(sys.argv[1], signal.Signals[sys.argv[2]])
    sys.argv[:] = ["bourre", *sys.argv[3:]]
    main()
