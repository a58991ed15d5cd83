"""Reads a submission's package-lock.json, in which npm locks each package by a hash."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from bourre_referee.evaluation.packages.package_lock import BadPackages
from bourre_referee.storage.files.untrusted_files import path_problem
from bourre_referee.text.names import printable, shorten

FILE = "package-lock.json"
NODE_MODULES = "node_modules"
_LARGEST = 4 * 2**20
_MOST = 1000
_SHOWN = 80
_INTEGRITY = re.compile(r"sha512-[A-Za-z0-9+/]{86}==")
_ARCHIVE = re.compile(r"https://[^?#]+/-/[^/?#]+\.tgz")
"""Where registries keep archives. Only the hash counts: they come from the folder or registry of the plan."""
_NEEDED = ("dependencies", "optionalDependencies")
_AGAIN = "hint: run npm install --package-lock-only again"


@dataclass(frozen=True, slots=True)
class NodeLock:
    """The packages that a bot needs to run."""

    wanted: Mapping[str, Any]
    """What its package.json asks for."""
    packages: Mapping[str, Mapping[str, Any]]
    """Each package by its path, as npm describes it."""

    @property
    def names(self) -> tuple[str, ...]:
        """Each package with its version."""
        named = ((path.rpartition(f"{NODE_MODULES}/")[2], one["version"]) for path, one in self.packages.items())
        return tuple(sorted({f"{name}@{version}" for name, version in named}))

    @property
    def hashes(self) -> frozenset[str]:
        """The hashes of all archives, as npm writes them."""
        return frozenset(one["integrity"] for one in self.packages.values() if "integrity" in one)

    def text(self, resolved: Mapping[str, str] | None = None) -> str:
        """Returns the lock for npm. `resolved` maps hashes to archives; None means those of the registry."""
        described = {path: _described(one, resolved) for path, one in self.packages.items()}
        document = {**self.wanted, "lockfileVersion": 3, "requires": True, "packages": {"": self.wanted, **described}}
        return json.dumps(document, sort_keys=True)


def _described(package: Mapping[str, Any], resolved: Mapping[str, str] | None) -> dict[str, Any]:
    found = {key: value for key, value in package.items() if key != "resolved"}
    if resolved and (archive := resolved.get(package.get("integrity", ""))):
        found["resolved"] = f"file:{archive}"
    return found


def read_node_lock(folder: Path) -> NodeLock | None:
    """Returns the lock of a submission in this folder; None if it has none, or brings its packages.

    Raises BadPackages for a package without a hash, or from anywhere but the registry.
    """
    file = folder / FILE
    if not file.is_file() or (folder / NODE_MODULES).exists():
        return None
    data = file.read_bytes()
    if len(data) > _LARGEST:
        raise BadPackages(f"its {FILE} is larger than {_LARGEST // 2**20} MiB.\nhint: use fewer packages")
    try:
        written = json.loads(data)
        packages = {path: dict(one) for path, one in written["packages"].items()}
        root = packages.pop("", {})
        wanted = {key: {str(name): str(at) for name, at in root[key].items()} for key in _NEEDED if key in root}
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise BadPackages(f"its {FILE} cannot be read.\n{_AGAIN}, with npm 7 or newer") from error
    kept = dict(_kept(packages))
    if len(kept) > _MOST:
        raise BadPackages(f"its {FILE} has {len(kept)} packages, more than {_MOST}.\nhint: use fewer packages")
    return NodeLock({"name": "submission", "version": "1.0.0", **wanted}, kept) if kept else None


def _kept(packages: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path, package in packages.items():
        if package.get("dev") is True:
            continue
        shown = repr(shorten(printable(path), _SHOWN))
        if path_problem(PurePosixPath(path)) or not path.startswith(f"{NODE_MODULES}/") or package.get("link"):
            raise BadPackages(f"{FILE}: {shown} is not a package of the registry.\nhint: remove it")
        if "resolved" in package and not _ARCHIVE.fullmatch(str(package["resolved"])):
            raise BadPackages(f"{FILE}: {shown} is not from a registry.\nhint: install it from there")
        locked = _INTEGRITY.fullmatch(str(package.get("integrity", "")))
        if not (locked or package.get("inBundle") is True) or not isinstance(package.get("version"), str):
            raise BadPackages(f"{FILE}: {shown} has no version with a SHA-512 hash.\n{_AGAIN}")
        yield path, package
