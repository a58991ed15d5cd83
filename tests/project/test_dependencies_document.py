"""research/dependencies.md and its data discuss what pyproject.toml asks for, what is vendored and what CI installs."""

from __future__ import annotations

import csv
import re

import pytest
from packaging.requirements import Requirement

import dev
import setting_up
from tests.documents import DOCUMENTS
from tests.project.installed import EXTRAS, PROJECT, closure, size_of

DOCUMENT = (dev.ROOT / "research/dependencies.md").read_text("utf-8")
TABLE = dev.ROOT / "research/results/dependencies.csv"
RELEASED = re.compile(r"20\d\d-\d\d|vendored")
VENDORED = (dev.ROOT / "referee/bourre_referee/web/static/VENDORED.txt").read_text("utf-8")
LOCKED = {entry["name"] for entry in setting_up.ENTRY.finditer(setting_up.LOCK.read_text("utf-8"))}
CI = (dev.ROOT / ".ci/run").read_text("utf-8")


def asked_for(texts: list[str]) -> set[str]:
    """The packages of these requirements, except our own."""
    return {Requirement(text).name for text in texts} - {"bourre"}


def weighed() -> list[str]:
    """The package of each row that has a release, a licence and a verdict."""
    rows = csv.DictReader(TABLE.read_text("utf-8").splitlines())
    return [row["package"] for row in rows if row["licence"] and row["kept"] and RELEASED.match(row["released"])]


def test_each_dependency_has_one_line() -> None:
    asked = asked_for(PROJECT["dependencies"]).union(*(asked_for(EXTRAS[extra]) for extra in EXTRAS.keys() - {"peers"}))
    vendored = set(re.findall(r"^\S+\.js +(\S+)", VENDORED, re.MULTILINE))
    assert sorted(weighed()) == sorted(asked | vendored)


def test_programs_and_peers_are_named() -> None:
    installed = {word for words in re.findall(r"missing\+=\((.*?)\)", CI) for word in words.split()} - {"python3"}
    named = set(re.findall(r"`([\w.-]+)`", DOCUMENT))
    assert installed
    assert installed | asked_for(EXTRAS["peers"]) - {"setuptools"} <= named


def told(packages: str, size: str, unit: str = "MB") -> tuple[int, float]:
    """How many packages and how many megabytes a document tells."""
    return int(packages), float(size.replace(",", "")) * (1000 if unit == "GB" else 1)


def test_what_each_extra_installs_is_measured() -> None:
    rows = re.findall(r"^\| `bourre(?:\[(\w+)\])?` \| (\d+) \| ([\d,]+) \|", DOCUMENT, re.MULTILINE)
    assert len(rows) > 5
    (whole,) = re.findall(r"^\| `\.venv` of this project \| (\d+) \| ([\d,]+) \|", DOCUMENT, re.MULTILINE)
    assert told(*whole) == pytest.approx(size_of(LOCKED), rel=0.1)
    for extra, packages, size in rows:
        asked = [*PROJECT["dependencies"], *EXTRAS.get(extra, [])]
        assert told(packages, size) == pytest.approx(size_of(closure(asked)), rel=0.1), f"bourre[{extra}]"


def test_every_document_tells_as_measured_how_much_is_set_up() -> None:
    sizes = [size_of(names) for names in (setting_up.first_packages(), LOCKED)]
    figures = [
        (path.name, told(packages, size, unit))
        for path in (*DOCUMENTS, dev.ROOT / "setting_up.py")
        for packages, size, unit in re.findall(r"(\d+) packages \(([\d.]+) ([MG]B)\)", path.read_text("utf-8"))
    ]
    assert {"README.md", "quick-start.md", "setting_up.py"} == {name for name, _ in figures}
    assert [figure for figure in figures if not any(figure[1] == pytest.approx(size, rel=0.1) for size in sizes)] == []
