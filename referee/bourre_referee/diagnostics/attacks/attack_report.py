"""The output of `bourre doctor --attack`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from bourre_referee.diagnostics.attacks.attack_room import why_unavailable
from bourre_referee.diagnostics.attacks.trial import AttackTrial, Judgement, aim_of
from bourre_referee.model.spec import Isolation, Level
from bourre_referee.text.names import printable

FAILURES = (Judgement.BROKEN, Judgement.UNKNOWN)


def levels_here(image: str | None) -> tuple[tuple[Isolation, ...], Mapping[Level, str]]:
    """Returns the levels of isolation of this machine, and the reason why each other level is missing."""
    reasons: dict[Level, str | None] = {Level.CONTAINER: "pass --image IMAGE to try it"} if image is None else {}
    for level in Level:
        reasons.setdefault(level, why_unavailable(Isolation(level, image=image)))
    have = tuple(Isolation(level, image=image) for level in Level if reasons[level] is None)
    return have, {level: reason for level, reason in reasons.items() if reason}


def lines(trials: Iterator[AttackTrial], absent: Mapping[Level, str], done: list[AttackTrial]) -> Iterator[str]:
    """Yields the aim of each attack, its result at each level, and a summary. It adds the trials to `done`."""
    for trial in trials:
        if not done or done[-1].attack != trial.attack:
            yield f"{trial.attack}: {aim_of(trial.attack)}"
        done.append(trial)
        yield f"  {trial.judgement:<8} {trial.level:<10} {printable(trial.told)}"
    yield ""
    yield from (f"level {level} is not available here: {reason}" for level, reason in absent.items())
    yield summary(done)


def summary(trials: Sequence[AttackTrial]) -> str:
    """Returns the number of trials by judgement, and their meaning."""
    counts = {judgement: sum(trial.judgement is judgement for trial in trials) for judgement in Judgement}
    told = ", ".join(f"{number} {judgement}" for judgement, number in counts.items() if number)
    if is_sound(trials):
        return f"{told}: every level kept its promises"
    return f"{told}: do not run untrusted bots here at a level with BROKEN or UNKNOWN"


def is_sound(trials: Sequence[AttackTrial]) -> bool:
    """Returns whether every level kept its promises, and every attack could be tried."""
    return bool(trials) and not any(trial.judgement in FAILURES for trial in trials)


def document(trials: Sequence[AttackTrial], absent: Mapping[Level, str]) -> str:
    """Writes the trials as a JSON document."""
    found = {
        "sound": is_sound(trials),
        "absent": {str(level): reason for level, reason in absent.items()},
        "attacks": [
            {
                "attack": trial.attack,
                "aim": aim_of(trial.attack),
                "level": trial.level,
                "judgement": trial.judgement,
                "told": trial.told,
            }
            for trial in trials
        ],
    }
    return json.dumps(found, indent=2)
