"""Times the pages of a large run over a real connection: `python benchmarks/web.py [MATCHES BOTS]`.

The first answer for an address is computed, later ones come from a cache; the client sends no validators.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter

import httpx
from large_run import DEALS, make_run

from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.run_app import create_application
from bourre_referee.web.server import listener_url, make_server, open_listener

ASKED = 21
PATHS = ("/", "/cross", "/matches", "/matches?bot=7", "/matches/m0100", "/matches/m0100/deals/3", "/bots/7")
DOCUMENTS = ("/api/run", "/api/standings", "/api/matches", "/api/matches/m0100", "/api/bots/7")


@contextmanager
def serve(folder: Path) -> Iterator[httpx.Client]:
    """Serves this run, and yields a client."""
    made = create_application(CachedRun(folder))
    listener = open_listener("127.0.0.1", 0)
    server = make_server(made.app, made.live.feed.end)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        with httpx.Client(base_url=listener_url(listener, "127.0.0.1"), trust_env=False, timeout=300) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()


def time_answer(client: httpx.Client, path: str) -> tuple[float, int]:
    """Returns milliseconds and bytes of one complete answer."""
    began = perf_counter()
    answer = client.get(path)
    ended = perf_counter()
    answer.raise_for_status()
    return 1000 * (ended - began), len(answer.content)


def main() -> None:
    """Prints the first and the median time of some answers for each address."""
    matches, bots = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (1000, 100)
    with TemporaryDirectory() as place:
        began = perf_counter()
        folder = make_run(Path(place), matches, bots)
        print(f"{matches} matches of {DEALS} deals, {bots} bots; made in {perf_counter() - began:.0f} s")
        with serve(folder) as client:
            print(f"  read for the first time: {time_answer(client, '/')[0]:.0f} ms")
            for path in (*PATHS, *DOCUMENTS):
                first, size = time_answer(client, path)
                median = statistics.median(time_answer(client, path)[0] for _ in range(ASKED))
                print(f"  {path:26} first {first:4.0f} ms, then median {median:4.0f} ms, {size // 1024:4} KiB")


if __name__ == "__main__":
    main()
