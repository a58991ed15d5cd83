"""A ladder's events as JSON lines, each with the hash of the line before, so that no line can change unseen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from hashlib import sha256
from types import MappingProxyType
from typing import get_args

from pydantic import TypeAdapter, ValidationError

from bourre_referee.ladder.log.events import Event, LadderError

LONGEST_LINE = 1_000_000
"""The most characters of a line; a log may come from a stranger."""

FIRST_LINK = "0" * 64
"""Stands for the hash of a line before the first."""

_HINT = "restore the log as the host published it"


def event_name(kind: type) -> str:
    """Returns an event's name in the log: `bot_joined` for `BotJoined`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


_READERS: Mapping[str, TypeAdapter[Event]] = MappingProxyType(
    {event_name(kind): TypeAdapter(kind) for kind in get_args(Event)}
)


class LogWriter:
    """Turns events into the lines of a log, one after another."""

    def __init__(self, head: str = FIRST_LINK) -> None:
        """Goes on after the line with the hash `head`."""
        self.head = head
        """The hash of the last line: who knows it can tell that no line was changed or cut off."""

    def line(self, event: Event) -> str:
        """Returns the next line, without a line break."""
        text = _line(self.head, event)
        self.head = link_of(text)
        return text


def link_of(line: str) -> str:
    """Computes the SHA-256 of a line without its line break, in hexadecimal."""
    return sha256(line.encode()).hexdigest()


def read_log(lines: Iterable[str], head: str | None = None) -> Iterator[Event]:
    """Yields the events of a log.

    Raises LadderError, naming the first line that was changed, removed, added or moved. Only a known `head`, the hash
    of the last line, shows that lines are missing at the end.
    """
    link, number = FIRST_LINK, 0
    for number, ended in enumerate(lines, start=1):
        line = ended.removesuffix("\n")
        yield _read_line(line, number, link)
        link = link_of(line)
    if head not in (None, link):
        raise LadderError(f"line {number}, the last, is not the last one published: {_HINT}")


def _line(previous: str, event: Event) -> str:
    """Returns the one way to write an event."""
    values = {"previous": previous, event_name(type(event)): asdict(event)}
    return json.dumps(values, separators=(",", ":"))


def _read_line(line: str, number: int, previous: str) -> Event:
    if len(line) > LONGEST_LINE:
        raise LadderError(f"line {number} has {len(line):,} characters, more than {LONGEST_LINE:,}: {_HINT}")
    link, event = _parse(line, number)
    if link != previous:
        raise LadderError(f"line {number} does not follow the line before it: {_HINT}")
    if line != _line(previous, event):
        raise LadderError(f"line {number} is not written as a ladder writes it: {_HINT}")
    return event


def _parse(line: str, number: int) -> tuple[object, Event]:
    """Returns the link and the event that a line holds, both unchecked against the lines before."""
    try:
        values = json.loads(line)
        name = next(name for name in values if name != "previous")
        return values["previous"], _READERS[name].validate_json(json.dumps(values[name]), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([name, *map(str, first["loc"])])
        raise LadderError(f"line {number}: {place}: {first['msg']}: {_HINT}") from None
    except (AttributeError, KeyError, RecursionError, StopIteration, TypeError, ValueError):
        raise LadderError(f"line {number} is no event of a ladder: {_HINT}") from None
