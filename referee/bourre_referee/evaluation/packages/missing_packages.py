"""Tells students about packages that are not installed."""

from __future__ import annotations

import re
from pathlib import Path

from bourre.bot_code.start_mends import install_hint
from bourre_referee.evaluation.packages.package_lock import FILE, LOCK
from bourre_referee.evaluation.packages.packages_section import PackagesSection

_MISSING = re.compile(r"No module named '(\w+)[\w.]*'")


def name_missing_package(text: str, asked: PackagesSection) -> str:
    """Returns a reason with this plan's fix for a missing package. Other reasons stay as they are."""
    found = _MISSING.search(text)
    if found is None:
        return text
    module, usual = found[1], install_hint(found[1])
    if asked.allow:
        fix = f"add {module}==VERSION to requirements.in, run `{LOCK}`, and hand in {FILE}"
    else:
        fix = f"do without {module}, because the plan installs no packages ([packages] allow = true)"
    return text.replace(usual, fix) if usual in text else f"{text}. hint: {fix}"


def ignored_lock(submission: Path) -> str:
    """Returns that the lock in this folder is not installed; empty if there is no lock."""
    if not (submission / FILE).is_file():
        return ""
    return f"{FILE} was not installed, because the plan installs no packages ([packages] allow = true)."
