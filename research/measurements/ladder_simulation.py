"""A ladder in simulated time: bots come and go, rooms take their time, and everything is logged."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random

from bourre_referee.ladder.log.events import (
    BotArrived,
    BotJoined,
    BotLeft,
    EpochOpened,
    Event,
    LadderOpened,
    RoomFinished,
    RoomOverran,
    RoomPaired,
    RoomVoided,
    TermsSet,
)
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.log.waiting_list import OVERLONG, PAIRING
from bourre_referee.ladder.matchmaking.next_room import RoomChoice, pair

SEED = bytes(32)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a simulated ladder is like; the unit of time is the mean length of a room."""

    seats: int = 5
    classes: int = 1
    always: int = 20
    """Bots of each class that are always there."""
    passing: int = 0
    """Bots of each class that come and go."""
    staff: int = 0
    """Staff bots of each class, among those that are always there."""
    workers: int = 4
    """How many rooms of each class can be played at once."""
    bots_per_owner: int = 1
    owners_apart: bool = True
    stay: float = 30.0
    """The mean time that a passing bot stays, and then stays away."""
    versions: float = 0.0
    """The probability that a passing bot comes back as a new version."""
    void: float = 0.0
    """The probability that the host fails a room."""
    spread: float = 0.25
    """Rooms last from 1 - spread to 1 + spread."""
    slow: int = 0
    """Bots of each class, the last of those that are always there, that think for `thought` in each room."""
    thought: float = 20.0


