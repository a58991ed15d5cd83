"""The waiting bots of one clock class: first those with the fewest turns, then those that have waited longest."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from statistics import median_low

from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import LadderError, TermsSet

PAIRING = 2
"""The pairing rule of new epochs. Terms without a rule mean rule 1."""

LAST = 201
"""The number of last rooms for the usual length. A few slow bots do not change their median."""

OVERLONG = 3
"""The number of usual lengths after which other bots no longer wait for a room."""


def pairing_rule(terms: TermsSet | None) -> int:
    """Returns the pairing rule of these terms. Raises LadderError if this version lacks it."""
    rule = dict(terms.others).get("pairing", "1") if terms else "1"
    if rule not in map(str, range(1, PAIRING + 1)):
        raise LadderError(f"rooms are paired by rule {rule}, which this version lacks.\nhint: install a newer bourre")
    return int(rule)


class RoomLengths:
    """The lengths of the last rooms of one clock class, in milliseconds."""

    def __init__(self) -> None:
        self._lengths: deque[int] = deque(maxlen=LAST)
        self.usual_ms = 0
        """The usual length; 0 if unknown."""

    def add(self, took_ms: int) -> None:
        """Adds the length of a room, if known."""
        if took_ms > 0:
            self._lengths.append(took_ms)
            self.usual_ms = median_low(self._lengths)

    @property
    def has_overlong(self) -> bool:
        """Whether one of the last rooms was overlong."""
        return bool(self._lengths) and self.is_overlong(max(self._lengths))

    def is_overlong(self, took_ms: int) -> bool:
        """Whether a room has lasted too long to wait for."""
        return 0 < OVERLONG * self.usual_ms < took_ms

    def rooms(self, took_ms: int) -> int:
        """Returns the number of usual rooms in this time, rounded up; at least 1."""
        return max(1, -(-took_ms // self.usual_ms)) if self.usual_ms else 1

    def turns(self, thought_ms: int, seats: int) -> int:
        """Returns the turns charged to a bot that took this long for its decisions, at a table of this many seats.

        A usual room has a share of time for each seat. A bot that takes more than two shares is charged two turns for
        each further one: one for the time, and one because the others at its table are missing elsewhere.
        """
        return max(1, 2 * (seats * thought_ms // self.usual_ms) - 3) if self.usual_ms else 1


LEAD = 2
"""The most rated rooms by which a bot may be ahead of another bot of its class that was always present."""

PATIENCE = 1.25
"""A bot goes first after it has waited for this multiple of the fair number of rooms."""


class WaitingList:
    """The waiting bots of one clock class, and the turns of its bots."""

    def __init__(self, seats: int, pairing: int) -> None:
        self.seats = seats
        self.pairing = pairing
        self.floor = 0
        """The fewest turns of any active bot. It never falls, because returning bots start above it."""
        self.probation: dict[str, LadderEntrant] = {}
        """The bots that wait for their probation room, longest first."""
        self.newcomers: dict[str, LadderEntrant] = {}
        """The waiting bots without a rated room so far, longest first."""
        self.staff: dict[str, LadderEntrant] = {}
        """Active staff bots."""
        self.probation_was_last = False
        """Whether the last room paired was a probation room."""
        self.undecided: dict[str, frozenset[str]] = {}
        """Each bot's tied neighbours on the board."""
        self.rooms = 0
        """The number of paired rated rooms."""
        self.ended = 0
        """The number of ended rated rooms."""
        self.lengths = RoomLengths()
        """The lengths of rated rooms."""
        self._in_line: dict[str, LadderEntrant] = {}
        self._waiting: dict[int, dict[str, LadderEntrant]] = {}
        self._in_rooms: dict[str, LadderEntrant] = {}
        self._charged: dict[str, LadderEntrant] = {}
        """The waiting bots that were charged several turns."""
        self._held_to: Counter[int] = Counter()
        """The number of active bots that limit the lead of others, by their turns."""
        self._owned: Counter[str] = Counter()

    def __len__(self) -> int:
        """Returns the number of bots that wait for a rated room."""
        return len(self._in_line)

    def __iter__(self) -> Iterator[LadderEntrant]:
        """Yields the bots that wait for a rated room, in turn."""
        for turns in self.turns():
            yield from self._waiting[turns].values()

    def part(self, undecided: Iterable[tuple[str, str]]) -> None:
        """Replaces the tied neighbours on the board."""
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
        """Returns the waiting bots' numbers of turns, fewest first."""
        return sorted(self._waiting)

    def with_turns(self, turns: int) -> Iterator[LadderEntrant]:
        """Yields the waiting bots with this many turns, longest waiting first."""
        return iter(self._waiting.get(turns, {}).values())

    def ready_with(self, turns: int) -> Iterator[LadderEntrant]:
        """Yields the waiting bots with this many turns that need not rest while others will soon be back."""
        return (bot for bot in self.with_turns(turns) if not (self.must_rest(bot) and self.awaits_others()))

    def within_lead(self) -> Iterator[LadderEntrant]:
        """Yields the waiting bots that may play without getting too far ahead, longest waiting first."""
        return (bot for bot in self._in_line.values() if bot.turns < self.floor + LEAD)

    def overdue(self) -> Iterator[LadderEntrant]:
        """Yields the bots that have waited for too many rooms, longest first, without those that must wait.

        The fair number of rooms, including the next one, would seat all waiting bots. `PATIENCE` times as many are too
        many.
        """
        for bot in self._in_line.values():
            if (self.rooms - bot.since + 1) * self.seats < PATIENCE * len(self):
                return
            if not self.must_rest(bot):
                yield bot

    def must_rest(self, bot: LadderEntrant) -> bool:
        """Whether a bot was charged so many turns that it plays only if no other bot will soon."""
        return bot.is_charged and bot.turns > self.floor + LEAD

    def opponents(self, bot: LadderEntrant, owners_apart: bool) -> int:
        """Counts the possible opponents of a bot, without bots that rest or are in long rooms; at least 1."""
        barred = self._owned[bot.joined.owner] if owners_apart and not bot.joined.staff else 1
        resting = sum(map(self.must_rest, self._charged.values()))
        return max(1, self._held_to.total() - resting - barred)

    def awaits_others(self) -> bool:
        """Whether an active bot is in a rated room, and will come back."""
        return any(bot.is_active for bot in self._in_rooms.values())

    def enter(self, entrant: LadderEntrant) -> None:
        """Adds an active bot that is past its probation.

        It need not make up for its absence, so bots that come and go delay nobody.
        """
        if entrant.joined.staff:
            self.staff[entrant.bot] = entrant
        else:
            self._owned[entrant.joined.owner] += 1
        if entrant.holds_up:
            self._hold_to(entrant)

    def leave(self, entrant: LadderEntrant) -> None:
        """Removes a bot that is no longer active."""
        if entrant.joined.staff:
            del self.staff[entrant.bot]
        else:
            self._owned[entrant.joined.owner] -= 1
        if entrant.holds_up:
            self._held_to[entrant.turns] -= 1
            self._raise_floor()

    def wait(self, entrant: LadderEntrant) -> None:
        """Puts a free active bot behind those with as many turns."""
        entrant.since, entrant.ended_before = self.rooms, self.ended
        self._in_line[entrant.bot] = entrant
        self._waiting.setdefault(entrant.turns, {})[entrant.bot] = entrant
        if not entrant.rooms and not entrant.is_charged:
            self.newcomers[entrant.bot] = entrant
        if entrant.is_charged:
            self._charged[entrant.bot] = entrant

    def remove(self, entrant: LadderEntrant) -> None:
        """Removes a bot from the list, if it waits."""
        self.probation.pop(entrant.bot, None)
        self.newcomers.pop(entrant.bot, None)
        self._charged.pop(entrant.bot, None)
        self._in_line.pop(entrant.bot, None)
        if (same := self._waiting.get(entrant.turns)) is not None:
            same.pop(entrant.bot, None)
            if not same:
                del self._waiting[entrant.turns]

    def call(self, entrant: LadderEntrant, *, challenge: bool) -> None:
        """Records that a bot is in a room. By rule 2, nobody waits for a bot in a challenge."""
        self.remove(entrant)
        if challenge and self.pairing > 1:
            self.excuse(entrant)
        else:
            self._in_rooms[entrant.bot] = entrant

    def excuse(self, entrant: LadderEntrant) -> None:
        """Stops others from waiting for a bot in a room until it is back."""
        self._in_rooms.pop(entrant.bot, None)
        if entrant.holds_up and entrant.is_active:
            self._held_to[entrant.turns] -= 1
            self._raise_floor()
        entrant.holds_up = False

    def come_back(self, entrant: LadderEntrant, turns: int = 0) -> None:
        """Records the end of a bot's room, and counts these turns."""
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
        """Returns the active bots in rooms that limit the lead of the others.

        It omits a bot if another bot of its owner waits with as few turns (by rule 2, about as few), because then the
        owner's number of bots is the cause, not the room.
        """
        last = [bot for bot in self._in_rooms.values() if bot.is_active and bot.turns == self.floor]
        few = self.within_lead() if self.pairing > 1 else self.with_turns(self.floor)
        owners = {bot.joined.owner for bot in few if not bot.joined.staff}
        return [bot for bot in last if bot.joined.staff or bot.joined.owner not in owners]

    def _hold_to(self, entrant: LadderEntrant) -> None:
        """Limits the lead of others over a bot from now on. It need not make up for the time before."""
        entrant.turns = max(entrant.turns, self.floor + 1 if self.rooms else 0)
        self._held_to[entrant.turns] += 1
        self._raise_floor()

    def _raise_floor(self) -> None:
        for turns in [turns for turns, bots in self._held_to.items() if not bots]:
            del self._held_to[turns]
        if self._held_to:
            self.floor = min(self._held_to)
