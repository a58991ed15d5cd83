"""The texts of the prompts: files that anyone may copy and change, with `$words` that are filled in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Final

from bourre_seats.models.questions import QUESTIONS
from bourre_seats.models.settings import SettingsError

STANDARD: Final = Path(__file__).parent / "prompts"
"""The folder of the standard prompts."""
_VIEW_WORDS: Final = ("cards", "deal", "deals", "dealer", "hand", "match", "notation", "pot", "seat", "seats", "trump")
_WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "system": ("rules", "seats"),
        "table": _VIEW_WORDS,
        "history": ("history",),
        "correction": ("card", "match", "rule"),
        "legal": ("legal",),
        "unparsable": ("problem",),
        **dict.fromkeys(QUESTIONS, ("dead", "max_discards", "second_ante")),
    }
)
"""The words that each text may use, by the name of its file."""


class Templates:
    """The texts of a folder; those that it lacks are the standard ones."""

    def __init__(self, folder: Path | None) -> None:
        """Raises SettingsError, which names the file and the fix, if a text cannot be used."""
        if folder is not None and not any((folder / f"{name}.txt").is_file() for name in _WORDS):
            raise SettingsError(f"{folder}: there is no prompt in it, such as table.txt: make one with --copy-prompts")
        self._texts = {name: _read(name, words, folder) for name, words in _WORDS.items()}

    def fill(self, name: str, values: Mapping[str, object]) -> str:
        """Returns a text with its words filled in."""
        return self._texts[name].substitute(values)

    def uses(self, name: str, word: str) -> bool:
        """Returns whether a text uses this word."""
        return word in self._texts[name].get_identifiers()


def _read(name: str, words: tuple[str, ...], folder: Path | None) -> Template:
    path = STANDARD / f"{name}.txt"
    if folder is not None and (folder / path.name).is_file():
        path = folder / path.name
    try:
        text = Template(path.read_text("utf-8-sig").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: it cannot be read: {error}") from None
    if not text.is_valid():
        raise SettingsError(f"{path}: a $ stands alone: write $$ for a dollar sign")
    if unknown := [word for word in text.get_identifiers() if word not in words]:
        there_are = " ".join(f"${word}" for word in words)
        raise SettingsError(f"{path}: there is no ${unknown[0]} here: there are {there_are}")
    return text
