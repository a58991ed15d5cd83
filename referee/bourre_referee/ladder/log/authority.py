"""Who may do what to a bot: the host all; an owner nothing that the host alone undoes.

A bench for faults ends with a version whose files or, for a remote bot, whose declared version were not benched.
"""

from __future__ import annotations

from collections.abc import Sequence

from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.ladder.log.events import (
    BotArrived,
    BotEvent,
    BotJoined,
    BotLeft,
    BotPaused,
    BotReinstated,
    BotResumed,
)


def objection(event: BotEvent, bot: Entrant) -> str:
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


def objection_to_version(joined: BotJoined, versions: Sequence[Entrant]) -> str:
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


def _for_the_host(bot: Entrant, what: str, undo: str) -> str:
    return f"the host {what} {bot.bot}: only the host can {undo}"


def _is_same(one: BotJoined, other: BotJoined) -> bool:
    if one.hosted:
        return (one.command, one.files) == (other.command, other.files)
    return not other.hosted and one.version == other.version
