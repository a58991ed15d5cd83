"""The state of a ladder: what all its logged events come to, and all that matchmaking may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from bourre_referee.ladder.log.entrant import Entrant, count_room
from bourre_referee.ladder.log.events import (
    BoardUpdated,
    BotArrived,
    BotBenched,
    BotEvent,
    BotJoined,
    BotLeft,
    BotPaused,
    BotReinstated,
    BotResumed,
    BotRetired,
    EpochOpened,
    Event,
    LadderError,
    LadderOpened,
    RoomFinished,
    RoomPaired,
    RoomVoided,
)
from bourre_referee.ladder.log.waiting_list import WaitingList


@dataclass(frozen=True, slots=True)
class OpenRoom:
    """A room that is being played."""

    line_up: tuple[Entrant, ...]
    rated: bool


class LadderState:
    """Everything that follows from the events applied so far; the same events give the same state."""

    def __init__(self) -> None:
        self.terms: LadderOpened | None = None
        """None before the first event."""
        self.epoch = 0
        """The number of the epoch; 0 before the first."""
        self.commitment = ""
        """The SHA-256 of its seed."""
        self.bots: dict[str, Entrant] = {}
        """The latest version of each bot."""
        self.entrants: list[Entrant] = []
        """All versions, by number."""
        self.lists: dict[str, WaitingList] = {}
        """Who waits, by clock class."""
        self.rooms: dict[int, OpenRoom] = {}
        """The rooms that are being played, by number."""
        self.rooms_paired = 0
        """How many rooms have been paired; the number of the last one."""
        self._staff: Counter[str] = Counter()
        self._events = 0

    def apply(self, event: Event) -> None:
        """Takes in the next event; raises LadderError if it cannot have happened now."""
        self._events += 1
        if (self.terms is None) is not isinstance(event, LadderOpened):
            self._refuse("the first event, and no other, opens the ladder")
        match event:
            case LadderOpened():
                self._open(event)
            case EpochOpened():
                self._open_epoch(event)
            case BotJoined():
                self._join(event)
            case BoardUpdated():
                self._list(event.clock_class).undecided = _neighbours(event)
            case RoomPaired():
                self._pair(event)
            case RoomFinished():
                self._finish(event)
            case RoomVoided():
                self._void(event)
            case _:
                self._change(self._bot(event.bot), event)

    def _open(self, event: LadderOpened) -> None:
        if not 2 <= event.seats <= 8:
            self._refuse(f"a table has 2 to 8 seats, not {event.seats}")
        self.terms = event

    def _open_epoch(self, event: EpochOpened) -> None:
        if event.epoch != self.epoch + 1:
            self._refuse(f"epoch {event.epoch} follows epoch {self.epoch}")
        self.epoch, self.commitment = event.epoch, event.commitment

    def _join(self, event: BotJoined) -> None:
        old = self.bots.get(event.bot)
        if old is not None:
            self._change(old, BotRetired(event.bot))
        tested = not event.staff and self._staff[event.clock_class] > 0
        entrant = Entrant(len(self.entrants), event, probation=tested, room=None if old is None else old.room)
        self._staff[event.clock_class] += event.staff
        self.entrants.append(entrant)
        self.bots[event.bot] = entrant

    def _change(self, entrant: Entrant, event: BotEvent) -> None:
        was_active = entrant.is_active
        match event:
            case BotArrived() | BotLeft():
                entrant.present = isinstance(event, BotArrived)
            case BotPaused() | BotResumed():
                entrant.paused = isinstance(event, BotPaused)
            case BotBenched():
                entrant.benched = event.reason
            case BotReinstated():
                entrant.benched = None
            case BotRetired():
                self._staff[entrant.joined.clock_class] -= entrant.joined.staff and not entrant.retired
                entrant.retired = True
        if entrant.is_active and not was_active:
            self._activate(entrant)
        elif was_active and not entrant.is_active:
            self._deactivate(entrant)

    def _activate(self, entrant: Entrant) -> None:
        waiting = self._list_of(entrant)
        if not entrant.probation:
            waiting.enter(entrant)
        self._seek_room(entrant)

    def _seek_room(self, entrant: Entrant) -> None:
        """Lets a bot wait for a room, if it is active and in none."""
        if not entrant.is_active or entrant.room is not None:
            return
        if entrant.probation:
            self._list_of(entrant).probation[entrant.bot] = entrant
        else:
            self._list_of(entrant).wait(entrant)

    def _deactivate(self, entrant: Entrant) -> None:
        waiting = self._list_of(entrant)
        waiting.remove(entrant)
        if not entrant.probation:
            waiting.leave(entrant)

    def _pair(self, event: RoomPaired) -> None:
        line_up = tuple(self._bot(bot) for bot in event.line_up)
        self._check_room(event, line_up)
        self.rooms_paired = event.room
        self.rooms[event.room] = OpenRoom(line_up, event.rated)
        self._list_of(line_up[0]).probation_was_last = not event.rated
        for entrant in self._players(self.rooms[event.room]):
            entrant.room = event.room
            self._list_of(entrant).call(entrant)
        if event.rated:
            self._list_of(line_up[0]).rooms += 1
            count_room(line_up, 1)

    def _check_room(self, event: RoomPaired, line_up: Sequence[Entrant]) -> None:
        if event.room != self.rooms_paired + 1:
            self._refuse(f"room {event.room} follows room {self.rooms_paired}")
        if not 2 <= len(set(event.line_up)) == len(line_up) <= 8:
            self._refuse(f"room {event.room} must hold 2 to 8 different bots")
        for entrant in line_up:
            tested_by = entrant.joined.staff and not event.rated
            if not entrant.is_active or (entrant.room is not None and not tested_by):
                self._refuse(f"{entrant.bot} was not free for room {event.room}")

    def _finish(self, event: RoomFinished) -> None:
        room = self._close(event.room)
        for entrant in self._players(room):
            self._list_of(entrant).come_back(entrant)
            if room.rated:
                entrant.games += event.games
                self._list_of(entrant).take_turn(entrant)
            else:
                self._pass_probation(entrant)
            self._free(entrant)

    def _pass_probation(self, entrant: Entrant) -> None:
        entrant.probation = False
        if entrant.is_active:
            self._list_of(entrant).enter(entrant)

    def _void(self, event: RoomVoided) -> None:
        room = self._close(event.room)
        if room.rated:
            count_room(room.line_up, -1)
        for entrant in self._players(room):
            self._list_of(entrant).come_back(entrant)
            self._free(entrant)

    def _free(self, entrant: Entrant) -> None:
        """Lets the latest version of a bot play again."""
        latest = self.bots[entrant.bot]
        latest.room = None
        self._seek_room(latest)

    def _close(self, number: int) -> OpenRoom:
        if number not in self.rooms:
            self._refuse(f"room {number} is not being played")
        return self.rooms.pop(number)

    @staticmethod
    def _players(room: OpenRoom) -> Sequence[Entrant]:
        """Returns those whom a room occupies: everyone but the staff of a probation room."""
        return room.line_up if room.rated else [bot for bot in room.line_up if not bot.joined.staff]

    def _bot(self, name: str) -> Entrant:
        if name not in self.bots:
            self._refuse(f"no bot called {name!r} has joined")
        return self.bots[name]

    def _list_of(self, entrant: Entrant) -> WaitingList:
        return self._list(entrant.joined.clock_class)

    def _list(self, clock_class: str) -> WaitingList:
        if clock_class not in self.lists:
            self.lists[clock_class] = WaitingList(self.terms.seats if self.terms else 0)
        return self.lists[clock_class]

    def _refuse(self, why: str) -> NoReturn:
        raise LadderError(f"event {self._events}: {why}: restore the log as the host published it")


def _neighbours(event: BoardUpdated) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in event.undecided:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {bot: frozenset(others) for bot, others in found.items()}
