"""`bourre` in a process of its own, which plays without bots, and gets a signal at a given moment of its run."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from bourre_referee.cli import main, standings
from bourre_referee.runner import contest_run as run
from bourre_referee.runner import local_executor
from bourre_referee.runner import start as begin
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.run.folder_location import FolderLocation
from tests.referee.command import called
from tests.referee.contests import write_contest
from tests.referee.in_process import rooms_in_process
from tests.referee.scripted_rooms import ScriptedRooms

STEPS: dict[str, tuple[Any, str]] = {
    "seed": (begin, "_master"),
    "manifest": (FolderLocation, "write_manifest"),
    "database": (run, "open_store"),
    "match": (Store, "add"),
    "standings": (FolderLocation, "write_standings"),
    "seal": (Store, "seal"),
    "printing": (standings, "print_standings"),
}
"""The steps of a run, and the function that does each."""


@dataclass(frozen=True, slots=True)
class Order:
    """A run to play: its moment and signal, the arguments of its command, and the files for its output."""

    moment: str
    number: str
    words: list[str]
    out: str
    err: str


class Nursery:
    """A process that has imported all that `bourre run` needs: each run is a fork of it, and starts at once."""

    def __init__(self, place: Path) -> None:
        self._place = place
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "tests.referee.signal_moments"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    def bourre(self, moment: str, number: signal.Signals, *words: object) -> subprocess.CompletedProcess[str]:
        """Runs it to its end; a moment is `before STEP` or `after STEP`, or with `STEP n` the n-th time."""
        out, err = self._place / "out", self._place / "err"
        order = Order(moment, number.name, list(map(str, words)), str(out), str(err))
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps(asdict(order))}\n".encode())
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        return subprocess.CompletedProcess(order.words, code, out.read_text(), err.read_text())

    def close(self) -> None:
        """Ends it."""
        self._process.communicate()


def serve() -> None:
    """Plays the runs that it reads from standard input, one after another, and reports how each ended."""
    with TemporaryDirectory() as folder, rooms_in_process():  # so that their forks find all imported and built
        called("run", write_contest(Path(folder)), "--out", Path(folder, "run"))
    for line in sys.stdin:
        order = Order(**json.loads(line))
        child = os.fork()
        if not child:
            obey(order)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def obey(order: Order) -> NoReturn:
    """Plays this run, in a process of its own."""
    writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for place, number, flags in ((os.devnull, 0, os.O_RDONLY), (order.out, 1, writing), (order.err, 2, writing)):
        os.dup2(os.open(place, flags), number)
    prepare(order.moment, signal.Signals[order.number])
    sys.argv[:] = ["bourre", *order.words]
    main()
    sys.exit("bourre did not end this process")


def signalling(step: Callable[..., object], when: str, nth: int, number: signal.Signals) -> Callable[..., object]:
    """This step, with the signal before or after it the n-th time."""
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
    local_executor.local_rooms = lambda *_, **__: ScriptedRooms().make


if __name__ == "__main__":
    serve()
