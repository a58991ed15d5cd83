"""research/dependencies.md discusses exactly what pyproject.toml asks for, what is vendored and what CI installs."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement

import dev

DOCUMENT = (dev.ROOT / "research/dependencies.md").read_text("utf-8")
PROJECT = tomllib.loads((dev.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VENDORED = (dev.ROOT / "referee/bourre_referee/web/static/VENDORED.txt").read_text("utf-8")
CI = (dev.ROOT / ".ci/run").read_text("utf-8")


def asked_for(texts: list[str]) -> set[str]:
    """The packages of these requirements, except our own."""
    return {Requirement(text).name for text in texts} - {"bourre"}


def weighed() -> list[str]:
    """The package of each row that has a release and a licence."""
    return re.findall(r"^\| `([\w.-]+)` \| (?:20\d\d-\d\d|vendored)", DOCUMENT, re.MULTILINE)


def test_each_dependency_has_one_line() -> None:
    extras: dict[str, list[str]] = PROJECT["optional-dependencies"]
    asked = asked_for(PROJECT["dependencies"]).union(*(asked_for(extras[extra]) for extra in extras.keys() - {"peers"}))
    vendored = set(re.findall(r"^\S+\.js +(\S+)", VENDORED, re.MULTILINE))
    assert sorted(weighed()) == sorted(asked | vendored)


def test_programs_and_peers_are_named() -> None:
    installed = {word for words in re.findall(r"missing\+=\((.*?)\)", CI) for word in words.split()} - {"python3"}
    named = set(re.findall(r"`([\w.-]+)`", DOCUMENT))
    assert installed
    assert installed | asked_for(PROJECT["optional-dependencies"]["peers"]) - {"setuptools"} <= named
