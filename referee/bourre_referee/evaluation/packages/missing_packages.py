"""Tells students about packages that are not installed."""

from __future__ import annotations

import re
from pathlib import Path

from bourre.bot_code.error_mends import install_hint
from bourre_referee.evaluation.packages import node_lock
from bourre_referee.evaluation.packages.package_lock import FILE, LOCK
from bourre_referee.evaluation.packages.packages_section import PackagesSection

_NONE = "this assignment installs no packages"
_MISSING = re.compile(r"No module named '(\w+)[\w.]*'")
_MISSING_OF_NODE = re.compile(r"Cannot find (?:module|package) '([^'./][^']*)'")


def name_missing_package(text: str, asked: PackagesSection) -> str:
    """Returns a reason with this plan's fix for a missing package. Other reasons stay as they are."""
    if found := _MISSING.search(text):
        module, usual = found[1], install_hint(found[1])
        fix = f"add {module}==VERSION to requirements.in, run `{LOCK}`, and hand in {FILE}"
    elif found := _MISSING_OF_NODE.search(text):
        module, usual = found[1], ""
        fix = f"run `npm install {module}`, and hand in {node_lock.FILE}"
    else:
        return text
    if not asked.allow:
        fix = f"do without {module}, because {_NONE}"
    return text.replace(usual, fix) if usual and usual in text else f"{text}. hint: {fix}"


def ignored_lock(submission: Path) -> str:
    """Returns that a lock in this folder is not installed; empty if there is no lock."""
    for_node = submission / node_lock.FILE
    brought = (submission / node_lock.NODE_MODULES).exists()
    if (submission / FILE).is_file():
        return f"{FILE} was not installed, because {_NONE}."
    return f"{for_node.name} was not installed, because {_NONE}." if for_node.is_file() and not brought else ""
