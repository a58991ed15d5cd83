"""Which tests cover which rule: scenes, positions and test functions have the ids of the rules in their names.

`python -m tests.sdk.rules.rule_tests` prints them rule by rule.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.sdk.rules.scenes import POSITIONS, scenes

HERE = Path(__file__).parent

RULES = {
    "R1.1": "seats and cards",
    "R1.2": "shuffles, and what nobody sees",
    "R1.3": "the first dealer",
    "R1.4": "the deal passes; forfeited turns",
    "R2.1": "the ante",
    "R2.2": "who is exempt from it",
    "R2.3": "`dealer_antes_all`",
    "R2.4": "`second_ante`",
    "R2.5": "`ante_when`",
    "R3.1": "the deal",
    "R3.2": "`trump_card`",
    "R4.1": "`declare_mode`",
    "R4.2": "a passed hand",
    "R4.3": "discards",
    "R4.4": "the stock, and `recycle`",
    "R4.5": "the turned-up ace",
    "R4.6": "all others passed; `must_hold`",
    "R4.7": "premature announcements",
    "R4.8": "one seat plays",
    "R4.9": "`second_pass`",
    "R5.1": "leading and winning",
    "R5.2": "following suit",
    "R5.3": "beating",
    "R5.4": "trumping",
    "R5.5": "neither suit nor trump",
    "R5.6": "the lead, and `lead_honour`",
    "R6.1": "the test for a cinch",
    "R6.2": "its duty",
    "R6.3": "adjacent trumps; the switches",
    "R6.4": "the claim",
    "R7.1": "who takes the pot",
    "R7.2": "a split pot",
    "R7.3": "bourré",
    "R7.4": "`pot_limit` and `renege_multiple`",
    "R7.5": "chips and credit",
    "R7.6": "the end of a match",
    "R8.1": "a renege that stands",
    "R8.2": "a renege that is corrected",
    "R8.3": "a barred seat on top",
    "R8.4": "`renege_policy`",
    "R8.5": "no card at all",
    "R8.6": "`fault_fine`",
}
"""Every rule, in a few words."""

_HEAD = """# Rules and their tests

Every rule of the game has an id, which its tests begin with. Most are a *scene* of a match or a *position* in the play,
written in one notation in `scenes/`; the others are functions: `test_r4_4_...` tests R4.4. A test fails if a rule has
no test. Tests of a whole section (`test_r7_worked_example_...`) come after its rules. All are in
`tests/sdk/rules/`.

There are also independent checks, which share no code with the rules:

| rules | check | files |
|---|---|---|
| R5, R6 | a literal judge, on random positions and keys | `judge.py`, `test_legality.py` |
| R5, R6 | a count of all ways to play fixed deals out | `perft.py`, `test_perft.py` |
| R6.1 | an exhaustive search of small decks | `cinch_check.py` |
| R7, R8.1 to R8.3 | a calculation chip by chip, for random deals and keys | `reckoning.py`, `test_settlement.py` |
| R1.2, R3, R4.4 | every card is in one place, and no view shows more than the events | `test_whole_matches.py` |
| R1.2 | exchanging two hidden cards changes nothing that a seat sees | `test_secrets.py` |
"""


class RuleTest(NamedTuple):
    """A test named after a rule, or after a whole section."""

    rule: str
    file: str
    name: str

    @property
    def words(self) -> str:
        """What it says about the rule, from its name."""
        return re.sub(r"^test_r\d(_\d+)?_", "", self.name).replace("_", " ")


def rule_tests() -> Iterator[RuleTest]:
    """All of them: the scenes, in the order of the rules, then the functions, in the order of the files."""
    for scene in scenes():
        yield RuleTest(scene.rule, f"scenes/{scene.rule[:2].lower()}.txt", scene.words)
    for line in POSITIONS.read_text(encoding="utf-8").splitlines():
        rule, _, words = line.partition(" ")
        yield RuleTest(rule, f"scenes/{POSITIONS.name}", words)
    for path in sorted(HERE.glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and (named := re.match(r"test_r(\d)(?:_(\d+))?_", node.name)):
                section, rule = named.groups()
                yield RuleTest(f"R{section}.{rule}" if rule else f"R{section}", path.name, node.name)
        for row in (node for node in ast.walk(tree) if isinstance(node, ast.Tuple) and node.elts):
            first = row.elts[0]
            if isinstance(first, ast.Constant) and re.match(r"R\d\.\d+ ", str(first.value)):
                rule, _, words = str(first.value).partition(" ")
                yield RuleTest(rule, path.name, words)


def document() -> str:
    """The list of rules and tests."""
    tests = list(rule_tests())
    lines = [_HEAD]
    for section in sorted({rule.split(".")[0] for rule in RULES}):
        lines.append(f"## {section}\n")
        for rule, title in RULES.items():
            if rule.startswith(f"{section}."):
                lines += _listed(f"**{rule}** {title}", [test for test in tests if test.rule == rule])
        whole = [test for test in tests if test.rule == section]
        lines += _listed(f"**{section}** as a whole", whole) if whole else []
    return "\n".join(lines)


def _listed(title: str, tests: list[RuleTest]) -> list[str]:
    return [title, "", *(f"- {test.words} (`{test.file}`)" for test in tests), ""]


if __name__ == "__main__":
    print(document())
