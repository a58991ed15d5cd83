"""Every rule that the presets `pagat` and `limit` make live has a test that bears its id."""

from __future__ import annotations

import re
from pathlib import Path

LAST_ID = {1: 4, 2: 5, 3: 2, 4: 8, 5: 6, 6: 4, 7: 6, 8: 5}
"""The rules of each section are numbered from 1 to this."""


def test_no_rule_is_without_a_test_and_no_test_names_an_unknown_rule() -> None:
    here = Path(__file__).parent
    named = set()
    for path in here.glob("test_*.py"):
        named |= set(re.findall(r"def test_r(\d)_(\d+)_", path.read_text(encoding="utf-8")))
    rules = {(str(section), str(rule)) for section, last in LAST_ID.items() for rule in range(1, last + 1)}
    assert named == rules
