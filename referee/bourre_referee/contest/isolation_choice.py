"""Chooses the level of isolation: what a contest asks for, and what it gets on this machine."""

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
from bourre_referee.sandbox.levels import unavailable_reason
from bourre_referee.sandbox.socket_folder import socket_problem

LevelAsked = Literal["best", "none", "bwrap", "container"]


@dataclass(frozen=True, slots=True)
class IsolationAsked:
    """The isolation that the contest file asks for."""

    level: LevelAsked = "best"
    """`best` means a box if this machine can make one, else no isolation."""
    limits: Limits = field(default_factory=Limits)
    image: str | None = None


@dataclass(frozen=True, slots=True)
class Strangers:
    """The bots whose files anybody may have written: they run without isolation only if the organiser wrote so."""

    name: str
    """What they are called, in the plural, as `submissions`."""
    consent: str = '[isolation] level = "none"'
    """The words by which the organiser trusts them."""
    trusted: bool = False
    """Whether the organiser wrote such words elsewhere than in the file."""


Probe = Callable[[Isolation, Sequence[BotEntry]], str | None]
Tell = Callable[[str], None]

NO_BOX = (
    "{name} need isolation, and this machine has none: {reason}\nWithout isolation they can read and change {spoils}. "
    "If you trust them all, or this whole machine is a container for them, use {consent}.\nhint: run bourre doctor"
)
SPOILS = "the terms, the seed, all results and one another"
"""What bots without isolation can read and change."""


def choose_isolation(
    asked: IsolationAsked,
    entries: Sequence[BotEntry],
    tell: Tell,
    probe: Probe = unavailable_reason,
    strangers: Strangers | None = None,
) -> Isolation:
    """Tries the level asked for with the bots that are started, and each level that a bot has for itself.

    Raises ContestError if one is not available, and never falls back to a weaker one. Only `best` does, if this machine
    cannot make boxes at all, and never for `strangers`; a fault in a bot's files never weakens it, as its author may
    have put it there. `tell` gets a warning if bots get less than an organiser may think.
    """
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
    # Strangers come later: even if nothing is started yet, the level must be there for them.
    reason = probe(isolation, entries) if entries or not strangers else unavailable_reason_of_host(isolation, probe)
    if reason is None:
        if strangers and level is Level.NONE:
            tell(_unboxed(strangers.name))
        return isolation
    host_reason = unavailable_reason_of_host(isolation, probe)
    if host_reason is None or asked.level != "best":
        raise _refusal("[isolation]", isolation, reason, host_reason)
    if strangers and not strangers.trusted:
        raise ContestError(
            NO_BOX.format(name=strangers.name, reason=host_reason, spoils=SPOILS, consent=strangers.consent)
        )
    tell(
        _unboxed(strangers.name)
        if strangers
        else f"warning: bots run without isolation, so you must trust them all: {host_reason}\n"
        'hint: run bourre doctor, or set [isolation] level = "none" to hide this warning'
    )
    return Isolation(Level.NONE, asked.limits)


def _refusal(section: str, isolation: Isolation, reason: str, host_reason: str | None) -> ContestError:
    """Returns the error for this level, which is not to blame if the host has it: then a bot is the reason."""
    if host_reason is None:
        return ContestError(reason)
    return ContestError(f'{section} level = "{isolation.level}" is not available here: {host_reason}')


def _unboxed(name: str) -> str:
    root = ". You are root, so they can change the whole machine" if os.geteuid() == 0 else ""
    return f"warning: {name} run without isolation, and can read and change {SPOILS}{root}"


def unavailable_reason_of_host(isolation: Isolation, probe: Probe = unavailable_reason) -> str | None:
    """Why nothing can be started at this level here, not even this program's own Python; None if it can."""
    with TemporaryDirectory(prefix="bourre-") as folder:
        reason = probe(isolation, [BotEntry("bourre", (sys.executable,), Path(folder))])
    return reason and reason.removeprefix("bourre: ")  # there is no such bot: the reason is about the host
