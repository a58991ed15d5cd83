"""The section [schedule] of a contest: who meets whom, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre.rules.errors import unknown
from bourre_referee.contest.schedule import Schedule, SearchCache, fixed_line_ups, gauntlet, no_cache, round_robin

NEEDED = {"gauntlet": ("bot", '"..."')} | dict.fromkeys(("line-ups", "once", "called"), ("line_ups", "[[...], ...]"))
"""The key that each kind requires, and how it is written."""

TAKEN = {
    "round-robin": ("rounds", "adaptive"),
    "gauntlet": ("rounds", "bot"),
    "line-ups": ("line_ups", "repeats"),
    "once": ("line_ups",),
    "neighbours": ("line_ups",),
    "ladder": (),
    "called": ("line_ups",),
}
"""The keys that each kind accepts. A contest file cannot use the last four: `once` plays each line-up in one match, of
a format that seats all bots everywhere; `neighbours` is for adaptive rounds, `ladder` for the terms of a ladder's
epoch, and `called` for the rooms that the ladder has paired so far."""


@dataclass(frozen=True, slots=True)
class ScheduleChoice:
    """The requested schedule. Keys that its kind does not accept are None."""

    kind: str = "round-robin"
    rounds: int | None = None
    """None means one full cycle of a round robin, or one round of a gauntlet."""
    bot: str | None = None
    """The bot that plays everyone in a gauntlet."""
    line_ups: tuple[tuple[str, ...], ...] | None = None
    """The fixed line-ups, by name."""
    repeats: int | None = None
    """How often the fixed line-ups are played in all their seatings; None means once."""
    adaptive: int | None = None
    """The most adaptive rounds, between undecided neighbours in the ranking; None means none."""


def schedule_of(
    pairing: ScheduleChoice, names: Sequence[str], seats: int, seed: bytes, cache: SearchCache = no_cache
) -> Schedule:
    """Makes the schedule, in which a bot is its index in `names`. Raises ValueError if it cannot be played."""
    number = {name: index for index, name in enumerate(names)}
    if pairing.bot is not None:
        return gauntlet(len(names), seats, pairing.rounds or 1, number[pairing.bot], seed, cache)
    if pairing.line_ups is not None:
        line_ups = [tuple(number[name] for name in line_up) for line_up in pairing.line_ups]
        if pairing.kind in ("once", "called"):
            return Schedule(len(names), seats, 1, tuple(line_ups), tuple((bot,) for bot in number.values()))
        return fixed_line_ups(len(names), seats, line_ups, pairing.repeats or 1, seed)
    return round_robin(len(names), seats, pairing.rounds, seed, cache)


def names_in(pairing: ScheduleChoice) -> tuple[str, ...]:
    """Returns the names in the line-ups, in order of first appearance."""
    return tuple(dict.fromkeys(name for line_up in pairing.line_ups or () for name in line_up))


def matches_in(pairing: ScheduleChoice, bots: int, seats: int) -> int:
    """Counts the matches of the schedule for this many bots."""
    if pairing.kind in ("once", "ladder", "called"):
        return len(pairing.line_ups or ())
    if pairing.bot is not None:
        return seats * (bots - 1) * (pairing.rounds or 1)
    if pairing.line_ups is not None:
        return seats * len(pairing.line_ups) * (pairing.repeats or 1)
    return bots * (bots - 1 if pairing.rounds is None else pairing.rounds)


def times_of(pairing: ScheduleChoice) -> int:
    """Returns how often the whole schedule is played, by default once."""
    return next((times for times in (pairing.rounds, pairing.repeats) if times is not None), 1)


def problems(pairing: ScheduleChoice, names: Sequence[str], seats: int) -> Iterator[tuple[str, str]]:
    """Yields key and text of each reason why these bots cannot play the schedule."""
    taken = TAKEN[pairing.kind]
    for key in ("rounds", "bot", "line_ups", "repeats", "adaptive"):
        if getattr(pairing, key) is not None and key not in taken:
            yield key, f'kind = "{pairing.kind}" has no key {key}. Its keys: {" and ".join(taken) or "none"}'
    if pairing.kind in NEEDED:
        key, written = NEEDED[pairing.kind]
        if getattr(pairing, key) is None:
            yield "kind", f'kind = "{pairing.kind}" needs {key} = {written}'
    if pairing.bot is not None and pairing.bot not in names:
        yield "bot", unknown("bot", pairing.bot, names)
    sizes = range(2 if pairing.kind == "called" else seats, seats + 1)
    yield from (("line_ups", text) for text in _about_line_ups(pairing.line_ups or (), names, sizes))
    if pairing.kind == "line-ups":
        yield from (("line_ups", text) for text in _about_the_idle(pairing.line_ups or (), names))


def _about_line_ups(line_ups: Sequence[Sequence[str]], names: Sequence[str], sizes: range) -> Iterator[str]:
    known = set(names)
    for number, line_up in enumerate(line_ups, start=1):
        if len(line_up) not in sizes:
            yield f"line-up {number} has {len(line_up)} bots, but [table] seats is {sizes[-1]}"
        elif len(set(line_up)) < len(line_up):
            yield f"line-up {number} names a bot twice"
        for name in line_up:
            if name not in known:
                yield f"line-up {number}: {unknown('bot', name, names)}"


def _about_the_idle(line_ups: Sequence[Sequence[str]], names: Sequence[str]) -> Iterator[str]:
    idle = [name for name in names if line_ups and not any(name in line_up for line_up in line_ups)]
    if idle:
        yield f"{', '.join(idle)} would never play.\nhint: add every bot to a line-up, or remove it from [[bots]]"
