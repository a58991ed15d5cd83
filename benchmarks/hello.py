"""Processor time of a bot's process from its start to its hello: `python benchmarks/hello.py [--rounds 20]` (Linux).

The SDK's bot and two bare gRPC clients, which send one message of bytes over the same service and load nothing else,
take turns, so that a drifting machine weighs on all of them; so does a bot that is forked from an interpreter that has
loaded the SDK (research/bot-processes.md). Shows the median and the least, how many times those of each bare client
they are, and the memory at the hello (PSS, which divides shared pages among those who share them).
"""

from __future__ import annotations

import argparse
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from bourre.v1.referee_pb2 import BotMessage, Goodbye, Hello, RefereeMessage

METHOD = "/bourre.v1.Referee/Play"
GOODBYE = RefereeMessage(goodbye=Goodbye(reason="measured")).SerializeToString()
HELLO = BotMessage(hello=Hello(protocol=1, token="token")).SerializeToString()
SYNC, AIO, OURS, FORKED = "bare gRPC, sync", "bare gRPC, aio", "bourre", "bourre, forked"
PROGRAMS = {
    SYNC: f"""
import os, grpc
with grpc.insecure_channel(os.environ["BOURRE_ADDRESS"]) as channel:
    for _ in channel.stream_stream({METHOD!r})(iter([{HELLO!r}]), wait_for_ready=True):
        break
""",
    AIO: f"""
import asyncio, os, grpc.aio
async def main():
    async with grpc.aio.insecure_channel(os.environ["BOURRE_ADDRESS"]) as channel:
        call = channel.stream_stream({METHOD!r})(wait_for_ready=True)
        await call.write({HELLO!r})
        await call.read()
asyncio.run(main())
""",
    OURS: """
from bourre import Bot, run
class MyBot(Bot): pass
run(MyBot)
""",
}


WARM = """
import os, sys
from bourre import Bot, run
class MyBot(Bot): pass
for _ in sys.stdin:
    if pid := os.fork():
        print(pid, flush=True)
        os.waitpid(pid, 0)
    else:
        run(MyBot)
        os._exit(0)
"""


class Used(NamedTuple):
    """What a process has used when its hello arrives."""

    seconds: float
    """Of processor time."""
    kib: float


class Server:
    """A referee that only hears hellos, and says goodbye when it is told to."""

    def __init__(self) -> None:
        self.hellos: queue.Queue[threading.Event] = queue.Queue()

    def play(self, requests: Iterator[bytes], _context: Any) -> Iterator[bytes]:
        """Serves one bot."""
        next(requests)
        answer = threading.Event()
        self.hellos.put(answer)
        answer.wait()
        yield GOODBYE


@contextmanager
def listen(server: Server) -> Iterator[str]:
    """Serves at a socket file, whose address is yielded."""
    handler: Any = grpc.stream_stream_rpc_method_handler(server.play)
    _, service, method = METHOD.split("/")
    with tempfile.TemporaryDirectory(prefix="bourre-bench-") as folder:
        listening = grpc.server(ThreadPoolExecutor())
        listening.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
        listening.add_insecure_port(address := f"unix:{folder}/hello.sock")
        listening.start()
        yield address
        listening.stop(None).wait()


def processor_clock(pid: int) -> int:
    """Returns the clock of all that a process has used of the processor (Linux: MAKE_PROCESS_CPUCLOCK)."""
    return ~pid << 3 | 2


def time_hello(program: str, server: Server, address: str) -> Used:
    """Returns what a program has used when its hello arrives."""
    with subprocess.Popen((sys.executable, "-P", "-c", program), env=_environment(address)) as process:
        return _await_hello(process.pid, server)


def time_forked(warm: subprocess.Popen[str], server: Server) -> Used:
    """Returns what a bot has used that is forked from this interpreter."""
    assert warm.stdin
    assert warm.stdout
    warm.stdin.write("fork\n")
    warm.stdin.flush()
    return _await_hello(int(warm.stdout.readline()), server)


def _await_hello(pid: int, server: Server) -> Used:
    answer = server.hellos.get(timeout=60)
    used = Used(time.clock_gettime(processor_clock(pid)), _memory_kib(pid))
    answer.set()
    return used


def _memory_kib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _environment(address: str) -> dict[str, str]:
    environ = os.environ | {"BOURRE_ADDRESS": address, "BOURRE_TOKEN": "token"}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    return environ


def main() -> None:
    """Prints a line for each program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    used: dict[str, list[Used]] = {name: [] for name in (*PROGRAMS, FORKED)}
    server = Server()
    with listen(server) as address, _start_warm(address) as warm:
        for _ in range(rounds):
            for name, program in PROGRAMS.items():
                used[name].append(time_hello(program, server, address))
            used[FORKED].append(time_forked(warm, server))
    columns = {name: ([one.seconds for one in each], [one.kib for one in each]) for name, each in used.items()}
    for pick in (statistics.median, min):
        found = {name: Used(pick(seconds), pick(kib)) for name, (seconds, kib) in columns.items()}
        for name, (seconds, kib) in found.items():
            times = "".join(f"   {seconds / found[bare].seconds:4.2f} of {bare}" for bare in (SYNC, AIO))
            print(f"{pick.__name__:8} {name:16} {1e3 * seconds:6.1f} ms {kib / 1024:5.1f} MiB{times}")


@contextmanager
def _start_warm(address: str) -> Iterator[subprocess.Popen[str]]:
    """Runs an interpreter that has loaded the SDK, and forks a bot for each line."""
    command, environ = (sys.executable, "-P", "-c", WARM), _environment(address)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ) as warm:
        yield warm


if __name__ == "__main__":
    main()
