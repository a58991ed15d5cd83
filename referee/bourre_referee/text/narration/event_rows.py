"""Groups the events of a deal into rows: the steps of its replay, which links to a moment count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bourre.rules.events import AntePaid, CardDrawn, Event, HandDealt, PotShared

TOGETHER = (CardDrawn, AntePaid, HandDealt, PotShared)
"""Events that come in a row, one for each seat. A row makes one step."""


def rows_of(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yields the events of each step of a deal, in order."""
    row: list[Event] = []
    for event in events:
        if row and not (isinstance(event, TOGETHER) and type(event) is type(row[-1])):
            yield row
            row = []
        row.append(event)
    yield row
