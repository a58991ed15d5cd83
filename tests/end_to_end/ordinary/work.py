"""Things that any Python program may do with the standard library and gRPC: each prints one line."""

import asyncio
import ctypes
import multiprocessing
import multiprocessing.shared_memory
import os
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
from concurrent import futures
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc
import numpy


def square(number: int) -> int:
    return number * number


def threads() -> None:
    with futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(square, range(4))) == [0, 1, 4, 9]
    done = threading.Event()
    threading.Timer(0.001, done.set).start()
    assert done.wait(30)


def temporary_files() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "deck").write_text("AS KH")
        shutil.copytree(folder, folder / "copy")
        shutil.move(folder / "copy", folder / "moved")
        assert sorted(path.name for path in folder.rglob("*")) == ["deck", "deck", "moved"]
        for journal in ("delete", "wal"):
            database(folder / f"{journal}.db", journal)
    with tempfile.TemporaryFile() as file:
        file.write(os.urandom(100))


def database(path: Path, journal: str) -> None:
    """Writes by one connection, with an undone change, and reads by another."""
    with closing(sqlite3.connect(path)) as writing, closing(sqlite3.connect(path)) as reading:
        assert writing.execute(f"pragma journal_mode = {journal}").fetchone() == (journal,)
        writing.executescript("create table card (name text); begin; insert into card values ('2C'); rollback;")
        with writing:
            writing.execute("insert into card values ('AS')")
        assert reading.execute("select name from card").fetchall() == [("AS",)]


def arrays() -> None:
    matrix = numpy.arange(9.0).reshape(3, 3) + numpy.eye(3)
    assert numpy.allclose(numpy.linalg.inv(matrix) @ matrix, numpy.eye(3))
    assert sorted(numpy.random.default_rng(7).permutation(5)) == list(range(5))


def programs() -> None:
    said = subprocess.run(["sh", "-c", "echo $0"], capture_output=True, text=True, check=True).stdout
    assert said == "sh\n"
    assert subprocess.run([sys.executable, "-c", "import sys; sys.exit(3)"], check=False).returncode == 3
    child = subprocess.Popen(["sleep", "60"], start_new_session=True)
    os.killpg(child.pid, signal.SIGTERM)
    assert child.wait(30) == -signal.SIGTERM


def processes(method: str) -> None:
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(square, range(4)) == [0, 1, 4, 9]
    kept = multiprocessing.shared_memory.SharedMemory(create=True, size=100)
    kept.close()
    kept.unlink()


async def waited() -> None:
    child = await asyncio.create_subprocess_exec("echo", "hello", stdout=asyncio.subprocess.PIPE)
    assert (await child.communicate())[0] == b"hello\n"
    ready = asyncio.Event()
    server = await asyncio.start_unix_server(lambda *_: ready.set(), "/tmp/asked")
    async with server:
        _, writer = await asyncio.open_unix_connection("/tmp/asked")
        await asyncio.wait_for(ready.wait(), 30)
        writer.close()


def over_grpc() -> None:
    double: Any = grpc.unary_unary_rpc_method_handler(lambda request, _: request * 2)
    server = grpc.server(futures.ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("Own", {"Double": double})])
    server.add_insecure_port("unix:/tmp/own")
    server.start()
    with grpc.insecure_channel("unix:/tmp/own") as channel:
        call: Any = channel.unary_unary("/Own/Double")  # grpc leaves the type of its messages open
        assert call(b"7", timeout=60) == b"77"
    server.stop(None).wait()


def sockets() -> None:
    one, other = socket.socketpair()
    with one, other:
        socket.send_fds(one, [b"file"], [0])
        assert socket.recv_fds(other, 10, 1)[0] == b"file"
    try:
        socket.getaddrinfo("example.org", 80)
    except socket.gaierror:
        ssl.create_default_context()


def main() -> None:
    for work in (threads, temporary_files, arrays, programs, sockets, over_grpc):
        work()
        print(work.__name__)
    for method in ("spawn", "forkserver"):
        processes(method)
        print(method)
    asyncio.run(waited())
    print("waited", ctypes.CDLL(None).getpid() == os.getpid())


if __name__ == "__main__":
    main()
