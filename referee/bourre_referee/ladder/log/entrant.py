"""One version of a bot on a ladder: what it may do now, and whom it has met where."""

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
"""As how many turns a bot's first room counts that it left before it began: more than it may be ahead of others."""


@dataclass(eq=False, slots=True)
class LadderEntrant:
    """One version of a bot. All counts are of rated rooms, from the pairing on; a void room counts nothing."""

    number: int
    """The number of entrants before it."""
    joined: BotJoined
    probation: bool
    """Whether its next room is a probation room."""
    present: bool = False
    paused_by: frozenset[By] = frozenset()
    """Whose pauses it keeps: the owner's, the host's or both."""
    benched: str | None = None
    """Why it was benched."""
    benched_by: By = ""
    retired: bool = False
    room: int | None = None
    """The room that it, or an earlier version of it, sits in; not kept of staff in probation rooms."""
    turns: int = 0
    """How many rated rooms it has finished or is charged for; when it comes back, as many as the last of its class."""
    is_charged: bool = False
    """Whether its last room was charged as several turns: it then plays only when nobody else is about to."""
    left: int | None = None
    """The room before whose beginning it left, until it has finished another."""
    times_left: int = 0
    """How often it left before a room began, less one for each room that it has finished since."""
    holds_up: bool = True
    """Whether others may not get too far ahead of it; not while its room overruns or is a challenge."""
    since: int = 0
    """How many rated rooms of its class had been paired when it began to wait."""
    ended_before: int = 0
    """How many rated rooms of its class had ended when it began to wait."""
    games: int = 0
    """How many rated games it has finished."""
    rooms: int = 0
    """How many rated rooms it was called to."""
    at_seat: Counter[int] = field(default_factory=Counter)
    """By seat, how often it sat there."""
    met: Counter[int] = field(default_factory=Counter)
    """By another's number, how often they sat at one table."""
    at_left: Counter[int] = field(default_factory=Counter)
    """By another's number, how often that one sat to its left."""

    def inherit(self, old: LadderEntrant) -> None:
        """Takes over what an earlier version still has to answer for, so that no new version escapes it."""
        self.room, self.left, self.times_left = old.room, old.left, old.times_left
        if old.is_charged:
            self.turns, self.is_charged = old.turns, True

    def note_room(self) -> None:
        """Forgets one of the times that it left before a room began, because it has finished another."""
        self.left, self.times_left = None, max(0, self.times_left - 1)

    def note_leaving(self, room: int) -> int:
        """Notes that it left before this room began; returns as how many turns that counts, twice as many each time."""
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
        """Whether it rests."""
        return bool(self.paused_by)

    def pause(self, event: BotPaused | BotResumed) -> None:
        """Begins or ends a pause; the host ends the owner's too, and an owner only its own."""
        if isinstance(event, BotPaused):
            self.paused_by |= {event.by or "owner"}
        else:
            self.paused_by = frozenset() if event.by == "host" else self.paused_by - {"owner"}

    def bench(self, event: BotBenched) -> None:
        """Stops it; what the host said stays, even if the ladder finds faults in the same moment."""
        if self.benched is None or self.benched_by != "host":
            self.benched, self.benched_by = event.reason, event.by

    @property
    def is_active(self) -> bool:
        """Whether it is there to play: present, and neither paused nor benched nor retired."""
        return self.present and not (self.paused or self.benched is not None or self.retired)


def entrant_name(bot: str, number: int) -> str:
    """Returns the name of a bot's version with this number."""
    return f"{bot}.{number}"


def bot_name(entrant: str) -> str:
    """Returns the bot of an entrant with this name."""
    return entrant.partition(".")[0]


def count_room(line_up: Sequence[LadderEntrant], sign: int) -> None:
    """Counts a rated room of these entrants, by seat, or takes it back, with sign -1."""
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
    """Says why this may not be done to the latest version of a bot now, and who can help; empty if it may."""
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
            return f"{bot.bot} is not benched"
    return ""


def objection_to_version(joined: BotJoined, versions: Sequence[LadderEntrant]) -> str:
    """Says why a bot may not have this version after these, and who can help; empty if it may."""
    if not versions:
        return ""
    latest = versions[-1]
    if joined.by == "owner":
        if latest.retired:
            return _for_the_host(latest, "retired", "take it in again")
        if latest.benched is not None and latest.benched_by == "host":
            return f"{_for_the_host(latest, 'benched', 'reinstate it')} ({latest.benched})"
        if "host" in latest.paused_by:
            return _for_the_host(latest, "paused", "resume it")
        if _is_same(joined, latest.joined) and latest.benched is None:
            return f"nothing differs from version {latest.joined.number}: change the files first"
    for known in versions:
        bars = known.benched is not None and (joined.by == "owner" or known.benched_by != "host")
        if bars and _is_same(joined, known.joined):
            lifts = "a version that differs, or the host, lifts that (bourre ladder reinstate)"
            return f"this is version {known.joined.number} again, which was benched ({known.benched}): {lifts}"
    return ""


def _for_the_host(bot: LadderEntrant, what: str, undo: str) -> str:
    return f"the host {what} {bot.bot}: only the host can {undo}"


def _is_same(one: BotJoined, other: BotJoined) -> bool:
    if one.hosted:
        return (one.command, one.files) == (other.command, other.files)
    return not other.hosted and one.version == other.version
