"""A minimal HTTP/2 client, for requests that no gRPC client would send."""

import os
import socket

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING = 0, 1, 4, 6
END_HEADERS = 4


def connect() -> socket.socket:
    """Returns a connection to the referee on which nothing has been sent yet."""
    address = os.environ["BOURRE_ADDRESS"].removeprefix("unix:")
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    return connection


def frame(kind: int, payload: bytes = b"", flags: int = 0, stream: int = 0) -> bytes:
    """Returns one frame."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def setting(key: int, value: int) -> bytes:
    """Returns a SETTINGS frame with one setting."""
    return frame(SETTINGS, key.to_bytes(2, "big") + value.to_bytes(4, "big"))


def headers(stream: int) -> bytes:
    """Returns the headers of a call of Play, none of them compressed."""
    told = {
        ":method": "POST",
        ":scheme": "http",
        ":path": "/bourre.v1.Referee/Play",
        ":authority": "referee",
        "te": "trailers",
        "content-type": "application/grpc",
    }
    words = (bytes([0, len(key)]) + key.encode() + bytes([len(text)]) + text.encode() for key, text in told.items())
    return frame(HEADERS, b"".join(words), END_HEADERS, stream)


def data(stream: int, message: bytes) -> bytes:
    """Returns one gRPC message."""
    return frame(DATA, b"\0" + len(message).to_bytes(4, "big") + message, stream=stream)
