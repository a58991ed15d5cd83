"""The level of isolation that a contest asks for, and the one that it gets on this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Entry, Isolation, Level, Limits
from bourre_referee.sandbox.levels import unavailable_reason

LevelAsked = Literal["best", "none", "bwrap", "container"]


@dataclass(frozen=True, slots=True)
class IsolationAsked:
    """As the contest file says it."""

    level: LevelAsked = "best"
    """`best`: a box where this machine can make one, else none."""
    limits: Limits = field(default_factory=Limits)
    image: str | None = None


@dataclass(frozen=True, slots=True)
class IsolationSettled:
    """What it comes to here and now."""

    isolation: Isolation
    warning: str | None = None
    """That `best` came to none, why, and the mend."""
    reason: str | None = None
    """Of that warning: why this machine can make no box."""


Probe = Callable[[Isolation, Sequence[Entry]], str | None]


def settle(asked: IsolationAsked, entries: Sequence[Entry], probe: Probe = unavailable_reason) -> IsolationSettled:
    """Tries the level that is asked for on the bots that the contest starts.

    Raises ContestError when it cannot be had: never a weaker one unasked. `best` is one where this machine can make no
    box, and says so; what lies in a bot's files weakens nothing, for its author could have put it there.
    """
    level = Level.BWRAP if asked.level == "best" else Level(asked.level)
    isolation = Isolation(level, asked.limits, asked.image)
    reason = probe(isolation, [entry for entry in entries if entry.command is not None])
    if reason is None:
        return IsolationSettled(isolation)
    if asked.level != "best":
        raise ContestError(f'[isolation] level = "{level}" cannot be had here: {reason}')
    if (hindered := unavailable_reason_of_host(isolation, probe)) is None:
        raise ContestError(f'{reason} (or [isolation] level = "none": a box for no bot, where you trust them all)')
    return IsolationSettled(
        Isolation(Level.NONE, asked.limits),
        f"warning: bots run without isolation, for trusted bots only: {hindered} (`bourre doctor` says more; "
        '[isolation] level = "none" means it so)',
        hindered,
    )


def unavailable_reason_of_host(isolation: Isolation, probe: Probe = unavailable_reason) -> str | None:
    """Why nothing can be started at this level here, not even the Python that runs this."""
    with TemporaryDirectory(prefix="bourre-") as folder:
        reason = probe(isolation, [Entry("bourre", (sys.executable,), Path(folder))])
    return reason and reason.removeprefix("bourre: ")  # no bot is called so: it is the host that is told of
