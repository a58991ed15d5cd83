"""Measures a listener with TLS: a contest of many remote bots, idle connections, and a crowd of strangers.

    .venv/bin/python benchmarks/remote_bots.py contest [--bots 200]
    .venv/bin/python benchmarks/remote_bots.py idle [--bots 1000] [--seconds 60]
    .venv/bin/python benchmarks/remote_bots.py crowd [--tokens 10000] [--handshakes 5000]

`contest` compares its digest with that of the same bots started by the referee; `idle` gives memory and processor time
for each connection; `crowd` gives the time charged for a decision without and with strangers at the gate.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from statistics import median

from remote_clients import certificate, clients, enter

from bourre.bot import Bot
from bourre.connection.channel import Tls
from bourre.connection.client import ClientRefused, play
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest_file import load
from bourre_referee.model.listener_spec import Listen, ListenerSpec, TlsFiles
from bourre_referee.model.spec import BotEntry, Clock, MatchSpec, PlacedRoom
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.invitations import invite
from bourre_referee.runner.progress import Progress
from bourre_referee.runner.remote_process import ListenerProcess
from bourre_referee.runner.remote_worker import BotChanged, RemoteRoomAnswer
from bourre_referee.runner.worker import Played

SEATS = 5
PATIENT = Clock(start_ms=60_000, decision_ms=60_000, connect_ms=600_000, reconnect_ms=60_000)
BOT = 'from bourre import Bot, run\nif __name__ == "__main__":\n    run(Bot)\n'
HEAD = """\
[contest]
name = "remote"
seed = 7
[table]
seats = {seats}
deals = 4
fresh = false
[schedule]
kind = "line-ups"
line_ups = {line_ups}
[clock]
start_ms = 60000
decision_ms = 60000
[isolation]
level = "none"
"""


def main() -> None:
    """Takes the measurement that the first word names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["contest", "idle", "crowd", "strangers"])
    parser.add_argument("--bots", type=int)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--tokens", type=int, default=10_000)
    parser.add_argument("--handshakes", type=int, default=5_000)
    parser.add_argument("--address", default="")
    parser.add_argument("--ca", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        match options.what:
            case "contest":
                measure_contest(options.bots or 200, folder)
            case "idle":
                measure_idle(options.bots or 1000, options.seconds, folder)
            case "crowd":
                measure_crowd(options.bots or 20, options.tokens, options.handshakes, folder)
            case "strangers":
                asyncio.run(_crowd(options.address, options.ca, options.tokens, options.handshakes))


def measure_contest(bots: int, folder: Path) -> None:
    """Plays the same contest with remote bots and with local ones."""
    names = [f"bot{number:03}" for number in range(bots)]
    tls = certificate(folder)
    began = time.perf_counter()
    with clients(tls.cert) as processes:

        def watch(progress: Progress) -> None:
            for number, invitation in enumerate(progress.invitations):
                enter(processes, number, invitation.settings["BOURRE_ADDRESS"], invitation.token)

        contest = replace(load(_write(folder, names, "connect = true")), listen=Listen("localhost:0", tls))
        remote = run(contest, folder / "remote", watch=watch).manifest.digest
        ends = [client.communicate()[0] for client in processes]
    print(f"{bots} remote bots   {time.perf_counter() - began:.0f} s, {sum(map(len, ends))} bytes of complaints")
    began = time.perf_counter()
    local = run(load(_write(folder, names, 'command = ["python", "bot.py"]')), folder / "local").manifest.digest
    print(f"{bots} local bots    {time.perf_counter() - began:.0f} s")
    print(f"digest           {'equal' if remote == local else 'DIFFERENT'} {remote}")


def measure_idle(bots: int, seconds: float, folder: Path) -> None:
    """Holds idle connections, and reads what the listener's process uses."""
    names = [f"bot{number:04}" for number in range(bots)]
    with _listener(names, folder) as (listener, tokens, tls):
        process = listener.process
        before = _kib(process)
        with clients(tls.cert) as processes:
            for number, bot in enumerate(names):
                enter(processes, number, listener.listen.address, tokens[bot])
            _await_all(listener, bots)
            used, since = _cpu_seconds(process), time.perf_counter()
            time.sleep(seconds)
            share = (_cpu_seconds(process) - used) / (time.perf_counter() - since)
            print(f"{bots} idle connections: {(_kib(process) - before) / bots:.1f} KiB each,", end=" ")
            print(f"{share / bots:.4%} of a core each, {share:.2%} in all")


def measure_crowd(bots: int, tokens: int, handshakes: int, folder: Path) -> None:
    """Plays rooms without and with a crowd at the gate, in turns."""
    names = [f"bot{number:02}" for number in range(bots)]
    with _listener(names, folder) as (listener, known, tls), clients(tls.cert) as processes:
        for number, bot in enumerate(names):
            enter(processes, number, listener.listen.address, known[bot])
        _await_all(listener, bots)
        calm = _play_rooms(listener, names, 1, folder)
        nice = ["nice", "-n", "19"]  # in life the crowd has machines of its own
        command = [
            *nice,
            sys.executable,
            __file__,
            "strangers",
            "--address",
            listener.listen.address,
            "--ca",
            str(tls.cert),
        ]
        crowd = subprocess.Popen([*command, "--tokens", str(tokens), "--handshakes", str(handshakes)])
        crowded: list[float] = []
        turn = 1
        while crowd.poll() is None:
            turn += 1
            crowded += _play_rooms(listener, names, turn, folder)
        after = _play_rooms(listener, names, turn + 1, folder)
    for label, times in (("before", calm), ("with the crowd", crowded), ("after", after)):
        print(f"{label:16} {median(times):.3f} ms charged for a decision (median over {len(times)} seats)")


def _play_rooms(listener: ListenerProcess, names: Sequence[str], turn: int, folder: Path) -> list[float]:
    """Plays a match of each five bots at once; returns the milliseconds charged for a decision, by seat."""
    groups = [names[first : first + SEATS] for first in range(0, len(names), SEATS)]
    for number, group in enumerate(groups):
        match = MatchSpec("m0001", tuple(group), HouseRules.preset("limit"), 40, bytes([turn % 256, number]) * 16)
        entries = tuple(BotEntry(bot, None, folder) for bot in group)
        listener.give(
            PlacedRoom(
                room=f"r{turn}-{number}",
                entries=entries,
                matches=(match,),
                tables=1,
                clock=PATIENT,
                max_faults=10,
                logs=folder,
            )
        )
    found: list[float] = []
    left = len(groups)
    while left:
        answer = listener.answer()
        if isinstance(answer, RemoteRoomAnswer):
            assert isinstance(answer.answer, Played), answer.answer
            left -= 1
            for outcome in answer.answer.outcomes:
                assert not outcome.faults, outcome.faults
                found += [timing.total_ms / timing.decisions for timing in outcome.timings if timing.decisions]
    return found


async def _crowd(address: str, ca: Path, tokens: int, handshakes: int) -> None:
    """Comes with wrong tokens, and begins handshakes that never end, from another address than the bots'."""
    tls, host, port = Tls(ca.read_bytes()), *address.split(":")
    at_once = asyncio.Semaphore(32)

    async def guess(number: int) -> None:
        async with at_once:
            with suppress(ClientRefused):
                await play(Bot, address, f"wrong {number}", tls=tls)

    async def linger() -> None:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(host, int(port), local_addr=("127.0.0.2", 0))
            writer.write(b"\x16\x03\x01\x02\x00\x01")  # the beginning of a ClientHello
            await reader.read()
            writer.close()

    began = time.perf_counter()
    lingering = [asyncio.create_task(linger()) for _ in range(handshakes)]
    await asyncio.gather(*(guess(number) for number in range(tokens)))
    took = time.perf_counter() - began
    for task in lingering:
        task.cancel()
    print(f"{tokens} wrong tokens and {handshakes} half-open handshakes in {took:.0f} s")


@contextmanager
def _listener(names: Sequence[str], folder: Path) -> Iterator[tuple[ListenerProcess, dict[str, str], TlsFiles]]:
    tokens, tls = invite(names, folder / "tokens.json"), certificate(folder)
    spec = ListenerSpec("benchmark", tuple(names), PATIENT, Listen("localhost:0", tls), folder / "tokens.json")
    with ListenerProcess(spec, {}) as listener:
        yield listener, tokens, tls


def _await_all(listener: ListenerProcess, bots: int) -> None:
    while len(listener.here) < bots:
        said = listener.answer()
        assert isinstance(said, BotChanged), said


def _write(folder: Path, names: Sequence[str], entry: str) -> Path:
    (folder / "bot.py").write_text(BOT)
    line_ups = [list(names[first : first + SEATS]) for first in range(0, len(names), SEATS)]
    head = HEAD.format(seats=SEATS, line_ups=json.dumps(line_ups))
    path = folder / "contest.toml"
    path.write_text(head + "".join(f'[[bots]]\nname = "{name}"\n{entry}\n' for name in names))
    return path


def _kib(process: int) -> int:
    """Private and shared memory that a process holds, in KiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
