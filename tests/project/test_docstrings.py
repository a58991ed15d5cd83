"""Docstrings of functions say what a function does, with the verb in the third person: `Returns`, not `Return`."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = (ROOT / "dev.py", ROOT / "referee/bourre_referee/cli")
"""A command's docstring is its help, and help tells the reader what to do."""
NOUNS = {"A", "Bot", "It", "Live", "Seat", "Seed"}
"""First words that only look like verbs."""
FUNCTION = re.compile(r'^ *(?:(?:async )?def |\)).*:\n +"""([A-Z][a-z]*)\b', re.MULTILINE)
"""The end of a function's head, and the first word of its docstring."""


def first_words(file: Path) -> Iterator[tuple[str, str]]:
    """Yields where a function's docstring is, and its first word."""
    text = file.read_text()
    for found in FUNCTION.finditer(text):
        yield f"{file.relative_to(ROOT)}:{text.count(chr(10), 0, found.end()) + 1}", found[1]


def third_person(verb: str) -> str:
    """Returns the verb as it follows `it`: `passes` for `pass`, `replies` for `reply`."""
    if verb in {"Do", "Go"} or verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return "Has" if verb == "Have" else verb + "s"


def imperatives(words: list[tuple[str, str]]) -> list[str]:
    """Returns the places that begin with a verb whose third person begins another docstring."""
    verbs = {word for _, word in words}
    return [place for place, word in words if word not in NOUNS and third_person(word) in verbs]


@pytest.fixture(scope="module")
def words() -> list[tuple[str, str]]:
    """The first words of all docstrings beside those of commands."""
    names = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / name for name in names.splitlines()]
    return [
        word
        for file in files
        if not (file.is_symlink() or any(file.is_relative_to(place) for place in COMMANDS))
        for word in first_words(file)
    ]


def test_docstrings_use_the_third_person(words: list[tuple[str, str]]) -> None:
    assert imperatives(words) == []


def test_a_docstring_in_the_imperative_is_found(words: list[tuple[str, str]]) -> None:
    assert imperatives([*words, ("here", "Return"), ("there", "Reply"), ("yonder", "Pass")]) == [
        "here",
        "there",
        "yonder",
    ]
