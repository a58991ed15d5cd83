"""Imports between boxes, and those that the picture shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from graphlib import CycleError, TopologicalSorter

import grimp

REFEREE = "bourre_referee"
PACKAGES = ("bourre", "bourre_seats", "bourre_lab", REFEREE)

Arrows = Mapping[str, Set[str]]
"""The boxes that each box imports, each named as a package and a room in it."""


class CircularImport(Exception):
    """Boxes import each other in a circle."""


def box_imports() -> Arrows:
    """Returns the boxes that each box imports, except for type checking only."""
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    modules = graph.modules - {*PACKAGES, f"{REFEREE}.__main__"}  # the tops only re-export
    arrows: dict[str, set[str]] = {_box_of(module): set() for module in modules}
    for module in modules:
        others = graph.find_modules_directly_imported_by(module) & modules
        arrows[_box_of(module)] |= {_box_of(other) for other in others} - {_box_of(module)}
    return arrows


def reduce_arrows(arrows: Arrows) -> Arrows:
    """Leaves out arrows to boxes that another box also leads to, lowest boxes first; raises CircularImport."""
    reached: dict[str, set[str]] = {}
    for box in _lowest_first(arrows):
        reached[box] = set(arrows[box]).union(*(reached[other] for other in arrows[box]))
    return {box: {other for other in arrows[box] if not _by_way(other, arrows[box], reached)} for box in reached}


def _box_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _lowest_first(arrows: Arrows) -> Iterable[str]:
    try:
        return tuple(TopologicalSorter({box: sorted(arrows[box]) for box in sorted(arrows)}).static_order())
    except CycleError as error:
        raise CircularImport(" imports ".join(reversed(error.args[1]))) from error


def _by_way(box: str, others: Set[str], reached: Arrows) -> bool:
    return any(box in reached[other] for other in others)
