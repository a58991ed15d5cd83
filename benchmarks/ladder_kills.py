"""Kills the process that serves a ladder again and again: `python benchmarks/ladder_kills.py [--kills 100]`.

Hosted and remote bots play rooms of two deals in short epochs. Each sitting is killed (SIGKILL) a random moment after
its log has grown by a random number of bytes, and the next one goes on. In the end every epoch is verified, and no room
may be lost, played twice, or void.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_hosted, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import RoomFinished, RoomPaired, RoomVoided
from bourre_referee.runner.invitations import renew_token

EXAMPLES = Path(__file__).parent.parent / "examples"
TERMS = """
[ladder]
name = "kills"
[table]
seats = 3
deals = 2
[rules]
preset = "limit"
[clock]
reconnect_ms = 60000
[isolation]
level = "none"
[listen]
address = "127.0.0.1:{port}"
[epoch]
rooms = 12
[[staff]]
name = "tight"
command = ["python", "tight.py"]
rating = [25.0, 0.5]
[[staff]]
name = "drawer"
command = ["python", "drawer.py"]
"""
HOSTED = ("counter", "loose")
REMOTE = ("follower", "lowest", "random_bot")
MOST_BYTES = 2_000
"""By how much the log grows in a sitting, at most: a line has about 150 bytes."""
MOST_SECONDS = 0.5


def main() -> None:
    """Prints what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = Random(options.seed)
    with TemporaryDirectory() as place:
        ladder, environments = make_ladder(Path(place))
        with remote_bots(environments, Path(place)) as bots:
            began = monotonic()
            for _ in range(options.kills):
                with serving(ladder) as process:
                    wait_for_growth(ladder.log, chance.randint(0, MOST_BYTES))
                    sleep(chance.uniform(0, MOST_SECONDS))
                    process.kill()
            with serving(ladder) as process:
                wait_until_all_played(ladder)
                process.terminate()
            alive = sum(bot.poll() is None for bot in bots)
        print(
            f"{options.kills} kills in {monotonic() - began:.0f} s; {alive} of {len(bots)} remote bots are still there"
        )
        report(ladder)


def make_ladder(place: Path) -> tuple[LadderFolder, dict[str, dict[str, str]]]:
    """Makes a ladder with hosted and remote bots; returns the environment of each remote one."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    terms = place / "ladder.toml"
    terms.write_text(TERMS.format(port=port))
    for bot in ("tight", "drawer"):
        (place / f"{bot}.py").write_bytes((EXAMPLES / f"{bot}.py").read_bytes())
    ladder = new_ladder(place / "ladder", terms)
    for bot in HOSTED:
        add_hosted(ladder, Newcomer(bot), ("python", f"{bot}.py"), (), EXAMPLES)
    environments = {}
    for bot in REMOTE:
        add_remote(ladder, Newcomer(bot))
        token = renew_token(bot, ladder.tokens)
        environments[bot] = {"BOURRE_ADDRESS": f"127.0.0.1:{port}", "BOURRE_TOKEN": token}
    return ladder, environments


@contextmanager
def remote_bots(environments: dict[str, dict[str, str]], logs: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Starts the remote bots once and for all."""
    bots = [
        subprocess.Popen(
            [sys.executable, str(EXAMPLES / f"{bot}.py")],
            env=os.environ | environment,
            stderr=(logs / f"{bot}.log").open("wb"),
        )
        for bot, environment in environments.items()
    ]
    try:
        yield bots
    finally:
        for bot in bots:
            bot.kill()
            bot.wait()


@contextmanager
def serving(ladder: LadderFolder) -> Iterator[subprocess.Popen[bytes]]:
    """Serves the ladder until the block ends or the process does."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bourre_referee", "ladder", "start", str(ladder.path)],
        stderr=(ladder.path.parent / "serve.log").open("ab"),
    )
    try:
        yield process
    finally:
        process.wait()


def wait_for_growth(log: Path, size: int) -> None:
    """Waits until a file has grown by so many bytes."""
    enough = log.stat().st_size + size
    while log.stat().st_size < enough:
        sleep(0.02)


def wait_until_all_played(ladder: LadderFolder) -> None:
    """Waits until two more epochs are closed."""
    log = ladder.open_log()
    log.read_new()
    last = log.state.epoch + 2
    while len(log.state.seasons.epochs) <= last:
        sleep(0.5)
        log.read_new()


def report(ladder: LadderFolder) -> None:
    """Prints the rooms by their fates, and verifies every epoch."""
    log = ladder.open_log()
    events = Counter(type(logged.event) for logged in log.read_new())
    called, finished, void = events[RoomPaired], events[RoomFinished], events[RoomVoided]
    print(f"{called} rooms called, {finished} finished, {void} void, {len(log.state.rooms)} still open")
    games = {bot.name: bot.games for bot in log.state.bots.values()}
    print(f"games: {games}")
    failed = 0
    for epoch in log.state.seasons.epochs:
        words = [sys.executable, "-m", "bourre_referee", "verify", str(ladder.path), "--epoch", str(epoch.number)]
        done = subprocess.run(words, capture_output=True, text=True)
        failed += done.returncode != 0
        if done.returncode:
            print(done.stdout, done.stderr)
    print(f"{len(log.state.seasons.epochs) - failed} of {len(log.state.seasons.epochs)} epochs verified")


if __name__ == "__main__":
    main()
