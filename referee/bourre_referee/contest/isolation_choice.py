"""Chooses the level of isolation: what a contest asks for, and what it gets on this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Entry, Isolation, Level, Limits, OwnIsolation
from bourre_referee.sandbox.levels import unavailable_reason

LevelAsked = Literal["best", "none", "bwrap", "container"]


@dataclass(frozen=True, slots=True)
class IsolationAsked:
    """The isolation that the contest file asks for."""

    level: LevelAsked = "best"
    """`best` means a box if this machine can make one, else no isolation."""
    limits: Limits = field(default_factory=Limits)
    image: str | None = None


@dataclass(frozen=True, slots=True)
class IsolationChoice:
    """The isolation that the bots get on this machine."""

    isolation: Isolation
    warning: str | None = None
    """Says that `best` means no isolation here, and why, with a hint."""
    reason: str | None = None
    """Why this machine cannot make a box, if there is that warning."""


Probe = Callable[[Isolation, Sequence[Entry]], str | None]


def choose_isolation(
    asked: IsolationAsked, entries: Sequence[Entry], probe: Probe = unavailable_reason
) -> IsolationChoice:
    """Tries the level asked for with the bots that the contest starts, and each level that a bot has for itself.

    Raises ContestError if one is not available, and never falls back to a weaker one. Only `best` does, with a warning,
    if this machine cannot make boxes at all; a fault in a bot's files never weakens it, as its author may have put it
    there.
    """
    started = [entry for entry in entries if entry.command is not None]
    choice = _choose_for_all(asked, [entry for entry in started if entry.isolation == OwnIsolation()], probe)
    own: dict[Isolation, list[Entry]] = {}
    for entry in started:
        if entry.isolation != OwnIsolation():
            own.setdefault(entry.isolation.over(choice.isolation), []).append(entry)
    for isolation, bots in own.items():
        if reason := probe(isolation, bots):
            names = ", ".join(entry.name for entry in bots)
            raise ContestError(
                f'[bots.isolation] of {names}: level = "{isolation.level}" is not available here: {reason}'
            )
    return choice


def _choose_for_all(asked: IsolationAsked, entries: Sequence[Entry], probe: Probe) -> IsolationChoice:
    level = Level.BWRAP if asked.level == "best" else Level(asked.level)
    isolation = Isolation(level, asked.limits, asked.image)
    reason = probe(isolation, entries)
    if reason is None:
        return IsolationChoice(isolation)
    if asked.level != "best":
        raise ContestError(f'[isolation] level = "{level}" is not available here: {reason}')
    if (host_reason := unavailable_reason_of_host(isolation, probe)) is None:
        raise ContestError(f'{reason} (or write [isolation] level = "none" if you trust every bot)')
    return IsolationChoice(
        Isolation(Level.NONE, asked.limits),
        f"warning: bots run without isolation, for trusted bots only: {host_reason} (`bourre doctor` says more; "
        '[isolation] level = "none" turns this warning off)',
        host_reason,
    )


def unavailable_reason_of_host(isolation: Isolation, probe: Probe = unavailable_reason) -> str | None:
    """Why nothing can be started at this level here, not even this program's own Python; None if it can."""
    with TemporaryDirectory(prefix="bourre-") as folder:
        reason = probe(isolation, [Entry("bourre", (sys.executable,), Path(folder))])
    return reason and reason.removeprefix("bourre: ")  # there is no such bot: the reason is about the host
