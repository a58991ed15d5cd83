"""Processor time of a seat while nobody answers: `python benchmarks/idle_seats.py RUN_FOLDER [SECONDS]` (Linux).

RUN_FOLDER is any run with a record, for the puzzle. A page asks for news as the browser's does; an agent has joined a
practice table over MCP. Everything that a command starts counts, bots and referee too. Shows the share of one core.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from urllib.request import urlopen

from mcp import Client, StdioServerParameters

SETTLING_SECONDS = 2.0
"""How long a program may be busy after it has asked."""


def used_by_descendants(pid: int) -> float:
    """Returns the seconds of processor time that living descendants of a process have used."""
    parents, used = dict[int, int](), dict[int, float]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        number = int(stat.parent.name)
        parents[number] = int(fields[1])
        used[number] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    family, size = {pid}, 0
    while len(family) > size:
        size = len(family)
        family |= {child for child, parent in parents.items() if parent in family}
    return sum(used[member] for member in family - {pid})


def measure_share(seconds: float) -> float:
    """Returns the share of a core that all programs of this one use from now on."""
    time.sleep(SETTLING_SECONDS)
    before, began = used_by_descendants(os.getpid()), time.monotonic()
    time.sleep(seconds)
    return (used_by_descendants(os.getpid()) - before) / (time.monotonic() - began)


@contextmanager
def running(*words: object) -> Iterator[subprocess.Popen[str]]:
    """Runs `bourre` with a standard input that stays open."""
    command = [sys.executable, "-m", "bourre_referee", *map(str, words)]
    pipe = subprocess.PIPE
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment) as program:
        try:
            yield program
        finally:
            program.terminate()


def page_share(seconds: float, *words: object) -> float:
    """Measures a seat whose page shows a question."""
    with running(*words, "--no-browser") as program:
        assert program.stderr
        address = next(line.split()[-1] for line in program.stderr if line.startswith("Your seat: "))
        asked = Event()
        Thread(target=follow, args=(address, asked), daemon=True).start()
        asked.wait()
        return measure_share(seconds)


def follow(address: str, asked: Event) -> None:
    """Asks for news as often as it gets an answer."""
    version, after = -1, 0
    try:
        while True:
            with urlopen(f"{address}news?version={version}&after={after}") as reply:
                news = json.load(reply)
            version, after = news["version"], news["moments"][-1]["number"] if news["moments"] else after
            if news["question"]:
                asked.set()
    except OSError:
        return  # the seat is closed


def terminal_share(seconds: float, *words: object) -> float:
    """Measures a seat in a terminal that shows a question, where nobody types."""
    with running(*words, "--terminal") as program:
        assert program.stdout
        next(line for line in program.stdout if "Answer with" in line)
        return measure_share(seconds)


async def agent_share(seconds: float) -> float:
    """Measures the seat of an agent that thinks."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "bourre_seats.mcp"], env=dict(os.environ))
    async with Client(command) as client:
        await client.call_tool("join", {})
        return await asyncio.to_thread(measure_share, seconds)


def main() -> None:
    """Prints a line for each kind of seat."""
    run, seconds = Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 30.0
    shares = {
        "play, page": page_share(seconds, "play"),
        "play, terminal": terminal_share(seconds, "play"),
        "puzzle, page": page_share(seconds, "puzzle", run, "1"),
        "puzzle, terminal": terminal_share(seconds, "puzzle", run, "1"),
        "agent over MCP": asyncio.run(agent_share(seconds)),
    }
    for seat, share in shares.items():
        print(f"{seat:18}{share:8.2%} of a core")


if __name__ == "__main__":
    main()
