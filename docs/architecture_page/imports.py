"""Imports between boxes, and those that the picture shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from graphlib import CycleError, TopologicalSorter

import grimp

from docs.architecture_page.boxes import BOXES, REFEREE, SDK, box_of

Arrows = Mapping[str, Set[str]]
"""The boxes that each box imports."""


class CircularImport(Exception):
    """Boxes import each other in a circle."""


def box_imports() -> Arrows:
    """Return the boxes that each box imports, except for type checking only; raises UnassignedModule."""
    graph = grimp.build_graph(SDK, REFEREE, exclude_type_checking_imports=True, cache_dir=None)
    arrows: dict[str, set[str]] = {box: set() for box in BOXES}
    roots = {SDK, REFEREE}  # the first only re-exports, the second is empty
    for module in graph.modules - roots:
        box = box_of(module)
        arrows[box] |= {box_of(other) for other in graph.find_modules_directly_imported_by(module) - roots} - {box}
    return arrows


def reduce_arrows(arrows: Arrows) -> Arrows:
    """Leave out arrows to boxes that are also reached through another box; raises CircularImport."""
    reached: dict[str, set[str]] = {}
    for box in _lowest_first(arrows):
        reached[box] = set(arrows[box]).union(*(reached[other] for other in arrows[box]))
    return {box: {other for other in others if not _by_way(other, others, reached)} for box, others in arrows.items()}


def _lowest_first(arrows: Arrows) -> Iterable[str]:
    try:
        return tuple(TopologicalSorter(arrows).static_order())
    except CycleError as error:
        raise CircularImport(" imports ".join(reversed(error.args[1]))) from error


def _by_way(box: str, others: Set[str], reached: Arrows) -> bool:
    return any(box in reached[other] for other in others)
