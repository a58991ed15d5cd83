"""Bots in a few processes, for measurements with many remote bots: `clients` starts them, and `enter` adds a bot."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bourre.bot import Bot
from bourre.connection.channel import Tls
from bourre.connection.client import ClientRefused, play
from bourre_referee.model.listener_spec import TlsFiles

PROCESSES = 4
"""How many processes the bots share."""
DIAL_SECONDS = 600.0
"""How long a bot waits for its first answer: a thousand TLS handshakes at once take their time on a busy machine."""

Client = subprocess.Popen[str]


@contextmanager
def clients(ca: Path | None = None, logs: Path | None = None) -> Iterator[list[Client]]:
    """Yields the processes in which bots run; their complaints go to files in `logs`, or to this program's stderr."""
    command = [sys.executable, __file__, *([str(ca)] if ca else [])]
    with ExitStack() as stack:
        started: list[Client] = []
        for number in range(PROCESSES):
            stderr = stack.enter_context((logs / f"clients{number}.log").open("wb")) if logs else None
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=stderr, text=True)
            started.append(stack.enter_context(process))
        try:
            yield started
        finally:
            for client in started:
                client.kill()


def enter(processes: Sequence[Client], number: int, address: str, token: str) -> None:
    """Starts the bot with this number, starting at 0, in its process."""
    client = processes[number % len(processes)]
    assert client.stdin is not None
    client.stdin.write(json.dumps([address, token]) + "\n")
    client.stdin.flush()


def certificate(folder: Path) -> TlsFiles:
    """Makes a certificate of `localhost`."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    command = ["openssl", "req", "-x509", *curve, *names, "-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    return TlsFiles(cert, key)


async def _play_all(ca: Path | None) -> None:
    """Plays a bot for each line of standard input."""
    loop, tls = asyncio.get_running_loop(), Tls(ca.read_bytes()) if ca else None
    async with asyncio.TaskGroup() as bots:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            address, token = json.loads(line)
            bots.create_task(_play(address, token, tls))


async def _play(address: str, token: str, tls: Tls | None) -> None:
    try:
        await play(Bot, address, token, DIAL_SECONDS, tls)
    except ClientRefused as refused:
        print(refused, file=sys.stderr, flush=True)


if __name__ == "__main__":
    asyncio.run(_play_all(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
