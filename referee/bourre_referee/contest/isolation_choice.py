"""Chooses the level of isolation that a contest gets on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Literal

from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import BotEntry, Isolation, Level, Limits, OwnIsolation

NamedLevel = Literal["none", "bwrap", "container"]
LevelAsked = Literal["best", NamedLevel]


@dataclass(frozen=True, slots=True)
class IsolationAsked:
    """The isolation that the contest file asks for."""

    level: LevelAsked = "best"
    """`best` means a sandbox if this machine can make one, and otherwise no isolation."""
    limits: Limits = field(default_factory=Limits)
    image: str | None = None


@dataclass(frozen=True, slots=True)
class Strangers:
    """Bots by unknown authors. They run without isolation only if the organiser asked for it."""

    name: str
    """Their plural noun in messages, such as `submissions`."""
    consent: str = '[isolation] level = "none"'
    """The setting by which the organiser trusts them."""
    trusted: bool = False
    """Whether the organiser trusts them outside of the file, such as by an option."""


Probe = Callable[[Isolation, Sequence[BotEntry]], str | None]
Tell = Callable[[str], None]

NO_BOX = (
    "{name} need isolation, and this machine has none: {reason}.\nWithout isolation they can read and change {spoils}. "
    "If you trust them all, or this whole machine is a container for them, use {consent}.\nhint: run bourre doctor"
)
SPOILS = "the terms, the seed, all results and one another"
"""What bots without isolation can read and change."""


def probe_here(isolation: Isolation, entries: Sequence[BotEntry]) -> str | None:
    """Returns why these bots cannot start at this level on this machine, with a hint; None if they can."""
    from bourre_referee.sandbox.levels import unavailable_reason  # slow to load, and a finished run starts no bot

    return unavailable_reason(isolation, entries)


def choose_isolation(
    asked: IsolationAsked,
    entries: Sequence[BotEntry],
    tell: Tell,
    probe: Probe = probe_here,
    strangers: Strangers | None = None,
) -> Isolation:
    """Tries the contest's level with the bots that the referee starts, and each bot's own level.

    Raises ContestError if a level is not available. Only `best` falls back to no isolation: if this machine cannot make
    sandboxes at all, and never for `strangers`. A fault in a bot's files never weakens the level: its author may have
    planted it. `tell` gets a warning if bots get less isolation than an organiser may expect.
    """
    from bourre_referee.sandbox.socket_folder import socket_problem

    if problem := socket_problem(Path(gettempdir())):
        raise ContestError(problem)
    started = [entry for entry in entries if entry.command is not None]
    usual = [entry for entry in started if entry.isolation == OwnIsolation()]
    isolation = _choose_for_all(asked, usual, tell, probe, strangers)
    own: dict[Isolation, list[BotEntry]] = {}
    for entry in started:
        if entry.isolation != OwnIsolation():
            own.setdefault(entry.isolation.over(isolation), []).append(entry)
    for owned, bots in own.items():
        names = ", ".join(entry.name for entry in bots)
        if reason := probe(owned, bots):
            raise _refusal(f"[bots.isolation] of {names}:", owned, reason, unavailable_reason_of_host(owned, probe))
        if strangers and owned.level is Level.NONE is not isolation.level:
            tell(_unboxed(f"{names}, by a section of their own,"))
    return isolation


def _choose_for_all(
    asked: IsolationAsked, entries: Sequence[BotEntry], tell: Tell, probe: Probe, strangers: Strangers | None
) -> Isolation:
    level = Level.BWRAP if asked.level == "best" else Level(asked.level)
    isolation = Isolation(level, asked.limits, asked.image)
    # Strangers may join later, so the level must be available even if no bot starts yet.
    reason = probe(isolation, entries) if entries or not strangers else unavailable_reason_of_host(isolation, probe)
    if reason is None:
        if strangers and level is Level.NONE:
            tell(_unboxed(strangers.name))
        return isolation
    host_reason = unavailable_reason_of_host(isolation, probe)
    if host_reason is None or asked.level != "best":
        raise _refusal("[isolation]", isolation, reason, host_reason)
    what = host_reason.partition("\n")[0].removesuffix(".")  # `bourre doctor` has the hint
    if strangers and not strangers.trusted:
        raise ContestError(NO_BOX.format(name=strangers.name, reason=what, spoils=SPOILS, consent=strangers.consent))
    tell(
        _unboxed(strangers.name)
        if strangers
        else f"warning: bots run without isolation, so you must trust them all: {what}.\n"
        'hint: run bourre doctor, or set [isolation] level = "none" to hide this warning'
    )
    return Isolation(Level.NONE, asked.limits)


def _refusal(section: str, isolation: Isolation, reason: str, host_reason: str | None) -> ContestError:
    """Returns the error for this level. If the host has the level, a bot is the reason."""
    if host_reason is None:
        return ContestError(reason)
    return ContestError(f'{section} level = "{isolation.level}" is not available here: {host_reason}')


def _unboxed(name: str) -> str:
    root = ". You are root, so they can change the whole machine" if os.geteuid() == 0 else ""
    return f"warning: {name} run without isolation, and can read and change {SPOILS}{root}"


def unavailable_reason_of_host(isolation: Isolation, probe: Probe = probe_here) -> str | None:
    """Returns why not even this program's Python can start at this level here; None if it can."""
    with TemporaryDirectory(prefix="bourre-") as folder:
        reason = probe(isolation, [BotEntry("bourre", (sys.executable,), Path(folder))])
    return reason and reason.removeprefix("bourre: ")  # there is no such bot: the reason is about the host
