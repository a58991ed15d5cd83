"""Who imports whom, box by box, and which of it the picture shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from graphlib import CycleError, TopologicalSorter

import grimp

from docs.architecture_page.boxes import BOXES, REFEREE, SDK, box_of

Arrows = Mapping[str, Set[str]]
"""The boxes that each box imports."""


class Circle(Exception):
    """Boxes import each other in a circle."""


def between_boxes() -> Arrows:
    """Every box, and those that its modules import, imports for type checkers left out; raises Homeless."""
    graph = grimp.build_graph(SDK, REFEREE, exclude_type_checking_imports=True, cache_dir=None)
    arrows: dict[str, set[str]] = {box: set() for box in BOXES}
    roots = {SDK, REFEREE}  # the first only passes on what the others hold, the second is empty
    for module in graph.modules - roots:
        box = box_of(module)
        arrows[box] |= {box_of(other) for other in graph.find_modules_directly_imported_by(module) - roots} - {box}
    return arrows


def shortened(arrows: Arrows) -> Arrows:
    """Those that say all: where a box is also reached through another, its arrow is left out; raises Circle."""
    reached: dict[str, set[str]] = {}
    for box in _lowest_first(arrows):
        reached[box] = set(arrows[box]).union(*(reached[other] for other in arrows[box]))
    return {box: {other for other in others if not _by_way(other, others, reached)} for box, others in arrows.items()}


def _lowest_first(arrows: Arrows) -> Iterable[str]:
    try:
        return tuple(TopologicalSorter(arrows).static_order())
    except CycleError as error:
        raise Circle(" imports ".join(reversed(error.args[1]))) from error


def _by_way(box: str, others: Set[str], reached: Arrows) -> bool:
    return any(box in reached[other] for other in others)
