"""A ladder's log in words, a line for each event."""

from __future__ import annotations

from dataclasses import fields

from bourre_referee.ladder.log.event_log import Logged, event_name
from bourre_referee.text.names import printable


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
