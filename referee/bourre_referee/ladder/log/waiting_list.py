"""The bots of one clock class that wait for a room: fewest turns first, then who has waited longest."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from statistics import median_low

from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import LadderError, TermsSet

PAIRING = 2
"""The rule by which epochs that are opened now are paired; 1 is that of terms which name none."""

LAST = 201
"""So many of the last rooms say what is usual: few slow bots do not change their median."""

OVERLONG = 3
"""A room that lasts longer than so many usual ones holds up nobody any more."""


def pairing_rule(terms: TermsSet | None) -> int:
    """Returns the rule by which rooms are paired on these terms; raises LadderError if this program lacks it."""
    rule = dict(terms.others).get("pairing", "1") if terms else "1"
    if rule not in map(str, range(1, PAIRING + 1)):
        raise LadderError(f"its rooms are paired by rule {rule}, which this version does not have: use a newer one")
    return int(rule)


class RoomLengths:
    """The lengths of the last rooms of one clock class, in milliseconds."""

    def __init__(self) -> None:
        self._lengths: deque[int] = deque(maxlen=LAST)
        self.usual_ms = 0
        """The usual length; 0 if it is not known."""

    def add(self, took_ms: int) -> None:
        """Takes in the length of a room, if it is known."""
        if took_ms > 0:
            self._lengths.append(took_ms)
            self.usual_ms = median_low(self._lengths)

    @property
    def has_overlong(self) -> bool:
        """Whether one of the last rooms was overlong."""
        return bool(self._lengths) and self.is_overlong(max(self._lengths))

    def is_overlong(self, took_ms: int) -> bool:
        """Whether a room has lasted so long that nobody should wait for its end."""
        return 0 < OVERLONG * self.usual_ms < took_ms

    def rooms(self, took_ms: int) -> int:
        """Returns how many usual rooms could have been played meanwhile, rounded up; at least 1."""
        return max(1, -(-took_ms // self.usual_ms)) if self.usual_ms else 1

    def turns(self, thought_ms: int, seats: int) -> int:
        """Returns how many turns a bot has had that took so long for its decisions at a table of so many seats.

        A usual room has a share of time for each seat. Who takes more than two of them is charged two turns for each
        further one: one for its own seat's time, one because all others at its table are missed elsewhere meanwhile.
        """
        return max(1, 2 * (seats * thought_ms // self.usual_ms) - 3) if self.usual_ms else 1


LEAD = 2
"""No bot finishes more than this many rated rooms more than another one of its class that was there all the while."""

PATIENCE = 1.25
"""A bot that has waited for this many times the fair number of rooms goes first."""


class WaitingList:
    """Who waits in one clock class, and how far its bots have come."""

    def __init__(self, seats: int, pairing: int) -> None:
        self.seats = seats
        self.pairing = pairing
        self.floor = 0
        """The fewest turns of any active bot; it never falls, because those who come back start above it."""
        self.probation: dict[str, LadderEntrant] = {}
        """Those who wait for their probation room, longest first."""
        self.newcomers: dict[str, LadderEntrant] = {}
        """Those among the waiting who were never called to a rated room, longest first."""
        self.staff: dict[str, LadderEntrant] = {}
        """Active staff bots."""
        self.probation_was_last = False
        """Whether the last room paired was a probation room."""
        self.undecided: dict[str, frozenset[str]] = {}
        """By bot, its neighbours on the board that its rating is not told apart from."""
        self.rooms = 0
        """How many rated rooms were paired."""
        self.ended = 0
        """How many rated rooms ended."""
        self.lengths = RoomLengths()
        """How long rated rooms last."""
        self._in_line: dict[str, LadderEntrant] = {}
        self._waiting: dict[int, dict[str, LadderEntrant]] = {}
        self._in_rooms: dict[str, LadderEntrant] = {}
        self._charged: dict[str, LadderEntrant] = {}
        """Those among the waiting who were charged several turns."""
        self._held_to: Counter[int] = Counter()
        """By their turns, how many active bots others must not get too far ahead of."""
        self._owned: Counter[str] = Counter()

    def __len__(self) -> int:
        """Returns how many wait for a rated room."""
        return len(self._in_line)

    def __iter__(self) -> Iterator[LadderEntrant]:
        """Yields those who wait for a rated room, in turn."""
        for turns in self.turns():
            yield from self._waiting[turns].values()

    def part(self, undecided: Iterable[tuple[str, str]]) -> None:
        """Replaces the neighbours on the board who are to meet, because nothing tells them apart."""
        found: dict[str, set[str]] = {}
        for one, other in undecided:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
        self.undecided = {bot: frozenset(others) for bot, others in found.items()}

    def all_waiting(self) -> Iterator[str]:
        """Yields all bots that wait for any room."""
        yield from self._in_line
        yield from self.probation

    def turns(self) -> list[int]:
        """Returns the numbers of turns that those who wait have had, fewest first."""
        return sorted(self._waiting)

    def with_turns(self, turns: int) -> Iterator[LadderEntrant]:
        """Yields those who wait and have had this many turns, longest waiting first."""
        return iter(self._waiting.get(turns, {}).values())

    def ready_with(self, turns: int) -> Iterator[LadderEntrant]:
        """Yields those of them who need not rest: who must, does as long as others are about to come back."""
        return (bot for bot in self.with_turns(turns) if not (self.must_rest(bot) and self.awaits_others()))

    def within_lead(self) -> Iterator[LadderEntrant]:
        """Yields those who wait and may play without getting too far ahead, longest waiting first."""
        return (bot for bot in self._in_line.values() if bot.turns < self.floor + LEAD)

    def overdue(self) -> Iterator[LadderEntrant]:
        """Yields those who have waited for too many rooms, longest first, but for those who are to wait.

        All who wait could be seated in a fair number of rooms, counting the next one; `PATIENCE` times as many are too
        many.
        """
        for bot in self._in_line.values():
            if (self.rooms - bot.since + 1) * self.seats < PATIENCE * len(self):
                return
            if not self.must_rest(bot):
                yield bot

    def must_rest(self, bot: LadderEntrant) -> bool:
        """Whether a bot was charged so many turns that it is to play only when nobody else is about to."""
        return bot.is_charged and bot.turns > self.floor + LEAD

    def opponents(self, bot: LadderEntrant, owners_apart: bool) -> int:
        """Counts the active bots that one may meet, but for those who rest or are in long rooms; at least 1."""
        barred = self._owned[bot.joined.owner] if owners_apart and not bot.joined.staff else 1
        resting = sum(map(self.must_rest, self._charged.values()))
        return max(1, self._held_to.total() - resting - barred)

    def awaits_others(self) -> bool:
        """Whether an active bot is in a rated room, and so will wait again."""
        return any(bot.is_active for bot in self._in_rooms.values())

    def enter(self, entrant: LadderEntrant) -> None:
        """Notes that a bot is active and past its probation.

        It need not make up for the time in which it was not, so those who come and go hold nobody up.
        """
        if entrant.joined.staff:
            self.staff[entrant.bot] = entrant
        else:
            self._owned[entrant.joined.owner] += 1
        if entrant.holds_up:
            self._hold_to(entrant)

    def leave(self, entrant: LadderEntrant) -> None:
        """Notes that a bot is no longer active."""
        if entrant.joined.staff:
            del self.staff[entrant.bot]
        else:
            self._owned[entrant.joined.owner] -= 1
        if entrant.holds_up:
            self._held_to[entrant.turns] -= 1
            self._raise_floor()

    def wait(self, entrant: LadderEntrant) -> None:
        """Puts an active bot that is in no room behind those with as many turns."""
        entrant.since, entrant.ended_before = self.rooms, self.ended
        self._in_line[entrant.bot] = entrant
        self._waiting.setdefault(entrant.turns, {})[entrant.bot] = entrant
        if not entrant.rooms and not entrant.is_charged:
            self.newcomers[entrant.bot] = entrant
        if entrant.is_charged:
            self._charged[entrant.bot] = entrant

    def remove(self, entrant: LadderEntrant) -> None:
        """Takes a bot off the list, if it waits."""
        self.probation.pop(entrant.bot, None)
        self.newcomers.pop(entrant.bot, None)
        self._charged.pop(entrant.bot, None)
        self._in_line.pop(entrant.bot, None)
        if (same := self._waiting.get(entrant.turns)) is not None:
            same.pop(entrant.bot, None)
            if not same:
                del self._waiting[entrant.turns]

    def call(self, entrant: LadderEntrant, *, challenge: bool) -> None:
        """Notes that a bot was called to a room; by rule 2, who plays a challenge holds up nobody."""
        self.remove(entrant)
        if challenge and self.pairing > 1:
            self.excuse(entrant)
        else:
            self._in_rooms[entrant.bot] = entrant

    def excuse(self, entrant: LadderEntrant) -> None:
        """Lets a bot in a room hold up nobody until it comes back."""
        self._in_rooms.pop(entrant.bot, None)
        if entrant.holds_up and entrant.is_active:
            self._held_to[entrant.turns] -= 1
            self._raise_floor()
        entrant.holds_up = False

    def come_back(self, entrant: LadderEntrant, turns: int = 0) -> None:
        """Notes that a bot's room ended, and counts these turns."""
        self._in_rooms.pop(entrant.bot, None)
        counts = entrant.is_active and not entrant.probation
        if counts and entrant.holds_up:
            self._held_to[entrant.turns] -= 1
        if turns:
            entrant.turns, entrant.is_charged = entrant.turns + turns, turns > 1
        if counts and entrant.holds_up:
            self._held_to[entrant.turns] += 1
            self._raise_floor()
        elif counts:
            self._hold_to(entrant)
        entrant.holds_up = True

    def stragglers(self) -> list[LadderEntrant]:
        """Returns the active bots in rooms that the others must not leave further behind.

        If a bot of the same owner waits and has had as few turns (by rule 2, about as few), the owner's number of bots
        holds them up, not the room.
        """
        last = [bot for bot in self._in_rooms.values() if bot.is_active and bot.turns == self.floor]
        few = self.within_lead() if self.pairing > 1 else self.with_turns(self.floor)
        owners = {bot.joined.owner for bot in few if not bot.joined.staff}
        return [bot for bot in last if bot.joined.staff or bot.joined.owner not in owners]

    def _hold_to(self, entrant: LadderEntrant) -> None:
        """Lets nobody get too far ahead of a bot from now on; it need not make up for the time before."""
        entrant.turns = max(entrant.turns, self.floor + 1 if self.rooms else 0)
        self._held_to[entrant.turns] += 1
        self._raise_floor()

    def _raise_floor(self) -> None:
        for turns in [turns for turns, bots in self._held_to.items() if not bots]:
            del self._held_to[turns]
        if self._held_to:
            self.floor = min(self._held_to)
