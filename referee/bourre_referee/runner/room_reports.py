"""What every executor tells of the rooms that it was given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bourre_referee.model.spec import MatchOutcome, RoomSpec

PlayRoom = Callable[[RoomSpec], Awaitable[Sequence[MatchOutcome]]]
"""Plays the matches of a room; a function that a worker process can import. It may raise RoomFailed."""


async def play_room(spec: RoomSpec) -> Sequence[MatchOutcome]:
    """The referee's own way to play a room; only who plays one pays for loading the wire."""
    from bourre_referee.server import room

    return await room.play_room(spec)


@dataclass(frozen=True, slots=True)
class RoomPlayed:
    """All matches of a room are finished."""

    room: RoomSpec
    attempt: int
    """From 1."""
    outcomes: tuple[MatchOutcome, ...]
    """In the order of the room's matches."""


@dataclass(frozen=True, slots=True)
class RoomLost:
    """The host failed a room: its matches are void, and it is played again."""

    room: RoomSpec
    attempt: int
    reason: str
