"""Runs in a container like a bot, and prints a line for each missing restriction.

`python3 -c THIS MEMORY_BYTES PROCESSES DISK_BYTES [PROGRAM ...]`. It is sent as text, so it imports only the standard
library before it tries to import a bot's packages.
"""

import importlib
import os
import resource
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

NOBODY = 65534
MAY_BE_WRITTEN = ("/tmp", "/dev/shm", "/dev/mqueue")
MEMORY = ("memory.max", "memory/memory.limit_in_bytes")
PROCESSES = ("pids.max", "pids/pids.max")


def shortcomings(memory: int, processes: int, disk: int) -> Iterator[str]:
    """Yields every missing restriction of the container."""
    yield from privileges()
    yield from places(disk)
    yield from surroundings()
    yield from limit("memory", MEMORY, memory)
    yield from limit("processes", PROCESSES, processes)


def privileges() -> Iterator[str]:
    """Yields privileges that the process should not have."""
    lines = Path("/proc/self/status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    if (os.getuid(), os.getgid(), os.getgroups()) not in ((NOBODY, NOBODY, []), (NOBODY, NOBODY, [NOBODY])):
        yield f"it runs as user {os.getuid()} in groups {[os.getgid(), *os.getgroups()]}"
    if any(int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")):
        yield "it has capabilities"
    if status["NoNewPrivs"].strip() != "1":
        yield "programs may give it more privileges"
    if status["Seccomp"].strip() != "2":
        yield "no system call filter (seccomp) is set"
    if resource.getrlimit(resource.RLIMIT_CORE)[1]:
        yield "it may leave core dumps"


def places(disk: int) -> Iterator[str]:
    """Yields places where it may write, or may write too much."""
    mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    for place in ("/bot", *mounts):
        if place not in MAY_BE_WRITTEN and os.path.isdir(place) and os.access(place, os.W_OK):
            yield f"it can write to {place}"
    for place in ("/tmp", "/dev/shm"):
        size = os.statvfs(place)
        if size.f_blocks * size.f_frsize > disk:
            yield f"{place} holds more than {disk} bytes"
    if resource.getrlimit(resource.RLIMIT_FSIZE)[1] not in range(disk + 1):
        yield f"a file may be longer than {disk} bytes"


def surroundings() -> Iterator[str]:
    """Yields connections that it should not have, and connections that it lacks."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as anywhere:
        try:
            anywhere.connect(("192.0.2.1", 9))  # sends nothing; the address is reserved (RFC 5737)
            yield "it has a network"
        except OSError:
            pass  # as it should be
    with socket.socket(socket.AF_UNIX) as referee:
        try:
            referee.connect("/run/referee.sock")
        except OSError as error:
            yield f"it cannot reach the referee's socket ({error.strerror})"


def limit(what: str, files: tuple[str, ...], most: int) -> Iterator[str]:
    """Yields a complaint if its control group does not have this limit."""
    for path in (Path("/sys/fs/cgroup", name) for name in files):
        if path.exists():
            found = path.read_text().strip()
            if not found.isdigit() or int(found) > most:
                yield f"its limit of {what} is {found}, not {most}"
            return
    yield f"it has no limit of {what}"


def equipment(programs: list[str]) -> Iterator[str]:
    """Yields programs and packages that bots need and the image lacks."""
    for program in programs:
        if shutil.which(program) is None:
            yield f"it has no program {program!r}"
    for name in ("grpc", "google.protobuf", "bourre"):
        try:
            importlib.import_module(name)
        except ImportError as error:
            yield f"its Python cannot import {name} ({error})"


if __name__ == "__main__":
    print(*shortcomings(*map(int, sys.argv[1:4])), *equipment(sys.argv[4:]), "examined", sep="\n")
