"""A ladder's events as JSON lines. Each contains the hash of the previous line, which reveals changes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from types import MappingProxyType
from typing import get_args

from pydantic import TypeAdapter, ValidationError

from bourre_referee.ladder.log.events import Event, LadderError
from bourre_referee.text.names import printable

LONGEST_LINE = 1_000_000
"""The most characters of a line. A log may be untrusted."""

FIRST_LINK = "0" * 64
"""The hash before the first line."""

_HINT = "restore the log as the host published it"


def event_name(kind: type) -> str:
    """Returns an event's name in the log: `bot_joined` for `BotJoined`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


_READERS: Mapping[str, TypeAdapter[Event]] = MappingProxyType(
    {event_name(kind): TypeAdapter(kind) for kind in get_args(Event)}
)


_ALWAYS = object()
"""A default that no field equals, so that the field is always written."""

_KEYS: Mapping[type, tuple[str, tuple[tuple[str, object], ...]]] = MappingProxyType(
    {
        kind: (
            event_name(kind),
            tuple((each.name, each.default if "later" in each.metadata else _ALWAYS) for each in fields(kind)),
        )
        for kind in get_args(Event)
    }
)
"""The name of each kind of event, and its fields with the default values that are not written."""

_FIELDS = MappingProxyType({name: frozenset(key for key, _ in keys) for name, keys in _KEYS.values()})

_WRITER = json.JSONEncoder(separators=(",", ":"))

_NEWER = "a newer version wrote it: use that version, or restore the log from a backup"

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@dataclass(frozen=True, slots=True)
class Logged:
    """An event of the log."""

    at: str
    """The host's time in UTC, such as `2026-11-23T04:30:00Z`. Pairings do not depend on it."""
    event: Event


class LogWriter:
    """Turns events into the lines of a log."""

    def __init__(self, head: str = FIRST_LINK) -> None:
        """Continues after the line with the hash `head`."""
        self.head = head
        """The hash of the last line, which reveals any change or truncation."""

    def line(self, event: Event, at: str) -> str:
        """Returns the next line, without a line break; `at` is as in `Logged`."""
        text = _line(self.head, Logged(at, event))
        self.head = link_of(text)
        return text


def link_of(line: str) -> str:
    """Computes the SHA-256 of a line without its line break, in hexadecimal."""
    return sha256(line.encode()).hexdigest()


class LogReader:
    """Reads the lines of a log in order. It finds the first line that was changed, removed, added or moved."""

    def __init__(self) -> None:
        self.head = FIRST_LINK
        """The hash of the last line read."""
        self.lines = 0
        """The number of lines read."""

    def read(self, line: str) -> Logged:
        """Reads the next line, without its line break. Raises LadderError if it cannot be the next one."""
        logged = _read_line(line, self.lines + 1, self.head)
        self.lines += 1
        self.head = link_of(line)
        return logged


def _line(previous: str, logged: Logged) -> str:
    """Returns the canonical line of an event."""
    name, keys = _KEYS[type(logged.event)]
    values = {key: value for key, unwritten in keys if (value := getattr(logged.event, key)) != unwritten}
    return _WRITER.encode({"previous": previous, "at": logged.at, name: values})


def _read_line(line: str, number: int, previous: str) -> Logged:
    if len(line) > LONGEST_LINE:
        raise LadderError(f"line {number} has {len(line):,} characters, more than {LONGEST_LINE:,}: {_HINT}")
    link, logged = _parse(line, number)
    if link != previous:
        raise LadderError(f"line {number} does not follow the line before it: {_HINT}")
    if line != _line(previous, logged):
        raise LadderError(f"line {number} is not written as a ladder writes it: {_HINT}")
    return logged


def _parse(line: str, number: int) -> tuple[object, Logged]:
    """Returns the link and the event of a line. They are not checked against earlier lines."""
    try:
        values = json.loads(line)
        name = next(name for name in values if name not in ("previous", "at"))
        if "at" in values and name not in _READERS and re.fullmatch(r"[a-z_]{1,40}", name):
            raise LadderError(f"line {number} has an event {name}, which this bourre does not know: {_NEWER}")
        if unknown := sorted(values[name].keys() - _FIELDS[name]):
            raise LadderError(f"line {number}: {name} has {unknown[0]!r}, which this bourre does not know: {_NEWER}")
        # A converted value, such as 5 for "5", is written differently than it was read, and so is refused.
        return values["previous"], Logged(_time(values["at"]), _READERS[name].validate_python(values[name]))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([name, *map(str, first["loc"])])
        raise LadderError(f"line {number}: {place}: {first['msg']}: {_HINT}") from None
    except (AttributeError, KeyError, RecursionError, StopIteration, TypeError, ValueError):
        raise LadderError(f"line {number} is no event of a ladder: {_HINT}") from None


def _time(text: str) -> str:
    if not _TIME.fullmatch(text):
        raise ValueError(f"{text!r} is no time")
    return text


def log_line(logged: Logged) -> str:
    """Returns an event with its time, as `2026-11-23T04:30:00Z room paired: room 1, line up ada bob, rated`."""
    event = logged.event
    found = ((field.name.replace("_", " "), getattr(event, field.name)) for field in fields(event))
    details = ", ".join(key if value is True else f"{key} {_words(value)}" for key, value in found if value)
    return printable(f"{logged.at} {event_name(type(event)).replace('_', ' ')}{details and f': {details}'}")


def _words(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    return " ".join(":".join(part) if isinstance(part, tuple) else str(part) for part in value)
