"""Measures a door with TLS: a contest of many remote bots, idle connections, and a crowd of strangers.

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
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from statistics import median

from bourre.bot import Bot
from bourre.channel import Tls
from bourre.client import Refused, play
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest_file import load
from bourre_referee.model.door_spec import DoorSpec, Listen, TlsFiles
from bourre_referee.model.spec import Clock, Entry, MatchSpec, RoomSpec
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.door_process import DoorProcess
from bourre_referee.runner.door_worker import BotChanged, RoomAnswer
from bourre_referee.runner.invitations import invite
from bourre_referee.runner.progress import Progress
from bourre_referee.runner.worker import Played

PROCESSES = 4
"""How many processes the bots share."""
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
    """Take the measurement that the first word names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["contest", "idle", "crowd", "clients", "strangers"])
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
            case "clients":
                asyncio.run(_serve_clients(options.ca))
            case "strangers":
                asyncio.run(_crowd(options.address, options.ca, options.tokens, options.handshakes))


def measure_contest(bots: int, folder: Path) -> None:
    """Play the same contest with remote bots and with local ones."""
    names = [f"bot{number:03}" for number in range(bots)]
    tls = _certificate(folder)
    began = time.perf_counter()
    with _clients(tls) as clients:

        def watch(progress: Progress) -> None:
            for number, invitation in enumerate(progress.invitations):
                _start(clients[number % PROCESSES], invitation.settings["BOURRE_ADDRESS"], invitation.token)

        contest = replace(load(_write(folder, names, "connect = true")), listen=Listen("localhost:0", tls))
        remote = run(contest, folder / "remote", watch=watch).manifest.digest
        ends = [clients[each].communicate()[0] for each in range(PROCESSES)]
    print(f"{bots} remote bots   {time.perf_counter() - began:.0f} s, {sum(map(len, ends))} bytes of complaints")
    began = time.perf_counter()
    local = run(load(_write(folder, names, 'command = ["python", "bot.py"]')), folder / "local").manifest.digest
    print(f"{bots} local bots    {time.perf_counter() - began:.0f} s")
    print(f"digest           {'equal' if remote == local else 'DIFFERENT'} {remote}")


def measure_idle(bots: int, seconds: float, folder: Path) -> None:
    """Hold idle connections, and read what the door's process uses."""
    names = [f"bot{number:04}" for number in range(bots)]
    with _door(names, folder) as (door, tokens, tls):
        process = door.process
        before = _kib(process)
        with _clients(tls) as clients:
            for number, bot in enumerate(names):
                _start(clients[number % PROCESSES], door.listen.address, tokens[bot])
            _await_all(door, bots)
            used, since = _cpu_seconds(process), time.perf_counter()
            time.sleep(seconds)
            share = (_cpu_seconds(process) - used) / (time.perf_counter() - since)
            print(f"{bots} idle connections: {(_kib(process) - before) / bots:.1f} KiB each,", end=" ")
            print(f"{share / bots:.4%} of a core each, {share:.2%} in all")


def measure_crowd(bots: int, tokens: int, handshakes: int, folder: Path) -> None:
    """Play rooms without and with a crowd at the gate, in turns."""
    names = [f"bot{number:02}" for number in range(bots)]
    with _door(names, folder) as (door, known, tls), _clients(tls) as clients:
        for number, bot in enumerate(names):
            _start(clients[number % PROCESSES], door.listen.address, known[bot])
        _await_all(door, bots)
        calm = _play_rooms(door, names, 1, folder)
        nice = ["nice", "-n", "19"]  # in life the crowd has machines of its own
        command = [
            *nice,
            sys.executable,
            __file__,
            "strangers",
            "--address",
            door.listen.address,
            "--ca",
            str(tls.cert),
        ]
        crowd = subprocess.Popen([*command, "--tokens", str(tokens), "--handshakes", str(handshakes)])
        crowded: list[float] = []
        turn = 1
        while crowd.poll() is None:
            turn += 1
            crowded += _play_rooms(door, names, turn, folder)
        after = _play_rooms(door, names, turn + 1, folder)
    for label, times in (("before", calm), ("with the crowd", crowded), ("after", after)):
        print(f"{label:16} {median(times):.3f} ms charged for a decision (median over {len(times)} seats)")


