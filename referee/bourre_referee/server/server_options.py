"""gRPC's limits against hostile clients, and a lock on each socket file."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from bourre_referee.model.spec import Clock
from bourre_referee.sandbox.socket_folder import LONGEST_PATH

Options = tuple[tuple[str, int], ...]

_PING_MS = 5_000
"""The silence after which a connection is pinged, and the time for the reply in addition to a decision."""
_IDLE_PING_MS = 20_000
"""The same for a bot that waits between rooms. The pings also keep routers from dropping the connection."""
_HANDSHAKE_MS = 10_000
"""The longest time for TLS, and for a connected client until its first call."""
_STRANGERS = 512
"""The most connections in gRPC in addition to the bots'. The limiter admits fewer."""


def server_options(clock: Clock) -> Options:
    """Returns gRPC's limits against hostile clients. gRPC ignores a misspelt name, so tests attack each limit.

    A single-threaded bot answers no ping during a decision, so a ping may take as long.
    """
    return (
        ("grpc.max_receive_message_length", 64 * 1024),
        ("grpc.absolute_max_metadata_size", 16 * 1024),
        ("grpc.max_concurrent_streams", 4),  # per connection
        ("grpc.max_allowed_incoming_connections", 64),  # per address, to save the process's open files
        ("grpc.server_handshake_timeout_ms", 2_000),
        ("grpc.max_connection_idle_ms", 3_000),  # time without a call, because a bot calls at once
        ("grpc.http2.bdp_probe", 0),  # a flood stalls after 64 KiB unread, instead of 4 MiB
        ("grpc.keepalive_time_ms", _PING_MS),
        ("grpc.http2.ping_timeout_ms", clock.decision_ms + clock.bank_ms + _PING_MS),  # keepalive alone misses the dead
    )


def listener_options(clock: Clock, bots: int) -> Options:
    """Returns the limits of a listener for this many bots, most of which wait for a long time."""
    return tuple(
        {
            **dict(server_options(clock)),
            "grpc.max_allowed_incoming_connections": bots + _STRANGERS,
            "grpc.max_connection_idle_ms": _HANDSHAKE_MS,  # the limiter is stricter
            "grpc.server_handshake_timeout_ms": _HANDSHAKE_MS,
            "grpc.keepalive_time_ms": _IDLE_PING_MS,
            "grpc.http2.min_ping_interval_without_data_ms": _IDLE_PING_MS,  # bots may ping as often
        }.items()
    )


@contextmanager
def claim(address: str) -> Iterator[None]:
    """Locks the socket file of an address `unix:PATH`, which gRPC would silently take from another server.

    Raises OSError if another process has it or its path is too long. Other kinds of addresses need no lock.
    """
    if not address.startswith("unix:"):
        yield
        return
    path = address.removeprefix("unix:")
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise OSError(
            f"{path}: a socket's path has at most {LONGEST_PATH} bytes.\nhint: set TMPDIR to a shorter folder"
        )
    handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise OSError(f"Another referee listens at {path}.\nhint: use another path") from None
    try:
        yield
    finally:
        os.close(handle)
