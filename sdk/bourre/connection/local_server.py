"""The base of the small servers on this machine, with a limit for requests."""

from __future__ import annotations

import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class LocalServer(ThreadingHTTPServer):
    """Serves each connection in a thread that does not keep the program alive."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores a client that disconnected. Shows any other error, because it is ours."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class LocalRequest(BaseHTTPRequestHandler):
    """Answers the requests of one connection without logging them."""

    protocol_version = "HTTP/1.1"
    default_request_version = "HTTP/1.0"
    """The version of a request that states none, so that its answer has a status."""

    def read_body(self, most: int) -> bytes | None:
        """Returns the body; None unless the request states a length of at most `most` bytes."""
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > most:
            self.close_connection = True  # the body stays unread
            return None
        return self.rfile.read(int(length))

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing: addresses may hold keys, and the requests of a contest would fill the screen."""
