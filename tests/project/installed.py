"""What requirements need among the packages installed here, and how much that is."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import setting_up

PROJECT = tomllib.loads((setting_up.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def closure(asked: Iterable[str]) -> set[str]:
    """Returns the packages that these requirements name, with all that they need here; `bourre[EXTRA]` is known."""
    found: set[tuple[str, str]] = set()
    left = [Requirement(text) for text in asked]
    while left:
        requirement = left.pop()
        name = canonicalize_name(requirement.name)
        for extra in {"", *requirement.extras} - {extra for known, extra in found if known == name}:
            found.add((name, extra))
            texts = EXTRAS.get(extra, []) if name == "bourre" else metadata.requires(name) or []
            left += [needed for needed in map(Requirement, texts) if applies(needed, extra)]
    return {name for name, _ in found} - {"bourre"}


def applies(requirement: Requirement, extra: str) -> bool:
    """Whether it is required here by a package with this extra."""
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def size_of(names: Collection[str]) -> tuple[int, float]:
    """Returns how many of these packages are installed here, and their megabytes."""
    found = [size for name, size in installed_sizes() if name in names]
    return len(found), sum(found) / 1e6


@cache
def installed_sizes() -> list[tuple[str, int]]:
    """Returns the name of each package that is installed here, and its bytes."""
    return [
        (canonicalize_name(package.name), sum(file.stat().st_size for file in files_of(package) if file.is_file()))
        for package in metadata.distributions()
    ]


def files_of(package: metadata.Distribution) -> list[Path]:
    """Returns where its files are."""
    return [Path(str(package.locate_file(file))) for file in package.files or ()]
