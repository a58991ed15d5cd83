"""Measures how fast two sandboxed bots can still communicate: `python benchmarks/covert_rates.py [--bits 400]` (Linux).

A teller and a hearer, each in its own sandbox, take turns by the clock on one processor. They use ways that no sandbox
can close: the use of the processor, the pages of a shared file that wait for the disk, and the inode numbers of pipes,
which the kernel counts by processor. For each way and length of a turn, it shows the share of correct bits, and the
bits per second that come through (the capacity of a symmetric channel with these errors).
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from bourre_referee.diagnostics.attacks.covert_files import files_below
from bourre_referee.model.spec import BotEntry, Limits
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.bwrap.bwrap_launcher import BoxLauncher
from bourre_referee.sandbox.launch import Credentials

START_SECONDS = 5.0
TURNS_MS = (20.0, 10.0, 5.0, 2.0, 1.0)
TOP = "/usr/share/doc"
PROGRAM = """
import json, mmap, os, resource, statistics, sys, time
way, turn, start, said, files = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4], sys.argv[5]
tells = said.isdigit()
number = len(said) if tells else int(said[1:])
paths = []
for at, folders, names in os.walk(files):
    folders.sort()
    found = (os.path.join(at, name) for name in sorted(names))
    paths += [path for path in found if not os.path.islink(path) and os.path.getsize(path)]
    if len(paths) > number:
        break
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])

def spin(until):
    turns = 0
    while time.monotonic() < until:
        turns += 1
    return turns

def wait(until):
    time.sleep(max(0.0, until - time.monotonic()))

def inode():
    ends = os.pipe()
    found = os.fstat(ends[0]).st_ino
    os.close(ends[0]), os.close(ends[1])
    return found

def fault(path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ) as page:
        page[0]
    return resource.getrusage(resource.RUSAGE_SELF).ru_majflt - before

heard = []
if not tells:
    inode()
for bit in range(number):
    begin, end = start + bit * turn, start + (bit + 1) * turn
    wait(begin)
    if tells and said[bit] == "1":
        if way == "processor":
            spin(end - turn / 10)
        elif way == "inode numbers":
            [inode() for _ in range(40)]
        else:
            fault(paths[bit])
    elif not tells:
        if way == "processor":
            heard.append(spin(end - turn / 10))
            continue
        wait(begin + turn * 0.7)
        heard.append(inode() if way == "inode numbers" else fault(paths[bit]))
if not tells:
    if way == "processor":
        middle = (max(heard) + min(heard)) / 2
        bits = [count < middle for count in heard]
    elif way == "inode numbers":
        bits = [False, *(later - earlier > 20 for earlier, later in zip(heard, heard[1:]))]
    else:
        bits = [not faults for faults in heard]
    print("HEARD", "".join(str(int(bit)) for bit in bits), flush=True)
"""


async def played(launcher: BoxLauncher, place: Path, name: str, words: tuple[str, ...]) -> str:
    """Runs the program in a sandbox to its end, and returns its output."""
    place.mkdir()
    entry = BotEntry(name, (sys.executable, "-c", PROGRAM, *words), place)
    async with await asyncio.start_unix_server(lambda *_: None, place / "seat"):
        process = await BotProcess.start(entry, Credentials(place / "seat", name), place / "log", launcher)
        await process.wait_for_end(60.0)
        await process.end(0.0)
    return (place / "log").read_text(errors="replace")


async def heard(launcher: BoxLauncher, place: Path, way: str, turn_ms: float, message: str) -> str:
    """Returns what the hearer got of the message. Raises OSError with its output if it got nothing."""
    for path, _ in zip(files_below(TOP), range(4 * len(message)), strict=False):
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
    shared = (way, str(turn_ms / 1000), str(time.monotonic() + START_SECONDS))
    _, printed = await asyncio.gather(
        played(launcher, place / "teller", "teller", (*shared, message, TOP)),
        played(launcher, place / "hearer", "hearer", (*shared, f"-{len(message)}", TOP)),
    )
    if "HEARD " not in printed:
        raise OSError(f"the hearer heard nothing by {way}: {printed[-500:]}")
    return printed.partition("HEARD ")[2].strip()


def capacity(right: float) -> float:
    """Returns the bits that one symbol carries if this share of them comes through, either way round."""
    if right in (0.0, 1.0):
        return 1.0
    return 1 + right * math.log2(right) + (1 - right) * math.log2(1 - right)


async def measure(bits: int) -> None:
    """Prints a line for each way and length of a turn."""
    launcher = BoxLauncher.here(Limits())
    message = "".join(random.Random(31).choice("01") for _ in range(bits))
    print(f"{'way':<16} {'turn':>7} {'right':>12} {'bits/s':>8}")
    for way in ("processor", "cold pages", "inode numbers"):
        for turn_ms in TURNS_MS:
            with tempfile.TemporaryDirectory(prefix="bourre-") as folder:
                got = await heard(launcher, Path(folder), way, turn_ms, message)
            right = sum(told == said for told, said in zip(message, got, strict=True))
            rate = capacity(right / bits) * 1000 / turn_ms
            print(f"{way:<16} {turn_ms:>4.0f} ms {right:>5} of {bits} {rate:>8.0f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bits", type=int, default=400)
    asyncio.run(measure(parser.parse_args().bits))
