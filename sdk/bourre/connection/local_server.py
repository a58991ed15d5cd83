"""The small servers on this machine: what they have in common, and how much they read of a request."""

from __future__ import annotations

import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class LocalServer(ThreadingHTTPServer):
    """Serves each connection in a thread that does not keep the program alive."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Passes over a client that went away; anything else is a mistake of ours and is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class LocalRequest(BaseHTTPRequestHandler):
    """Answers the requests of one connection, and logs none of them."""

    protocol_version = "HTTP/1.1"
    default_request_version = "HTTP/1.0"
    """Of a request that names none, so that its answer has a status."""

    def read_body(self, most: int) -> bytes | None:
        """Returns the body; None if the request does not say its length, or one of at most so many bytes."""
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > most:
            self.close_connection = True  # what it sent is not read
            return None
        return self.rfile.read(int(length))

    def log_message(self, format: str, *args: object) -> None:
        """Keeps silent: addresses may hold keys, and the requests of a contest would fill the screen."""
