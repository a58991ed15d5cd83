"""Writes in words and in JSON what a bot loses to a response, and by which decisions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bourre_referee.text.names import printable

if TYPE_CHECKING:
    from bourre_lab.best_response import Exploited
    from bourre_lab.policy_gains import Gain


def loss_lines(found: Exploited, seats: int) -> Iterator[str]:
    """Yields the loss of a bot and its parts, one per line; a loss within chance is not claimed."""
    name = printable(found.bot)
    if found.found:
        yield f"{name} at {seats} seats loses at least {_loss(found.total)} chips per 100 deals:"
        for part in found.parts:
            share = f"in {part.frequency:.1f} of 100 deals" if part.frequency >= 0.05 else "seldom"
            yield f"  {_loss(part.loss)} by {part.cause} ({share})"
    elif found.parts:
        yield f"{name} at {seats} seats: found nothing above chance: {_loss(found.total)} chips per 100 deals."
    else:
        yield f"{name} at {seats} seats: found nothing that wins."
    rounds = f"{found.rounds:,} round{'s' * (found.rounds != 1)}"
    yield ""
    yield (
        f"Trained on {found.trained:,} deals in {rounds}, measured on {found.measured:,} fresh ones, in "
        f"{found.seconds:.0f} s of processor time. ± are 95 % intervals."
    )
    if found.changed:
        yield (
            f"Some questions were asked twice, and {found.changed:.0%} of the answers changed: {name} remembers, or "
            "draws by chance. At a real table it may lose more or less, and another run may print other losses."
        )
    if found.listens:
        yield f"{name} has on_event, but heard no events here: each deal stands alone."


def _loss(loss: Gain) -> str:
    return f"{round(loss.mean, 2) + 0:.2f} ± {loss.half_width:.2f}"  # + 0 removes the sign of -0


def loss_json(found: Exploited, seats: int) -> str:
    """Returns the same as one JSON document. Losses are chips per 100 deals, with half of their 95 % intervals."""
    document = {
        "bot": found.bot,
        "seats": seats,
        "found": found.found,
        **_figures(found.total),
        "parts": [
            {"cause": part.cause, **_figures(part.loss), "per_100_deals": round(part.frequency, 2)}
            for part in found.parts
        ],
        "rounds": found.rounds,
        "trained_deals": found.trained,
        "measured_deals": found.measured,
        "seconds": round(found.seconds, 1),
        "hears_events": not found.listens,
        "changed_answers": round(found.changed, 3),
    }
    return json.dumps(document, indent=2)


def _figures(loss: Gain) -> dict[str, float]:
    return {"loss": round(loss.mean, 3), "half_width": round(loss.half_width, 3)}
