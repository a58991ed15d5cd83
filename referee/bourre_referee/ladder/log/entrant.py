"""One version of a bot on a ladder: its state, and its meetings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bourre_referee.ladder.log.events import (
    BotArrived,
    BotBenched,
    BotEvent,
    BotJoined,
    BotLeft,
    BotPaused,
    BotReinstated,
    BotResumed,
    By,
)

FIRST_LEAVE = 4
"""The turns charged for a bot's first room that it left before the start: more than its allowed lead."""


@dataclass(eq=False, slots=True)
class LadderEntrant:
    """One version of a bot. All counts are of rated rooms from their pairing on, without void rooms."""

    number: int
    """The number of entrants before it."""
    joined: BotJoined
    probation: bool
    """Whether its next room is a probation room."""
    present: bool = False
    paused_by: frozenset[By] = frozenset()
    """Who paused it: the owner, the host or both."""
    benched: str | None = None
    """Why it was suspended."""
    benched_by: By = ""
    retired: bool = False
    room: int | None = None
    """The room of it, or of an earlier version. It is not stored for staff in probation rooms."""
    turns: int = 0
    """The rated rooms that it has finished or is charged for. A returning bot has as many as the last of its class."""
    is_charged: bool = False
    """Whether its last room was charged as several turns. Then it plays only if no other bot will soon."""
    left: int | None = None
    """The room that it left before the start, until it has finished another."""
    times_left: int = 0
    """The number of rooms that it left before the start, minus one for each room that it has finished since."""
    holds_up: bool = True
    """Whether others must not get too far ahead of it. False while its room overruns or is a challenge."""
    since: int = 0
    """The number of paired rated rooms of its class when it began to wait."""
    ended_before: int = 0
    """The number of ended rated rooms of its class when it began to wait."""
    games: int = 0
    """The number of finished rated games."""
    rooms: int = 0
    """The number of rated rooms, including open ones."""
    at_seat: Counter[int] = field(default_factory=Counter)
    """The number of times in each seat."""
    met: Counter[int] = field(default_factory=Counter)
    """The number of meetings, by the other's number."""
    at_left: Counter[int] = field(default_factory=Counter)
    """How often another sat to its left, by the other's number."""

    def inherit(self, old: LadderEntrant) -> None:
        """Inherits the charges and the room of an earlier version, so that a new version does not escape them."""
        self.room, self.left, self.times_left = old.room, old.left, old.times_left
        if old.is_charged:
            self.turns, self.is_charged = old.turns, True

    def note_room(self) -> None:
        """Forgives one early departure, because it has finished another room."""
        self.left, self.times_left = None, max(0, self.times_left - 1)

    def note_leaving(self, room: int) -> int:
        """Records a departure before this room began, and returns the charged turns, which double each time."""
        self.left, self.times_left = room, self.times_left + 1
        return FIRST_LEAVE << min(self.times_left - 1, 5)

    @property
    def bot(self) -> str:
        """The bot's name, which its versions share."""
        return self.joined.bot

    @property
    def name(self) -> str:
        """The name of this version, `alice.2`, as line-ups of epochs and ratings have it."""
        return entrant_name(self.bot, self.joined.number)

    @property
    def paused(self) -> bool:
        """Whether it is paused."""
        return bool(self.paused_by)

    def pause(self, event: BotPaused | BotResumed) -> None:
        """Begins or ends a pause. The host can also end the owner's pause, but an owner only its own."""
        if isinstance(event, BotPaused):
            self.paused_by |= {event.by or "owner"}
        else:
            self.paused_by = frozenset() if event.by == "host" else self.paused_by - {"owner"}

    def bench(self, event: BotBenched) -> None:
        """Suspends it. The host's reason stays, even if the ladder suspends it too."""
        if self.benched is None or self.benched_by != "host":
            self.benched, self.benched_by = event.reason, event.by

    @property
    def is_active(self) -> bool:
        """Whether it can play: it is present, and not paused, suspended or retired."""
        return self.present and not (self.paused or self.benched is not None or self.retired)


def entrant_name(bot: str, number: int) -> str:
    """Returns the name of a bot's version with this number."""
    return f"{bot}.{number}"


def bot_name(entrant: str) -> str:
    """Returns the bot of an entrant with this name."""
    return entrant.partition(".")[0]


def count_room(line_up: Sequence[LadderEntrant], sign: int) -> None:
    """Counts a rated room of these entrants, by seat. With sign -1, it takes the room back."""
    for seat, entrant in enumerate(line_up):
        entrant.rooms += sign
        _add(entrant.at_seat, seat, sign)
        _add(entrant.at_left, line_up[(seat + 1) % len(line_up)].number, sign)
        for other in line_up:
            if other is not entrant:
                _add(entrant.met, other.number, sign)


def _add(counts: Counter[int], key: int, sign: int) -> None:
    counts[key] = count = counts.get(key, 0) + sign
    if not count:
        del counts[key]


def objection(event: BotEvent, bot: LadderEntrant) -> str:
    """Returns why this event is not possible for the latest version of a bot now, and who can help; empty if it is."""
    if bot.retired:
        return f"{bot.bot} has retired: only the host can take it in again, as a new version (bourre ladder add)"
    match event:
        case BotArrived() | BotLeft():
            return ""
        case BotPaused() if event.by in bot.paused_by:
            return f"{bot.bot} is paused already"
        case BotResumed() if not bot.paused:
            return f"{bot.bot} is not paused"
        case BotResumed(by="owner") if "host" in bot.paused_by:
            return _for_the_host(bot, "paused", "resume it")
        case BotReinstated() if bot.benched is None:
            return f"{bot.bot} is not suspended"
    return ""


def objection_to_version(joined: BotJoined, versions: Sequence[LadderEntrant]) -> str:
    """Returns why a bot may not add this version after these, and who can help; empty if it may."""
    if not versions:
        return ""
    latest = versions[-1]
    if joined.by == "owner":
        if latest.retired:
            return _for_the_host(latest, "retired", "take it in again")
        if latest.benched is not None and latest.benched_by == "host":
            return f"{_for_the_host(latest, 'suspended', 'reinstate it')} ({latest.benched})"
        if "host" in latest.paused_by:
            return _for_the_host(latest, "paused", "resume it")
        if _is_same(joined, latest.joined) and latest.benched is None:
            return f"nothing differs from version {latest.joined.number}: change the files first"
    for known in versions:
        bars = known.benched is not None and (joined.by == "owner" or known.benched_by != "host")
        if bars and _is_same(joined, known.joined):
            lifts = "a version that differs, or the host, lifts that (bourre ladder reinstate)"
            return f"this is version {known.joined.number} again, which was suspended ({known.benched}): {lifts}"
    return ""


def _for_the_host(bot: LadderEntrant, what: str, undo: str) -> str:
    return f"the host {what} {bot.bot}: only the host can {undo}"


def _is_same(one: BotJoined, other: BotJoined) -> bool:
    if one.hosted:
        return (one.command, one.files) == (other.command, other.files)
    return not other.hosted and one.version == other.version
