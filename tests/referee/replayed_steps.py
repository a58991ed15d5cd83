"""Events as a replay yields them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bourre.record.replayer import Step
from bourre.rules.events import Event


def steps_of(events: Iterable[Event]) -> Iterator[Step]:
    """Each event as a step of its own, which no action caused."""
    return (Step(None, None, [event]) for event in events)
