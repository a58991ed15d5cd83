"""Serves the pages of a ladder from a process of their own, which ends with the one that started it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.web.ladder.ladder_app import create_ladder_application
from bourre_referee.web.server import listener_url, open_listener, serve

END_S = 10.0
"""Seconds for the process to end; then it is killed."""


@contextmanager
def serve_pages(folder: LadderFolder, host: str, port: int, names: Collection[str] = ()) -> Iterator[str]:
    """Serves the pages until the end of the block, and yields their address.

    Raises ContestError if nothing can listen there; `names` are host names that browsers may use.
    """
    with closing(open_listener(host, port)) as listener:
        name = folder.settings().contest.name
        told = (folder.path, name, listener, (host, *names))
        process = multiprocessing.get_context("spawn").Process(target=run_pages, args=told, name="pages")
        process.start()
        try:
            yield listener_url(listener, host)
        finally:
            process.terminate()
            process.join(END_S)
            process.kill()
            process.join()


def run_pages(path: Path, name: str, listener: socket.socket, names: Collection[str]) -> None:
    """Serves the pages of the ladder in this folder until SIGTERM, or until the parent process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, which ends this
    made = create_ladder_application(LadderFolder(path), name, names)
    Thread(target=_end_with_parent, daemon=True).start()
    serve(made.app, listener, made.end)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
