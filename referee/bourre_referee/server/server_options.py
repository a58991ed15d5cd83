"""How the referee listens: limits that gRPC holds against hostile clients, and a claim to each socket file."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bourre_referee.model.spec import Clock

Options = tuple[tuple[str, int], ...]

_PING_MS = 5_000
"""Silence of a connection after which it must prove that somebody is there; and what its proof may take besides."""
_LONGEST_PATH = 107 if sys.platform == "linux" else 103
"""Of a socket file, in bytes: what `struct sockaddr_un` has room for, less its last 0."""


def server_options(clock: Clock) -> Options:
    """What gRPC holds against hostile clients. It ignores a misspelt name: tests/wire attacks each of them.

    A program with a single thread answers no ping while it thinks, so a ping may take as long as a decision.
    """
    return (
        ("grpc.max_receive_message_length", 64 * 1024),
        ("grpc.absolute_max_metadata_size", 16 * 1024),
        ("grpc.max_concurrent_streams", 4),  # for each connection
        ("grpc.max_allowed_incoming_connections", 64),  # for each address; else they use up the files of the process
        ("grpc.server_handshake_timeout_ms", 2_000),
        ("grpc.max_connection_idle_ms", 3_000),  # without a call; a bot calls at once
        ("grpc.http2.bdp_probe", 0),  # a flood stalls after 64 KiB unread, instead of 4 MiB
        ("grpc.keepalive_time_ms", _PING_MS),
        ("grpc.http2.ping_timeout_ms", clock.decision_ms + clock.bank_ms + _PING_MS),  # keepalive alone misses the dead
    )


@contextmanager
def claimed(address: str) -> Iterator[None]:
    """Holds the socket file of an address `unix:PATH`, which gRPC would take from another server without a word.

    OSError where another process holds it, or its path is too long. Other kinds of addresses need no claim.
    """
    if not address.startswith("unix:"):
        yield
        return
    path = address.removeprefix("unix:")
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise OSError(f"{path}: a socket's path has {_LONGEST_PATH} bytes at most; set TMPDIR to a shorter folder")
    handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise OSError(f"{path}: another referee listens there; give this one a path of its own") from None
    try:
        yield
    finally:
        os.close(handle)
