"""Serves the pages of a ladder from a process of their own, which ends with the one that started it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.storage.child_process import tended
from bourre_referee.web.ladder.ladder_app import create_ladder_application
from bourre_referee.web.server import listener_url, open_listener, serve


@contextmanager
def serve_pages(
    folder: LadderFolder, host: str, port: int, tell: Callable[[str], None], names: Collection[str] = ()
) -> Iterator[str]:
    """Serves the pages until the end of the block, and yields their address; `tell` hears when their process died.

    Raises ContestError if nothing can listen there; `names` are host names that browsers may use.
    """
    with closing(open_listener(host, port)) as listener:
        name = folder.settings().contest.name
        with tended("pages", partial(run_pages, folder.path, name, listener, (host, *names)), tell):
            yield listener_url(listener, host)


def run_pages(path: Path, name: str, listener: socket.socket, names: Collection[str]) -> None:
    """Serves the pages of the ladder in this folder until SIGTERM."""
    made = create_ladder_application(LadderFolder(path), name, names)
    serve(made.app, listener, made.end)