@dataclass(slots=True)
class Measured:
    """What a simulated ladder came to."""

    waits: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By bot that is always there, from the end of each room to the beginning of the next."""
    first_rated: list[float] = field(default_factory=list)
    """Of each new version that stayed, from its arrival to the beginning of its first rated room."""
    widest: int = 0
    """The largest difference in finished games between two bots of a class that are always there."""
    busy: float = 0.0
    """Time in which workers played, over all of them."""


class Simulation:
    """A ladder with a clock of its own; `pairing` is called whenever a worker is free."""

    def __init__(
        self,
        setting: Setting,
        rng: Random,
        log: Callable[[Event], object] = lambda event: None,
        pairing: Callable[[LadderState, bytes, str], RoomChoice | None] = pair,
    ) -> None:
        self.state = LadderState()
        self.measured = Measured()
        self.now = 0.0
        self._setting, self._rng, self._log, self._pair = setting, rng, log, pairing
        self._ahead: list[tuple[float, int, Callable[[], None]]] = []
        self._planned = 0
        self._free = {f"class-{number}": setting.workers for number in range(setting.classes)}
        self._since: dict[str, float] = {}
        self._new_since: dict[str, float] = {}
        self._open()

    def run(self, until: float) -> Measured:
        """Plays on until this time."""
        self._pair_all()
        while self._ahead and self._ahead[0][0] <= until:
            self.now, _, act = heapq.heappop(self._ahead)
            act()
            self._pair_all()
        return self.measured

    def always_there(self, clock_class: str) -> Sequence[str]:
        """Returns the names of the bots of a class that are always there."""
        return [f"{clock_class}-bot-{number}" for number in range(self._setting.always)]

    def _open(self) -> None:
        setting = self._setting
        self._note(LadderOpened(setting.seats, setting.owners_apart))
        self._note(TermsSet("", (("pairing", str(PAIRING)),)))
        self._note(EpochOpened(1, sha256(SEED).hexdigest(), ""))
        for clock_class in self._free:
            for number, bot in enumerate(self.always_there(clock_class)):
                self._join(bot, 1, clock_class, number >= setting.always - setting.staff)
                self._arrive(bot)
            for number in range(setting.passing):
                bot = f"{clock_class}-guest-{number}"
                self._join(bot, 1, clock_class, staff=False)
                self._plan(self._span(setting.stay), lambda bot=bot: self._come(bot))  # type: ignore[misc]

    def _join(self, bot: str, number: int, clock_class: str, staff: bool) -> None:
        owner = f"owner {int(bot.rpartition('-')[2]) // self._setting.bots_per_owner}"
        self._note(BotJoined(bot, number, f"{number}.0", "host" if staff else owner, clock_class, staff))

    def _come(self, bot: str) -> None:
        joined = self.state.bots[bot].joined
        if self._rng.random() < self._setting.versions:
            self._join(bot, joined.number + 1, joined.clock_class, staff=False)
            self._new_since[bot] = self.now
        self._arrive(bot)
        self._plan(self._span(self._setting.stay), lambda: self._go(bot))

    def _go(self, bot: str) -> None:
        self._note(BotLeft(bot))
        self._new_since.pop(bot, None)
        self._plan(self._span(self._setting.stay), lambda: self._come(bot))

    def _arrive(self, bot: str) -> None:
        self._note(BotArrived(bot))
        self._since[bot] = self.now

    def _pair_all(self) -> None:
        for clock_class in self._free:
            while self._free[clock_class] and (found := self._pair(self.state, SEED, clock_class)):
                self._begin(found, clock_class)

    def _begin(self, found: RoomChoice, clock_class: str) -> None:
        room = self.state.rooms_paired + 1
        self._note(RoomPaired(room, found.line_up, found.rated))
        self._free[clock_class] -= 1
        for bot in found.line_up if found.rated else ():
            self._count_wait(bot)
        length = 1 + self._setting.spread * (2 * self._rng.random() - 1)
        thought = [self._thought(bot, length) for bot in found.line_up]
        length = max(length, sum(thought))
        self.measured.busy += length
        self._plan_waiver(room, clock_class, length)
        finished = RoomFinished(room, 1, _ms(length), tuple(map(_ms, thought)))
        self._plan(length, lambda: self._end(finished, found, clock_class))

    def _thought(self, bot: str, length: float) -> float:
        always = self.always_there(self.state.bots[bot].joined.clock_class)
        slow = always[len(always) - self._setting.slow :]
        return self._setting.thought if bot in slow else length / (2 * self._setting.seats)

    def _plan_waiver(self, room: int, clock_class: str, length: float) -> None:
        """Plans when a room holds up nobody any more, if it lasts as long as that."""
        limit = OVERLONG * self.state.lists[clock_class].lengths.usual_ms / 1000
        if 0 < limit < length:
            self._plan(limit, lambda: self._note(RoomOverran(room)))

    def _count_wait(self, bot: str) -> None:
        if "guest" not in bot:
            self.measured.waits[bot].append(self.now - self._since[bot])
        elif bot in self._new_since:
            self.measured.first_rated.append(self.now - self._new_since.pop(bot))

    def _end(self, finished: RoomFinished, found: RoomChoice, clock_class: str) -> None:
        void = self._rng.random() < self._setting.void
        self._note(RoomVoided(finished.room, "the host was overloaded") if void else finished)
        self._free[clock_class] += 1
        for bot in found.line_up if found.rated else ():
            self._since[bot] = self.now
        if found.rated:
            self._compare_games(clock_class)

    def _compare_games(self, clock_class: str) -> None:
        there = [self.state.bots[bot] for bot in self.always_there(clock_class)]
        games = [bot.games for bot in there if not bot.probation]
        self.measured.widest = max(self.measured.widest, max(games) - min(games))

    def _note(self, event: Event) -> None:
        self._log(event)
        self.state.apply(event)

    def _plan(self, delay: float, act: Callable[[], None]) -> None:
        self._planned += 1
        heapq.heappush(self._ahead, (self.now + delay, self._planned, act))

    def _span(self, mean: float) -> float:
        return self._rng.expovariate(1 / mean)


def _ms(time: float) -> int:
    """Returns a time as events have it, if a room lasts for a second."""
    return int(1000 * time)
