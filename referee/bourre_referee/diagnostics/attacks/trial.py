"""Tries every hostile bot and every covert channel at each level of isolation of this machine, within a time."""

from __future__ import annotations

import ast
import asyncio
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
from bourre_referee.diagnostics.attacks.covert_talker import LASTING, OPEN, WAYS
from bourre_referee.diagnostics.attacks.covert_trial import Heard, talk_across, talk_later
from bourre_referee.model.spec import Isolation, Level
from bourre_referee.sandbox.cgroup.cgroup_mounts import find_group_parents
from bourre_referee.sandbox.levels import launcher_of

SECONDS = 570.0
"""The time of all trials together."""
MOST_SECONDS = 90.0
"""The longest time of one attempt. Most take one or two seconds."""
LEAST_SECONDS = 5.0


class Judgement(StrEnum):
    """The meaning of a trial."""

    HELD = "held"
    OPEN = "open"
    """The attack succeeded, and the level does not promise to stop it."""
    BROKEN = "BROKEN"
    """Something happened that the level, or the referee, promises to stop."""
    UNKNOWN = "UNKNOWN"
    """It could not be tried."""


@dataclass(frozen=True, slots=True)
class AttackTrial:
    """The result of an attack at one level."""

    attack: str
    level: Level
    judgement: Judgement
    told: str
    """A description of the result."""


_COVERT = {
    "covert_across": "Talks to a friend in another sandbox by each covert channel. Only level bwrap stops that.",
    "covert_later": "Talks to itself in a later sandbox by each covert channel. Only level bwrap stops that.",
}


def aim_of(attack: str) -> str:
    """Returns the aim of an attack, from the bot's own docstring."""
    if attack in _COVERT:
        return _COVERT[attack]
    return (ast.get_docstring(ast.parse((BOTS / attack / "bot.py").read_text(encoding="utf-8"))) or "").split("\n")[0]


def try_all(levels: Sequence[Isolation], seconds: float = SECONDS) -> Iterator[AttackTrial]:
    """Yields the result of each attack at each of these levels, except where it could harm the machine.

    An attack on the referee alone, over its connection, is tried at one level.
    """
    ends = time.monotonic() + seconds
    best = max(levels, key=lambda isolation: isolation.level is Level.BWRAP)
    if best.level is Level.BWRAP:
        yield from asyncio.run(try_covert_ways(best))
    with Arena() as arena:
        for attack in names():
            for isolation in levels if is_on_sandbox(attack) else [best]:
                if isolation.level in verdict_of(attack, isolation.level).levels:
                    yield try_one(arena, attack, isolation, ends)


async def try_covert_ways(isolation: Isolation) -> list[AttackTrial]:
    """Tries to talk between sandboxes by every covert channel."""
    trials = []
    groups = find_group_parents(isolation.limits)
    across, later = (*WAYS, *OPEN), (*LASTING, *OPEN)
    ways = (("covert_across", talk_across, across, OPEN), ("covert_later", talk_later, later, () if groups else OPEN))
    with TemporaryDirectory(prefix="bourre-") as place:
        for attack, talk, tried, known in ways:
            try:
                async with asyncio.timeout(MOST_SECONDS):
                    launcher = launcher_of(isolation, Path(place))
                    heard = await talk(launcher, _new(place, attack), tried)
                judgement, told = _judge_covert(heard, known)
            except (EOFError, OSError) as error:
                judgement, told = Judgement.UNKNOWN, str(error) or "it was not over in time"
            trials.append(AttackTrial(attack, isolation.level, judgement, told))
    return trials


def _new(place: str, name: str) -> Path:
    folder = Path(place, name)
    folder.mkdir()
    return folder


def _judge_covert(heard: Sequence[Heard], known: Sequence[str]) -> tuple[Judgement, str]:
    """Judges the bits that came through. No level promises to close the `known` channels."""
    through = {way.way: f"{way.right} of {len(way.heard)} bits by {way.way}" for way in heard if not way.is_deaf}
    if not through:
        return Judgement.HELD, f"no bit by any of {len(heard)} ways"
    judgement = Judgement.OPEN if through.keys() <= {*known} else Judgement.BROKEN
    return judgement, f"heard {', '.join(through.values())}, and none by {len(heard) - len(through)} other ways"


def try_one(arena: Arena, attack: str, isolation: Isolation, ends: float) -> AttackTrial:
    """Tries an attack, and again if it broke something but found nothing, because a busy machine can be the cause.

    It is over by `ends`, in the time of `time.monotonic`.
    """
    trial = AttackTrial(attack, isolation.level, Judgement.UNKNOWN, "no time was left for it")
    for _ in range(2):
        left = min(MOST_SECONDS, ends - time.monotonic())
        if left < LEAST_SECONDS:
            break
        with TemporaryDirectory(prefix="bourre-") as place:
            try:
                attempt = arena.attempt(attack, isolation, Path(place) / "attack", left)
            except (EOFError, OSError) as error:
                trial = AttackTrial(attack, isolation.level, Judgement.BROKEN, str(error) or "the referee died")
                arena.renew()
                continue
            trial = _judge(attempt, arena.first)
            if trial.judgement is not Judgement.BROKEN or attempt.found:
                break
    return trial


def _judge(attempt: Attempt, first: Aftermath) -> AttackTrial:
    complaints, found = attempt.complaints(first), ", ".join(attempt.found)
    if not attempt.aftermath.outcomes or (complaints and attempt.never_started):
        judgement, told = Judgement.UNKNOWN, "; ".join(complaints)
    elif complaints:
        judgement, told = Judgement.BROKEN, "; ".join(complaints)
    elif found:
        judgement, told = Judgement.OPEN, f"found {found}"
    else:
        judgement, told = Judgement.HELD, attempt.told
    return AttackTrial(attempt.name, attempt.level, judgement, told)
