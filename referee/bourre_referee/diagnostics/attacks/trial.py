"""Tries every hostile bot at every level of isolation that this machine has, within a time."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre_referee.diagnostics.attacks.arena import Arena
from bourre_referee.diagnostics.attacks.attack_referee import Aftermath
from bourre_referee.diagnostics.attacks.attack_room import BOTS, is_on_sandbox, names, verdict_of
from bourre_referee.diagnostics.attacks.attempt import Attempt
from bourre_referee.model.spec import Isolation, Level

SECONDS = 570.0
"""How long all trials may take together."""
MOST_SECONDS = 90.0
"""How long one attempt may take; most take one or two seconds."""
_LEAST_SECONDS = 5.0


class Judgement(StrEnum):
    """What a trial shows."""

    HELD = "held"
    OPEN = "open"
    """The attack succeeded, where the level promises nothing."""
    BROKEN = "BROKEN"
    """Something happened that the level, or the referee, promises to stop."""
    UNKNOWN = "UNKNOWN"
    """It could not be tried."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How an attack ended at one level."""

    attack: str
    level: Level
    judgement: Judgement
    told: str


def aim_of(attack: str) -> str:
    """Returns what a hostile bot tries, in its own words."""
    return (ast.get_docstring(ast.parse((BOTS / attack / "bot.py").read_text(encoding="utf-8"))) or "").split("\n")[0]


def try_all(levels: Sequence[Isolation], seconds: float = SECONDS) -> Iterator[Trial]:
    """Yields how each hostile bot's attack ended at each of these levels, except where it could harm the machine.

    What attacks only the referee, over its connection, is tried at one level.
    """
    ends = time.monotonic() + seconds
    best = max(levels, key=lambda isolation: isolation.level is Level.BWRAP)
    with Arena() as arena:
        for attack in names():
            for isolation in levels if is_on_sandbox(attack) else [best]:
                if isolation.level in verdict_of(attack, isolation.level).levels:
                    yield _try(arena, attack, isolation, ends)


def _try(arena: Arena, attack: str, isolation: Isolation, ends: float) -> Trial:
    """Tries an attack, and once more if it broke something but found nothing: a busy machine can be the cause."""
    trial = Trial(attack, isolation.level, Judgement.UNKNOWN, "no time was left for it")
    for _ in range(2):
        left = min(MOST_SECONDS, ends - time.monotonic())
        if left < _LEAST_SECONDS:
            break
        with TemporaryDirectory(prefix="bourre-") as place:
            try:
                attempt = arena.attempt(attack, isolation, Path(place) / "attack", left)
            except (EOFError, OSError) as error:
                trial = Trial(attack, isolation.level, Judgement.BROKEN, str(error) or "the referee died")
                arena.renew()
                continue
            trial = _judge(attempt, arena.first)
            if trial.judgement is not Judgement.BROKEN or attempt.found:
                break
    return trial


def _judge(attempt: Attempt, first: Aftermath) -> Trial:
    complaints, found = attempt.complaints(first), ", ".join(attempt.found)
    if not attempt.aftermath.outcomes:
        judgement, told = Judgement.UNKNOWN, "; ".join(complaints)
    elif complaints:
        judgement, told = Judgement.BROKEN, "; ".join(complaints)
    elif found:
        judgement, told = Judgement.OPEN, f"found {found}"
    else:
        judgement, told = Judgement.HELD, attempt.told
    return Trial(attempt.name, attempt.level, judgement, told)
