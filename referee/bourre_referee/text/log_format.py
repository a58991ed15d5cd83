"""The lines of a host's log: with the time, as text or as JSON, and without passwords."""

from __future__ import annotations

import json
import logging
import os
import re
from datetime import UTC, datetime
from typing import Literal

from bourre_referee.text.names import shorten

LogKind = Literal["text", "json"]

LONGEST_LINE = 4_000
"""The most characters of a line, which may quote a stranger."""

_PASSWORD = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s:/@]*:)([^\s@/]+)(?=@)|(\bpassword=)([^\s&'\"]+)")
"""The password in the address of a server or in the options of a database."""
_SECRETS = ("PGPASSWORD",)
"""The variables whose values no line shows."""


class LogFormat(logging.Formatter):
    """Formats records. It counts the passwords that it replaces, because a program printed them."""

    def __init__(self, kind: LogKind) -> None:
        super().__init__()
        self.masked = 0
        """How many passwords were replaced."""
        self._kind = kind
        self._secrets = [value for name in _SECRETS if (value := os.environ.get(name))]

    def format(self, record: logging.LogRecord) -> str:
        """Returns the record as one JSON document, or as lines that begin with the time."""
        text = self._mask(_text_of(record))
        at = datetime.fromtimestamp(record.created, UTC)
        if self._kind == "json":
            what, _, hint = text.partition("\nhint: ")
            document = {"time": f"{at:%Y-%m-%dT%H:%M:%SZ}", "text": what, **({"hint": hint} if hint else {})}
            return json.dumps(document | _request_of(record), ensure_ascii=False)
        lines = (shorten(line, LONGEST_LINE) for line in text.splitlines())
        return "\n".join(f"{at:%Y-%m-%d %H:%M:%S} UTC bourre: {line}" for line in lines)

    def _mask(self, text: str) -> str:
        text, times = _PASSWORD.subn(lambda found: f"{found[1] or found[3]}***", text)
        for secret in self._secrets:
            times += text.count(secret)
            text = text.replace(secret, "***")
        self.masked += times
        return text


def _text_of(record: logging.LogRecord) -> str:
    if request := _request_of(record):
        return f"{request['client']} {request['method']} {request['path']} {request['status']}"
    trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
    return f"{record.getMessage()}\n{trace}".rstrip("\n")


def _request_of(record: logging.LogRecord) -> dict[str, object]:
    """Returns the request of uvicorn's record, without the query; empty for other records."""
    if record.name != "uvicorn.access" or not isinstance(record.args, tuple) or len(record.args) != 5:
        return {}
    client, method, path, _, status = record.args
    return {"client": client, "method": method, "path": str(path).partition("?")[0], "status": status}


class HostLog:
    """The log of a host, on standard error."""

    def __init__(self, kind: LogKind) -> None:
        self._format = LogFormat(kind)
        self._logger = logging.Logger("bourre")  # of its own, because others configure the global ones
        handler = logging.StreamHandler()
        handler.setFormatter(self._format)
        self._logger.addHandler(handler)

    def tell(self, text: str) -> None:
        """Writes a message. Its hint, if any, is a line of its own."""
        self._logger.info("%s", text)

    def masked(self) -> int:
        """Returns how many passwords were replaced."""
        return self._format.masked
