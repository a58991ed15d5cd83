"""The bots of one clock class that wait for a room: fewest turns first, then who has waited longest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bourre_referee.ladder.log.entrant import Entrant

LEAD = 2
"""No bot finishes more than this many rated rooms more than another one of its class that was there all the while."""

PATIENCE = 1.25
"""A bot that has waited for this many times the fair number of rooms goes first."""


class WaitingList:
    """Who waits in one clock class, and how far its bots have come."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.floor = 0
        """The fewest turns of any active bot; it never falls, because those who come back start above it."""
        self.probation: dict[str, Entrant] = {}
        """Those who wait for their probation room, longest first."""
        self.newcomers: dict[str, Entrant] = {}
        """Those among the waiting who were never called to a rated room, longest first."""
        self.staff: dict[str, Entrant] = {}
        """Active staff bots."""
        self.probation_was_last = False
        """Whether the last room paired was a probation room."""
        self.undecided: dict[str, frozenset[str]] = {}
        """By bot, its neighbours on the board that its rating is not told apart from."""
        self.rooms = 0
        """How many rated rooms were paired."""
        self._in_line: dict[str, Entrant] = {}
        self._waiting: dict[int, dict[str, Entrant]] = {}
        self._in_rooms: dict[str, Entrant] = {}
        self._active: Counter[int] = Counter()
        self._owned: Counter[str] = Counter()

    def __len__(self) -> int:
        """Returns how many wait for a rated room."""
        return len(self._in_line)

    def __iter__(self) -> Iterator[Entrant]:
        """Yields those who wait for a rated room, in turn."""
        for turns in self.turns():
            yield from self._waiting[turns].values()

    def turns(self) -> list[int]:
        """Returns the numbers of turns that those who wait have had, fewest first."""
        return sorted(self._waiting)

    def with_turns(self, turns: int) -> Iterator[Entrant]:
        """Yields those who wait and have had this many turns, longest waiting first."""
        return iter(self._waiting.get(turns, {}).values())

    def within_lead(self) -> Iterator[Entrant]:
        """Yields those who wait and may play without getting too far ahead, longest waiting first."""
        return (bot for bot in self._in_line.values() if bot.turns < self.floor + LEAD)

    def overdue(self) -> Iterator[Entrant]:
        """Yields those who have waited for too many rooms, longest first.

        All who wait could be seated in a fair number of rooms, counting the next one; `PATIENCE` times as many are too
        many.
        """
        for bot in self._in_line.values():
            if (self.rooms - bot.since + 1) * self.seats < PATIENCE * len(self):
                return
            yield bot

    def opponents(self, bot: Entrant, owners_apart: bool) -> int:
        """Counts the active bots that an active bot may meet."""
        barred = self._owned[bot.joined.owner] if owners_apart and not bot.joined.staff else 1
        return self._active.total() - barred

    def awaits_others(self) -> bool:
        """Whether an active bot is in a rated room, and so will wait again."""
        return any(bot.is_active for bot in self._in_rooms.values())

    def enter(self, entrant: Entrant) -> None:
        """Notes that a bot is active and past its probation.

        It need not make up for the time in which it was not, so those who come and go hold nobody up.
        """
        if entrant.joined.staff:
            self.staff[entrant.bot] = entrant
        else:
            self._owned[entrant.joined.owner] += 1
        entrant.turns = max(entrant.turns, self.floor + 1 if self.rooms else 0)
        self._active[entrant.turns] += 1
        self._raise_floor()

    def leave(self, entrant: Entrant) -> None:
        """Notes that a bot is no longer active."""
        if entrant.joined.staff:
            del self.staff[entrant.bot]
        else:
            self._owned[entrant.joined.owner] -= 1
        self._active[entrant.turns] -= 1
        self._raise_floor()

    def wait(self, entrant: Entrant) -> None:
        """Puts an active bot that is in no room behind those with as many turns."""
        entrant.since = self.rooms
        self._in_line[entrant.bot] = entrant
        self._waiting.setdefault(entrant.turns, {})[entrant.bot] = entrant
        if not entrant.rooms:
            self.newcomers[entrant.bot] = entrant

    def remove(self, entrant: Entrant) -> None:
        """Takes a bot off the list, if it waits."""
        self.probation.pop(entrant.bot, None)
        self.newcomers.pop(entrant.bot, None)
        self._in_line.pop(entrant.bot, None)
        if (same := self._waiting.get(entrant.turns)) is not None:
            same.pop(entrant.bot, None)
            if not same:
                del self._waiting[entrant.turns]

    def call(self, entrant: Entrant) -> None:
        """Notes that a bot was called to a rated room."""
        self.remove(entrant)
        self._in_rooms[entrant.bot] = entrant

    def come_back(self, entrant: Entrant) -> None:
        """Notes that a bot's rated room ended."""
        self._in_rooms.pop(entrant.bot, None)

    def take_turn(self, entrant: Entrant) -> None:
        """Counts a finished rated room."""
        if entrant.is_active:
            self._active[entrant.turns] -= 1
            self._active[entrant.turns + 1] += 1
        entrant.turns += 1
        self._raise_floor()

    def stragglers(self) -> list[Entrant]:
        """Returns the active bots in rooms that the others must not leave further behind.

        If a bot of the same owner waits and has had as few turns, the owner's number of bots holds them up, not the
        room.
        """
        last = [bot for bot in self._in_rooms.values() if bot.is_active and bot.turns == self.floor]
        owners = {bot.joined.owner for bot in self.with_turns(self.floor) if not bot.joined.staff}
        return [bot for bot in last if bot.joined.staff or bot.joined.owner not in owners]

    def _raise_floor(self) -> None:
        for turns in [turns for turns, bots in self._active.items() if not bots]:
            del self._active[turns]
        if self._active:
            self.floor = min(self._active)
