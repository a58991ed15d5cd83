"""Compares a room of trivial bots with the dealer of the Annual Computer Poker Competition, in C, over TCP.

    .venv/bin/python benchmarks/anchor.py DEALER_FOLDER [--pairs 8] [--hands 2000] [--deals 48] [--seats 3]

The folder holds project_acpc_server, built by its Makefile. Its dealer (-q) plays limit hold'em with three of its own
example players, and logs every hand; then a room of ours plays 64 tables. They take turns, so that a machine whose
speed drifts affects both; the ratio is taken pair by pair. Busy machines slow the dealer more: look at the load.
Decisions of ours include forced plays, which no bot is asked for. For the compiled room, run
`python3 dev.py compile python benchmarks/anchor.py DEALER_FOLDER`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.extent import MANY, SEATS
from bench.room_speed import time_room
from bourre_referee.model.build import name_build

DEALER, PLAYER, GAME = "dealer", "example_player", "holdem.limit.3p.game"
NEEDED = {DEALER: os.X_OK, PLAYER: os.X_OK, GAME: os.R_OK}
"""The files of the dealer, and how they are used."""
PLAYERS = 3
PATIENCE = 600
"""Seconds for a match of the dealer, which waits forever for a player that does not come."""


def main() -> None:
    """Prints a line for each pair, then the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DEALER_FOLDER")
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--hands", type=int, default=2_000, help="of the dealer, of about 17 decisions each")
    parser.add_argument("--deals", type=int, default=48, help="of the room, at each of its 64 tables")
    parser.add_argument("--seats", type=int, default=PLAYERS, choices=range(3, SEATS + 1), help="of the room")
    told = parser.parse_args()
    folder = find_dealer(told.folder)
    print(f"load {os.getloadavg()[0]:.2f}; ours is {name_build()}, decisions/s")
    pairs = []
    for _ in range(told.pairs):
        pairs.append((dealer_rate(folder, told.hands), room_rate(told.deals, told.seats)))
        print_rates("", *pairs[-1], pairs[-1][1] / pairs[-1][0])
    theirs, ours = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    print_rates("medians: ", theirs, ours, statistics.median(our / their for their, our in pairs))
    print(f"load {os.getloadavg()[0]:.2f} at the end")


def print_rates(what: str, theirs: float, ours: float, ratio: float) -> None:
    """Prints one line."""
    print(f"{what}dealer {theirs:,.0f}, our room {ours:,.0f}, ratio {ratio:.2f}", flush=True)


def find_dealer(folder: Path) -> Path:
    """Returns the absolute path of a folder that has all that a match needs; ends the program if it lacks something."""
    if missing := [name for name, use in NEEDED.items() if not os.access(folder / name, use)]:
        sys.exit(
            f"anchor.py: {str(folder)!r} lacks {', '.join(map(repr, missing))}, or they cannot be used\n"
            "hint: run `make dealer example_player` in the folder of project_acpc_server, and name that folder"
        )
    return folder.resolve()


def dealer_rate(folder: Path, hands: int) -> float:
    """Plays a match of the dealer; the time starts when it listens, and the start of its players counts."""
    match = (folder / DEALER, "match", folder / GAME, str(hands), "7", "a", "b", "c", "-q")
    with TemporaryDirectory(prefix="bourre-bench-") as place, ExitStack() as started:
        dealer = subprocess.Popen(match, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.enter_context(dealer)
        started.callback(dealer.kill)
        assert dealer.stdout
        ports = dealer.stdout.readline().split()
        began = time.perf_counter()
        for port in ports:
            player = started.enter_context(subprocess.Popen((folder / PLAYER, folder / GAME, "127.0.0.1", port)))
            started.callback(player.kill)
        try:
            _, errors = dealer.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            sys.exit(f"anchor.py: the dealer did not end in {PATIENCE} seconds\nhint: use less --hands")
        seconds = time.perf_counter() - began
        if dealer.returncode:
            sys.exit(f"anchor.py: the dealer ended with {dealer.returncode}:\n{errors}")
        return decisions_in_log((Path(place) / "match.log").read_text()) / seconds


def decisions_in_log(log: str) -> int:
    """Counts the actions, as in `STATE:0:crrc/cc:8dJd|Td4d|...`."""
    states = (line.split(":") for line in log.splitlines() if line.startswith("STATE:"))
    return sum(sum(map(str.isalpha, state[2])) for state in states)


def room_rate(deals: int, seats: int) -> float:
    """Plays our room at 64 tables, as `benchmarks/wire.py` does."""
    return time_room(deals, MANY, seats=seats).decisions_per_second


if __name__ == "__main__":
    main()