def _play_rooms(door: DoorProcess, names: Sequence[str], turn: int, folder: Path) -> list[float]:
    """Play a match of each five bots at once; returns the milliseconds charged for a decision, by seat."""
    groups = [names[first : first + SEATS] for first in range(0, len(names), SEATS)]
    for number, group in enumerate(groups):
        match = MatchSpec("m0001", tuple(group), HouseRules.preset("limit"), 40, bytes([turn % 256, number]) * 16)
        entries = tuple(Entry(bot, None, folder) for bot in group)
        door.give(RoomSpec(f"r{turn}-{number}", entries, (match,), 1, PATIENT, 10, folder))
    found: list[float] = []
    left = len(groups)
    while left:
        answer = door.answer()
        if isinstance(answer, RoomAnswer):
            assert isinstance(answer.answer, Played), answer.answer
            left -= 1
            for outcome in answer.answer.outcomes:
                assert not outcome.faults, outcome.faults
                found += [timing.total_ms / timing.decisions for timing in outcome.timings if timing.decisions]
    return found


async def _crowd(address: str, ca: Path, tokens: int, handshakes: int) -> None:
    """Come with wrong tokens, and begin handshakes that never end, from another address than the bots'."""
    tls, host, port = Tls(ca.read_bytes()), *address.split(":")
    at_once = asyncio.Semaphore(32)

    async def guess(number: int) -> None:
        async with at_once:
            with suppress(Refused):
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


async def _serve_clients(ca: Path) -> None:
    """Play a bot for each line of standard input."""
    loop, tls = asyncio.get_running_loop(), Tls(ca.read_bytes())
    async with asyncio.TaskGroup() as bots:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            address, token = json.loads(line)
            bots.create_task(_play_client(address, token, tls))


async def _play_client(address: str, token: str, tls: Tls) -> None:
    try:
        await play(Bot, address, token, tls=tls)
    except Refused as refused:
        print(refused, flush=True)


@contextmanager
def _clients(tls: TlsFiles) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that bots are started in."""
    command = [sys.executable, __file__, "clients", "--ca", str(tls.cert)]
    with ExitStack() as stack:
        clients = [
            stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            for _ in range(PROCESSES)
        ]
        try:
            yield clients
        finally:
            for client in clients:
                client.kill()


def _start(client: subprocess.Popen[str], address: str, token: str) -> None:
    assert client.stdin is not None
    client.stdin.write(json.dumps([address, token]) + "\n")
    client.stdin.flush()


@contextmanager
def _door(names: Sequence[str], folder: Path) -> Iterator[tuple[DoorProcess, dict[str, str], TlsFiles]]:
    tokens, tls = invite(names, folder / "tokens.json"), _certificate(folder)
    spec = DoorSpec("benchmark", tuple(names), PATIENT, Listen("localhost:0", tls), folder / "tokens.json")
    with DoorProcess(spec, {}) as door:
        yield door, tokens, tls


def _await_all(door: DoorProcess, bots: int) -> None:
    while len(door.here) < bots:
        said = door.answer()
        assert isinstance(said, BotChanged), said


def _write(folder: Path, names: Sequence[str], entry: str) -> Path:
    (folder / "bot.py").write_text(BOT)
    line_ups = [list(names[first : first + SEATS]) for first in range(0, len(names), SEATS)]
    head = HEAD.format(seats=SEATS, line_ups=json.dumps(line_ups))
    path = folder / "contest.toml"
    path.write_text(head + "".join(f'[[bots]]\nname = "{name}"\n{entry}\n' for name in names))
    return path


def _certificate(folder: Path) -> TlsFiles:
    cert, key = folder / "cert.pem", folder / "key.pem"
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    command = ["openssl", "req", "-x509", *curve, *names, "-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    return TlsFiles(cert, key)


def _kib(process: int) -> int:
    """Private and shared memory that a process holds, in KiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
