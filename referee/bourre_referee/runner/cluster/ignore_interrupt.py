"""A preload that lets local Dask workers ignore Ctrl-C, which the referee handles."""

from __future__ import annotations

import signal

from distributed import Worker


def dask_setup(_worker: Worker) -> None:
    """Called by Dask in the worker's process, in its main thread."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
