"""Processor time of a bot's process from its start to its hello: `python benchmarks/hello.py [--rounds 20]` (Linux).

The SDK's bot and two bare gRPC clients, which send one message of bytes over the same service and load nothing else,
take turns, so that a drifting machine weighs on all of them. Shows the median and the least, and how many times those
of each bare client they are.
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
from typing import Any

import grpc

from bourre.v1.referee_pb2 import BotMessage, Goodbye, Hello, RefereeMessage

METHOD = "/bourre.v1.Referee/Play"
GOODBYE = RefereeMessage(goodbye=Goodbye(reason="measured")).SerializeToString()
HELLO = BotMessage(hello=Hello(protocol=1, token="token")).SerializeToString()
SYNC, AIO, OURS = "bare gRPC, sync", "bare gRPC, aio", "bourre"
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


def time_hello(program: str, server: Server, address: str) -> float:
    """Returns the seconds of processor time that a program has used when its hello arrives."""
    environ = os.environ | {"BOURRE_ADDRESS": address, "BOURRE_TOKEN": "token"}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    with subprocess.Popen((sys.executable, "-P", "-c", program), env=environ) as process:
        answer = server.hellos.get(timeout=60)
        used = time.clock_gettime(processor_clock(process.pid))
        answer.set()
    return used


def main() -> None:
    """Prints a line for each program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    used: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    server = Server()
    with listen(server) as address:
        for _ in range(rounds):
            for name, program in PROGRAMS.items():
                used[name].append(time_hello(program, server, address))
    for pick in (statistics.median, min):
        found = {name: pick(each) for name, each in used.items()}
        for name, seconds in found.items():
            times = "".join(f"   {seconds / found[bare]:4.2f} of {bare}" for bare in (SYNC, AIO))
            print(f"{pick.__name__:8} {name:16} {1e3 * seconds:6.1f} ms{times}")


if __name__ == "__main__":
    main()
