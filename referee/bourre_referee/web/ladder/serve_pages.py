"""Serves the pages of a ladder from a process of their own, which ends with the one that started it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Collection
from threading import Thread

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.web.ladder.ladder_app import create_ladder_application
from bourre_referee.web.server import open_listener, serve


def serve_pages(folder: LadderFolder, host: str, port: int, names: Collection[str] = ()) -> None:
    """Serves until SIGTERM, or until the parent process ends; call it from a process made by `multiprocessing`.

    Raises ContestError if nothing can listen there; `names` are host names that browsers may use.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, which ends this
    listener = open_listener(host, port)
    made = create_ladder_application(folder, folder.settings().contest.name, [host, *names])
    Thread(target=_end_with_parent, daemon=True).start()
    serve(made.app, listener, made.end)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
