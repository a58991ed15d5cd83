"""Who imports whom, box by box, and which of it the picture shows."""

from __future__ import annotations

from collections.abc import Mapping, Set
from graphlib import CycleError, TopologicalSorter

import grimp

from docs.architecture_page.boxes import BOXES, REFEREE, SDK, box_of

Arrows = Mapping[str, Set[str]]
"""The boxes that each box imports."""

BACKWARDS = {
    (f"{REFEREE}.contest", f"{REFEREE}.verify"),
    (f"{REFEREE}.export, plots", f"{REFEREE}.web"),
    (f"{REFEREE}.standings", f"{REFEREE}.analysis"),
}
"""Imports against the direction of all others: each closes a circle. None may be added; those that go are taken out."""


class Circle(Exception):
    """Boxes import each other in a circle that is not among those known."""


def between_boxes() -> Arrows:
    """Every box, and those that its modules import, imports for type checkers left out; raises Homeless."""
    graph = grimp.build_graph(SDK, REFEREE, exclude_type_checking_imports=True, cache_dir=None)
    arrows: dict[str, set[str]] = {box: set() for box in BOXES}
    roots = {SDK, REFEREE}  # the first only passes on what the others hold, the second is empty
    for module in graph.modules - roots:
        box = box_of(module)
        arrows[box] |= {box_of(other) for other in graph.find_modules_directly_imported_by(module) - roots} - {box}
    return arrows


def forwards(arrows: Arrows) -> Arrows:
    """The arrows without those known to run backwards; raises Circle where others make one."""
    left = {box: {other for other in others if (box, other) not in BACKWARDS} for box, others in arrows.items()}
    try:
        TopologicalSorter(left).prepare()
    except CycleError as error:
        raise Circle(" imports ".join(reversed(error.args[1]))) from error
    return left


def shortened(arrows: Arrows) -> Arrows:
    """Those that say all: where a box is also reached through another, its arrow is left out; there is no circle."""
    reached: dict[str, set[str]] = {}
    for box in TopologicalSorter(arrows).static_order():  # those that it imports come first
        reached[box] = set(arrows[box]).union(*(reached[other] for other in arrows[box]))
    return {box: {other for other in others if not _by_way(other, others, reached)} for box, others in arrows.items()}


def _by_way(box: str, others: Set[str], reached: Arrows) -> bool:
    return any(box in reached[other] for other in others)
