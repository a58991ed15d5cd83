"""Small ladders for tests: a log applied line by line, and bots that have arrived."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from bourre_referee.ladder.log.event_log import Logged, LogReader
from bourre_referee.ladder.log.events import (
    BotArrived,
    BotJoined,
    EpochOpened,
    Event,
    LadderOpened,
    RoomFinished,
    RoomPaired,
    TermsSet,
)
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.log.waiting_list import PAIRING
from bourre_referee.ladder.matchmaking.next_room import RoomChoice, pair

SEED = bytes(range(32))
OPENED = (
    LadderOpened(3, owners_apart=True),
    TermsSet("", (("pairing", str(PAIRING)),)),
    EpochOpened(1, sha256(SEED).hexdigest(), ""),
)


def read_log(lines: Iterable[str]) -> list[Logged]:
    """The events of a log; raises LadderError that names the first line that was changed, removed, added or moved."""
    reader = LogReader()
    return [reader.read(line.removesuffix("\n")) for line in lines]


def joined(*bots: str, clock_class: str = "fast", staff: bool = False) -> list[Event]:
    """These bots join, each with an owner of its own, and arrive; `fox:Ann` is Ann's."""
    events: list[Event] = []
    for bot in bots:
        name, _, owner = bot.partition(":")
        events += [BotJoined(name, 1, "1", owner or f"owner of {name}", clock_class, staff), BotArrived(name)]
    return events


class Ladder:
    """A state with its log."""

    def __init__(self, *events: Event) -> None:
        self.state = LadderState()
        self.log: list[Event] = []
        self.note(*OPENED, *events)

    def note(self, *events: Event) -> None:
        """Takes in what happens."""
        for event in events:
            self.state.apply(event)
            self.log.append(event)

    def pair(self, clock_class: str = "fast") -> RoomChoice | None:
        """Pairs the next room, and begins it if there is one."""
        found = pair(self.state, SEED, clock_class)
        if found:
            self.note(RoomPaired(self.state.rooms_paired + 1, found.line_up, found.rated))
        return found

    def begin(self) -> RoomChoice:
        """Pairs the next room, which there must be."""
        found = self.pair()
        assert found is not None
        return found

    def play(self) -> RoomChoice:
        """Pairs the next room and plays it to its end."""
        found = self.begin()
        self.note(RoomFinished(self.state.rooms_paired, games=1))
        return found


def line_ups(events: Iterable[Event]) -> list[tuple[str, ...]]:
    """The line-ups of all rooms that were paired."""
    return [event.line_up for event in events if isinstance(event, RoomPaired)]
